import { isJsonArray, isJsonObject, type JsonValue } from '../../json/json-value.ts';
import { accepts } from './accepts.ts';
import { embed } from './embed.ts';
import { exampleOf } from './example.ts';
import { openDocument, type SchemaDocument } from './schema-document.ts';
import type { Side } from './schema-pair.ts';
import { viewOf } from './view.ts';
import type { Difference } from './walk.ts';

type SchemaDocuments = Readonly<Record<Side, SchemaDocument>>;

/** Values that are tried for one change. */
const mostCandidates = 14;

const pool: readonly JsonValue[] = [null, 'a', 1, true, 1.5, '', [], {}, 0, -1, ['a'], { canary: 1 }, 'ü Ä-1', [1, 1]];

/** Whole values that may be accepted by this side and refused by the other, the likeliest first. */
export function candidatesFor(
  documents: SchemaDocuments,
  recorded: readonly JsonValue[],
  difference: Difference,
  side: Side,
): readonly JsonValue[] {
  const otherSide = side === 'before' ? 'after' : 'before';
  const document = documents[side];
  const other = documents[otherSide];
  const { steps } = difference.place;
  const [own, foreign] = [difference.schemas[side], difference.schemas[otherSide]];
  const example = exampleOf(document, own);
  const around = recorded.find((value) => accepts(document, document.root, value) !== false);
  const local = [
    ...(difference.probes?.() ?? []),
    example,
    ...formsOf(document, own),
    ...difference.place.sent.map(({ value }) => value),
    ...pool,
  ];
  return local
    .flatMap((value) => (isJsonObject(value) && isJsonObject(example) ? [{ ...example, ...value }, value] : [value]))
    .filter((value) => accepts(document, own, value) !== false && accepts(other, foreign, value) !== true)
    .filter((value) => meetsChange(difference, side, value))
    .slice(0, mostCandidates)
    .map((value) => embed(document, document.root, steps, value, around, side));
}

/** Keywords that alone say what of a value they refuse. */
const plainKeywords: ReadonlySet<string> = new Set([
  'exclusiveMaximum',
  'exclusiveMinimum',
  'maxItems',
  'maxLength',
  'maxProperties',
  'maximum',
  'minItems',
  'minLength',
  'minProperties',
  'minimum',
  'multipleOf',
  'pattern',
  'uniqueItems',
]);

/**
 * Whether a value is refused for what this change is about, as far as one keyword says: a text that is too short proves
 * nothing about the longest that is taken.
 */
function meetsChange(difference: Difference, side: Side, value: JsonValue): boolean {
  const { pointer, place } = difference;
  // Not a property of that name.
  const keyword = pointer.startsWith(`${place.pointer}/`) ? pointer.slice(place.pointer.length + 1) : '';
  const refusing = side === 'before' ? difference.after : difference.before;
  if (!plainKeywords.has(keyword) || refusing === null || isJsonArray(refusing)) return true;
  const demand = { [keyword]: refusing };
  return accepts(openDocument(demand, '2020-12'), demand, value) !== true;
}

/** One value for each form a schema offers. */
function formsOf(document: SchemaDocument, schema: JsonValue): readonly JsonValue[] {
  const { own } = viewOf(document, schema);
  return own.unions.flatMap(({ branches }) => branches.slice(0, 8).map((branch) => exampleOf(document, branch)));
}
