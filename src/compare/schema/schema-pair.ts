import type { JsonValue } from '../../json/json-value.ts';
import type { Direction } from './kinds.ts';
import type { SchemaBudget } from './schema-budget.ts';

/** As it was recorded, or as it is now. */
export type Side = 'before' | 'after';

/** The input or output schema of one tool, as it was recorded and as it is now. */
export interface SchemaPair {
  readonly direction: Direction;
  readonly tool: string;
  readonly before: JsonValue;
  readonly after: JsonValue;
  /** How a schema without a `$schema` of its own is read. */
  readonly dialect: { readonly before: 'draft-07' | '2020-12'; readonly after: 'draft-07' | '2020-12' };
  /** Arguments that the recorded calls send (input), or the structured results they brought (output). */
  readonly recorded: readonly JsonValue[];
  /** Shared by all pairs of one look. Absent: this pair is the only one. */
  readonly budget?: SchemaBudget;
}
