import type { JsonObject } from '../json/json-value.ts';
import { member } from '../json/json-value.ts';
import type { ConsumerUse } from '../recording/consumer-use.ts';
import type { Observation } from '../recording/observation.ts';
import type { Recording } from '../recording/recording.ts';
import type { ExplainChange } from './explain-change.ts';
import type { SchemaBudget } from './schema/schema-budget.ts';

/** Both sides of one comparison, as every check gets them. */
export interface Comparison {
  readonly recording: Recording;
  readonly observation: Observation;
  readonly use: ConsumerUse;
  /** null: a side has no list, or tonight's is not whole. */
  readonly paired: PairedTools | null;
  readonly explain: ExplainChange;
  readonly budget: SchemaBudget;
}

/** One tool on both sides, found to differ. */
export interface ToolPair {
  readonly name: string;
  /** With the words put back that the live side proves; a text whose words are not known stays a `TextDigest`. */
  readonly before: JsonObject;
  readonly after: JsonObject;
}

/** The tools of both sides by name, sorted by it. */
export interface PairedTools {
  /** Those on both sides that differ. */
  readonly changed: readonly ToolPair[];
  readonly removed: readonly JsonObject[];
  readonly added: readonly JsonObject[];
}

export const nameOfTool = (tool: JsonObject): string => {
  const name = member(tool, 'name');
  return typeof name === 'string' ? name : '';
};
