import type { Change } from '../../findings/finding.ts';
import { findDifferences } from './find-differences.ts';
import type { SchemaPair } from './schema-pair.ts';
import { dropDoubles, keepGravest, toChange } from './to-change.ts';

export { findUnmatchedRecorded, proveSchemaChanges } from './prove-changes.ts';
export type { SchemaPair } from './schema-pair.ts';

/**
 * What changed between two schemas of a tool (rules of the areas `input` and `output`): below their root, since whether
 * there is a schema at all is judged with the tool. Pointers begin with `/inputSchema` or `/outputSchema`. Equal schemas
 * give nothing, at about the cost of one pass over them; hostile ones end within the ceilings of `limits`.
 */
export const compareSchemas = (pair: SchemaPair): readonly Change[] =>
  keepGravest(pair, dropDoubles(pair.direction, findDifferences(pair))).map((difference) => toChange(pair, difference));
