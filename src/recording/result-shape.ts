/** Formats that a string value is recognised by; only the class is compared, never the value. */
export const stringFormats = [
  'date-time',
  'date',
  'uuid',
  'uri',
  'domain',
  'email',
  'ipv4',
  'ipv6',
  'decimal',
  'integer',
] as const;
export type StringFormat = (typeof stringFormats)[number];

/** The shape algebra: what is remembered of a value when the value itself is not pinned. */
export type Shape =
  /** Not looked into: deeper than `shapeLimits.depth`. Accepts everything. */
  | { readonly kind: 'any' }
  | { readonly kind: 'null' }
  | { readonly kind: 'boolean' }
  /** `fractional` once any sample had a fraction: 3 and 3.0 are one value, so one sample cannot tell. */
  | { readonly kind: 'number'; readonly fractional: boolean }
  | { readonly kind: 'string'; readonly format: StringFormat | null; readonly volatile: boolean }
  /** `items` is null while no sample had an item. */
  | { readonly kind: 'array'; readonly items: Shape | null; readonly min: number; readonly max: number }
  | ObjectShape
  /** An object keyed by data (domains, dates, uuids); `keys` is null where the keys share no format. */
  | { readonly kind: 'map'; readonly keys: StringFormat | null; readonly values: Shape }
  /** At least two: one of each kind, but one object for each tag. Sorted by canonical form. */
  | { readonly kind: 'union'; readonly of: readonly Shape[] };

export interface ObjectShape {
  readonly kind: 'object';
  /** What tells this branch of a union from others; null where nothing does; `merged`: more tags than a union holds. */
  readonly tag: Tag | 'merged' | null;
  readonly members: ReadonlyMap<string, MemberShape>;
}

/** A member (`type`, `kind`, …) whose value names the branch. */
export interface Tag {
  readonly member: string;
  readonly value: string;
}

export interface MemberShape {
  readonly shape: Shape;
  readonly optional: boolean;
}

export interface Range {
  readonly min: number;
  readonly max: number;
}

/** What is remembered of the content blocks of one kind (`text`, `image`, …). Their order is not. */
export interface KindShape {
  readonly count: Range;
  /** Media types seen, sorted; `*` alone: more than are kept. */
  readonly mimeTypes: readonly string[];
  /** Origins (`https://host:port`, or the scheme of a URI without a host) of links and resources, sorted; `*` alone: more than are kept. */
  readonly origins: readonly string[];
  /** Texts that are a JSON object or array as a whole; null where none was. */
  readonly json: { readonly shape: Shape; readonly count: Range } | null;
  /** Texts that are not; null where none was. `length` is in UTF-16 units. */
  readonly prose: { readonly count: Range; readonly length: Range } | null;
}

/** What is remembered of the results that succeeded, or of those that were errors. */
export interface AnswerShape {
  /** null where no sample had `structuredContent`. */
  readonly structured: MemberShape | null;
  /** Number of content blocks of every kind. */
  readonly count: Range;
  readonly kinds: ReadonlyMap<string, KindShape>;
  /** Members of the result that the protocol does not name. */
  readonly members: Shape;
  readonly meta: Shape;
  /** UTF-16 units of content and structured content as JSON. */
  readonly size: Range;
}

/** What is remembered of the results of one call. After an acceptance it may know several healthy outcomes. */
export interface ResultShape {
  readonly success: AnswerShape | null;
  /** Results with `isError`. */
  readonly error: AnswerShape | null;
  /** Outcomes that are no complete result: `input_required`, `task`, or an unknown `resultType`; sorted. */
  readonly incomplete: readonly string[];
}

/** Bounds of a shape. Beyond them it says less, never something wrong. */
export const shapeLimits = {
  depth: 64,
  /** Members of one object; more are a map. */
  members: 1_000,
  /** Tags of one union; more are merged into one object. */
  tags: 8,
  /** Media types, and origins, of one kind of block. */
  names: 32,
  /** Units of a string that is looked at for a format. */
  formatUnits: 2_048,
} as const;
