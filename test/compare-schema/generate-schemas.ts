import fc from 'fast-check';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../src/json/json-value.ts';

/** Schemas over few names and small values, so that made-up instances meet their demands often. */
export const names = ['a', 'b', 'x1'] as const;
const nameArb = fc.constantFrom(...names);
export const valueArb: fc.Arbitrary<JsonValue> = fc.constantFrom<JsonValue>(
  null,
  true,
  false,
  0,
  1,
  2,
  5,
  -1,
  1.5,
  '',
  'a',
  'b',
  'aa',
  'x1',
);
const countArb = fc.integer({ min: 0, max: 3 });
const boundArb = fc.constantFrom(-1, 0, 1, 1.5, 2, 5);
const typeArb = fc.constantFrom('null', 'boolean', 'integer', 'number', 'string', 'array', 'object');
const patternArb = fc.constantFrom('^a', 'a$', '^[a-z]+$', '^x');

const one = (keyword: string, arb: fc.Arbitrary<JsonValue>): fc.Arbitrary<JsonObject> =>
  arb.map((value) => ({ [keyword]: value }));

/** One keyword (or two that belong together) with whatever stands below it. */
const keywordArb = (schema: fc.Arbitrary<JsonValue>): fc.Arbitrary<JsonObject> =>
  fc.oneof(
    { weight: 6, arbitrary: one('type', fc.oneof(typeArb, fc.uniqueArray(typeArb, { minLength: 2, maxLength: 3 }))) },
    { weight: 2, arbitrary: one('enum', fc.uniqueArray(valueArb, { minLength: 1, maxLength: 4 })) },
    one('const', valueArb),
    one('minimum', boundArb),
    one('maximum', boundArb),
    one('exclusiveMinimum', boundArb),
    one('exclusiveMaximum', boundArb),
    one('multipleOf', fc.constantFrom(1, 2, 0.5)),
    one('minLength', countArb),
    one('maxLength', countArb),
    one('pattern', patternArb),
    one('minItems', countArb),
    one('maxItems', countArb),
    one('uniqueItems', fc.boolean()),
    { weight: 2, arbitrary: one('items', schema) },
    one('prefixItems', fc.array(schema, { minLength: 1, maxLength: 2 })),
    // Ajv takes an empty list for one that contains something where `prefixItems` stands beside a bare `contains`.
    schema.map((contains): JsonObject => ({ contains, minContains: 2 })),
    fc
      .tuple(schema, countArb, countArb)
      .map(([contains, minContains, maxContains]): JsonObject => ({ contains, minContains, maxContains })),
    // Without unevaluatedItems: beside a union Ajv does not see what the branches described.
    { weight: 5, arbitrary: one('properties', fc.dictionary(nameArb, schema, { minKeys: 1, maxKeys: 3 })) },
    { weight: 3, arbitrary: one('required', fc.uniqueArray(nameArb, { maxLength: 2 })) },
    { weight: 2, arbitrary: one('additionalProperties', fc.oneof(fc.constant(false), schema)) },
    one('patternProperties', fc.dictionary(patternArb, schema, { minKeys: 1, maxKeys: 2 })),
    one('propertyNames', schema),
    one('minProperties', countArb),
    one('maxProperties', countArb),
    one('dependentRequired', fc.dictionary(nameArb, fc.uniqueArray(nameArb, { maxLength: 2 }), { maxKeys: 2 })),
    one('dependentSchemas', fc.dictionary(nameArb, schema, { maxKeys: 1 })),
    one('unevaluatedProperties', fc.oneof(fc.constant(false), schema)),
    { weight: 2, arbitrary: one('anyOf', fc.array(schema, { minLength: 1, maxLength: 3 })) },
    { weight: 2, arbitrary: one('oneOf', fc.array(schema, { minLength: 1, maxLength: 3 })) },
    { weight: 2, arbitrary: one('allOf', fc.array(schema, { minLength: 1, maxLength: 2 })) },
    one('not', schema),
    fc
      .tuple(schema, schema, fc.boolean())
      .map(([condition, outcome, isThen]) => ({ if: condition, [isThen ? 'then' : 'else']: outcome })),
    { weight: 2, arbitrary: one('$ref', fc.constantFrom('#/$defs/d', '#/$defs/e', '#')) },
    one('nullable', fc.constant(true)),
  );

const schemaArb = (depth: number): fc.Arbitrary<JsonValue> => {
  const inner =
    depth === 0 ? fc.constantFrom<JsonValue>(true, {}, { type: 'string' }, { type: 'integer' }) : schemaArb(depth - 1);
  return fc.oneof(
    { weight: 1, arbitrary: fc.boolean() },
    {
      weight: 12,
      arbitrary: fc
        .array(keywordArb(inner), { minLength: 0, maxLength: 3 })
        .map((keywords): JsonObject => Object.assign({}, ...keywords) as JsonObject)
        // Ajv takes `nullable` beside a type only.
        .map(
          (schema): JsonObject =>
            'nullable' in schema && !('type' in schema) ? { ...schema, type: 'string' } : schema,
        ),
    },
  );
};

/** A whole document: a schema with two definitions its references can reach. Small ones show most. */
export const documentArb: fc.Arbitrary<JsonObject> = fc
  .tuple(fc.oneof(schemaArb(0), { weight: 3, arbitrary: schemaArb(1) }, schemaArb(2)), schemaArb(0), schemaArb(1))
  .map(([root, d, e]) => ({ ...(isJsonObject(root) ? root : { not: root === true ? {} : true }), $defs: { d, e } }));

