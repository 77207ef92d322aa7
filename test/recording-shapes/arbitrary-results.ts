import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../src/json/json-value.ts';

// Few names and few words, so that generated values meet: shapes only become interesting where samples overlap.
const scalars = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.integer({ min: -3, max: 3 }),
  fc.constantFrom(0.5, 1e21, 725653563933458432n, -0),
  fc.constantFrom('', 'word', 'example.com', '2026-03-28T02:30:00Z', '2026-03-28', '10.00', '7', 'x://1', '192.0.2.1'),
);
const names = fc.constantFrom('a', 'b', 'c', 'type', 'kind', 'x.com', 'y.org', 'z.net', '2026-01-01', '__proto__');
const tags = fc.constantFrom(...Array.from({ length: 12 }, (_, i) => `T${i}`));

const { value } = fc.letrec<{ value: JsonValue; object: JsonObject; array: JsonValue[] }>((tie) => ({
  value: fc.oneof({ maxDepth: 4 }, scalars, tie('object'), tie('array')),
  array: fc.array(tie('value'), { maxLength: 4 }),
  object: fc
    .array(fc.tuple(names, fc.oneof({ weight: 3, arbitrary: tie('value') }, { weight: 1, arbitrary: tags })), {
      maxLength: 5,
    })
    .map((entries) => Object.fromEntries(entries)),
}));

export const values: fc.Arbitrary<JsonValue> = value;

const withoutBigInts = (one: JsonValue): boolean =>
  !/\d{17}/.test(String(JSON.stringify(one, (_, v) => (typeof v === 'bigint' ? '9'.repeat(18) : v))));

const blocks = fc.oneof(
  fc.constantFrom('plain', 'Error: no', '', '[1', '{"a":').map((text) => ({ type: 'text', text })),
  values.filter(withoutBigInts).map((one) => ({ type: 'text', text: JSON.stringify(one) })),
  fc.constantFrom('image/png', 'image/jpeg').map((mimeType) => ({ type: 'image', data: 'AA==', mimeType })),
  fc
    .constantFrom('https://a.example/1', 'https://b.example/2', 'file:///x')
    .map((uri) => ({ type: 'resource_link', uri, name: 'n' })),
  fc
    .constantFrom('a', 'b')
    .map((text) => ({ type: 'resource', resource: { uri: 'x://1', text, mimeType: 'text/plain' } })),
  fc.constant({ type: 'hologram' }),
);

/** Results of tools/call as servers give them, and a few that none should. */
export const results: fc.Arbitrary<JsonObject> = fc
  .record(
    {
      content: fc.array(blocks, { maxLength: 3 }),
      structuredContent: values,
      isError: fc.boolean(),
      _meta: fc.constantFrom<JsonObject>({}, { took: 3 }, { took: 'x', more: null }),
      resultType: fc.constantFrom('complete', 'complete', 'complete', 'input_required', 'deferred'),
      'x-took': fc.constantFrom<JsonValue>(1, 0.5, 'fast'),
    },
    { requiredKeys: ['content'] },
  )
  .map((result) => result as unknown as JsonObject);
