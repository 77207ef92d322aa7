/** The world, handed in. Every module that needs it takes the few functions it needs; tests pass fakes. */

/** The part of a response that the client reads. The platform's `Response` satisfies it. */
export interface FetchResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null; forEach(visit: (value: string, name: string) => void): void };
  readonly body: AsyncIterable<Uint8Array> | null;
}

export interface FetchRequest {
  readonly method: 'GET' | 'POST' | 'DELETE' | 'OPTIONS';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Always 'manual': redirects are never followed. */
  readonly redirect: 'manual';
  readonly signal: AbortSignal;
}

/** One HTTP exchange. Decoding of content-codings is the body reader's, so `body` may be raw (see `client/read-body.ts`). */
export type FetchLike = (url: string, request: FetchRequest) => Promise<FetchResponse>;

export interface Clock {
  /** Milliseconds since 1970, for what is shown to people. */
  now(): number;
  /** Milliseconds from some start, for durations. */
  monotonic(): number;
  /** Resolves after `ms`, or rejects with the signal's reason. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export interface Random {
  uuid(): string;
  /** 0 <= x < 1 */
  fraction(): number;
}

/** Progress and messages for a person; never the report. */
export interface Log {
  info(message: string): void;
  warn(message: string): void;
}
