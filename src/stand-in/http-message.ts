/** One HTTP request, as far as a stand-in looks at it. */
export interface HttpAsk {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  /** null: over `limits.standInRequestBytes`, and not read. */
  readonly body: Uint8Array | null;
}

export interface HttpReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}
