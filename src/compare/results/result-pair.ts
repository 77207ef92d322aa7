import { isJsonObject, type JsonObject, type JsonValue, member } from '../../json/json-value.ts';
import type { PlacedPin } from '../../recording/pin-pointer.ts';
import type { AnswerShape } from '../../recording/result-shape.ts';
import { type Block, readBlocks } from '../../recording/shape-blocks.ts';

/** One result, read as far as it is compared. */
export interface ReadResult {
  readonly result: JsonObject;
  readonly blocks: readonly Block[];
  /** undefined where there is none. A null counts as none: clients read it so. */
  readonly structured: JsonValue | undefined;
  readonly isError: boolean;
}

export const readResult = (result: JsonObject): ReadResult => ({
  result,
  blocks: readBlocks(result),
  structured: member(result, 'structuredContent') ?? undefined,
  isError: member(result, 'isError') === true,
});

/** Two results of the same outcome, and what is known about both. */
export interface ResultPair {
  readonly live: ReadResult;
  /** null where the recording holds another outcome: then only the shape, learned from an acceptance, is known. */
  readonly recorded: ReadResult | null;
  readonly shape: AnswerShape;
  readonly pins: readonly PlacedPin[];
  /** The output schema declared on each side; null where none is. */
  readonly schemas: { readonly recorded: JsonObject | null; readonly live: JsonObject | null };
  /** The negotiated revision. */
  readonly revision: string | null;
}

export const schemaOf = (schema: JsonValue | undefined): JsonObject | null => (isJsonObject(schema) ? schema : null);
