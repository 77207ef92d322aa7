/** Formats that a string value is recognised by; only the class is compared, never the value. */
export type StringFormat = 'date-time' | 'date' | 'uuid' | 'uri' | 'domain' | 'email' | 'ipv4' | 'ipv6' | 'decimal';

/** The shape algebra: what is remembered of a value when the value itself is not pinned. */
export type Shape =
  | { readonly kind: 'null' }
  | { readonly kind: 'boolean' }
  /** `fractional` once any sample had a fraction: 3 and 3.0 are one value, so one sample cannot tell. */
  | { readonly kind: 'number'; readonly fractional: boolean }
  | { readonly kind: 'string'; readonly format: StringFormat | null; readonly volatile: boolean }
  /** `items` is null while no sample had an item. */
  | { readonly kind: 'array'; readonly items: Shape | null; readonly min: number; readonly max: number }
  | { readonly kind: 'object'; readonly members: ReadonlyMap<string, MemberShape> }
  /** An object keyed by data (domains, dates, uuids). */
  | { readonly kind: 'map'; readonly keys: StringFormat; readonly values: Shape }
  /** At least two, of different kinds or discriminated; sorted by canonical form. */
  | { readonly kind: 'union'; readonly of: readonly Shape[] };

export interface MemberShape {
  readonly shape: Shape;
  readonly optional: boolean;
}

/** What is remembered of one content block. */
export interface BlockShape {
  readonly kind: string;
  readonly mimeType: string | null;
  /** Shape of the parsed text where the whole text is a JSON object or array; null for prose and other kinds. */
  readonly json: Shape | null;
  /** Units of the text seen so far; 0 to 0 for other kinds. */
  readonly length: { readonly min: number; readonly max: number };
}

/** What is remembered of one result. */
export interface ResultShape {
  readonly isError: boolean;
  /** null where no sample had `structuredContent`. */
  readonly structured: { readonly shape: Shape; readonly optional: boolean } | null;
  readonly blocks: readonly BlockShape[];
}