/** What is done to one place of a document. */
interface Edit {
  readonly at: number;
  readonly how: 'replace' | 'add' | 'remove' | 'wrap';
  readonly by: JsonValue;
  readonly pick: number;
}

const editArb: fc.Arbitrary<Edit> = fc.record({
  at: fc.nat(200),
  how: fc.constantFrom(
    'replace' as const,
    'add' as const,
    'add' as const,
    'remove' as const,
    'remove' as const,
    'wrap' as const,
  ),
  by: schemaArb(1),
  pick: fc.nat(20),
});

const schemaIn = new Set([
  'additionalProperties',
  'contains',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
]);
const listIn = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const mapIn = new Set(['$defs', 'dependentSchemas', 'patternProperties', 'properties']);

/** Applies an edit to the schema that a walk through the document meets as number `at`. */
function applyEdit(root: JsonObject, edit: Edit): JsonObject {
  let count = 0;
  // Definitions are visited last, and mostly nothing refers to them.
  const { $defs, ...rest } = root;
  const total = edit.pick % 4 === 0 ? countSchemas(root) : countSchemas(rest);
  const wanted = edit.at % total;
  const visit = (schema: JsonValue): JsonValue => {
    const mine = count;
    count += 1;
    const inner = isJsonObject(schema)
      ? Object.fromEntries(
          Object.entries(schema).map(([key, value]) => {
            if (schemaIn.has(key)) return [key, visit(value)];
            if (listIn.has(key) && isJsonArray(value)) return [key, value.map(visit)];
            if (mapIn.has(key) && isJsonObject(value)) {
              return [key, Object.fromEntries(Object.entries(value).map(([name, item]) => [name, visit(item)]))];
            }
            return [key, value];
          }),
        )
      : schema;
    return mine === wanted ? change(inner, edit, mine === 0) : inner;
  };
  return visit({ ...rest, ...($defs === undefined ? {} : { $defs }) }) as JsonObject;
}

function countSchemas(schema: JsonValue): number {
  if (!isJsonObject(schema)) return 1;
  return Object.entries(schema).reduce((sum, [key, value]) => {
    if (schemaIn.has(key)) return sum + countSchemas(value);
    if (listIn.has(key) && isJsonArray(value)) return value.reduce((s: number, item) => s + countSchemas(item), sum);
    if (mapIn.has(key) && isJsonObject(value))
      return Object.values(value).reduce((s: number, item) => s + countSchemas(item), sum);
    return sum;
  }, 1);
}

function change(schema: JsonValue, { how, by, pick }: Edit, isRoot: boolean): JsonValue {
  const own = isJsonObject(schema) ? schema : {};
  const more = isJsonObject(by) ? by : {};
  const defs: JsonObject = isRoot && own.$defs !== undefined ? { $defs: own.$defs } : {};
  if (how === 'replace') return isRoot ? { ...more, ...defs } : by;
  if (how === 'add') return { ...own, ...more, ...defs };
  if (how === 'wrap') {
    const { $defs: _, ...bare } = own;
    return { [pick % 2 === 0 ? 'allOf' : 'anyOf']: [bare], ...defs };
  }
  const keys = Object.keys(own).filter((key) => key !== '$defs');
  const gone = keys[pick % Math.max(1, keys.length)];
  return Object.fromEntries(Object.entries(own).filter(([key]) => key !== gone));
}

/** A document and what a night made of it. */
export const pairArb: fc.Arbitrary<{ readonly before: JsonObject; readonly after: JsonObject }> = fc
  .tuple(documentArb, fc.array(editArb, { minLength: 1, maxLength: 3 }))
  .map(([before, edits]) => ({ before, after: edits.reduce(applyEdit, before) }));

/** Instances: scalars, and lists and objects of a few of them, two levels deep. */
export const instances: readonly JsonValue[] = makeInstances();

function makeInstances(): readonly JsonValue[] {
  const scalars: JsonValue[] = [
    null,
    true,
    false,
    0,
    1,
    2,
    5,
    6,
    -1,
    -2,
    1.5,
    0.5,
    '',
    'a',
    'b',
    'aa',
    'ab',
    'x1',
    'aaaa',
    'A',
  ];
  const lists: JsonValue[] = [[], ...scalars.map((item) => [item])];
  const pairs: JsonValue[] = fc.sample(fc.array(fc.constantFrom(...scalars), { minLength: 2, maxLength: 4 }), {
    numRuns: 40,
    seed: 7,
  });
  const inner: JsonValue[] = [...scalars, [], ['a'], [1, 1], {}, { a: 1 }, { a: 'a' }, { b: null }];
  const objects = fc.sample(
    fc.dictionary(fc.constantFrom('a', 'b', 'x1', 'x', 'aa', 'c'), fc.constantFrom<JsonValue>(...inner), {
      maxKeys: 3,
    }),
    { numRuns: 260, seed: 11 },
  );
  const nested: JsonValue[] = fc.sample(
    fc.array(fc.constantFrom<JsonValue>(...inner), { minLength: 1, maxLength: 3 }),
    { numRuns: 60, seed: 13 },
  );
  return [...scalars, ...lists, ...pairs, ...objects.map((object) => ({ ...object })), ...nested];
}
