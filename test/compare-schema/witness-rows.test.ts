import { expect, it } from 'vitest';
import { compareSchemas, proveSchemaChanges } from '../../src/compare/schema/compare-schemas.ts';
import type { JsonObject, JsonValue } from '../../src/json/json-value.ts';
import { isJsonArray, member } from '../../src/json/json-value.ts';
import { createDirectValidator } from '../helpers/in-process-validator.ts';

const I = { type: 'integer' };
const uuid = '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$';

/** Changes of the argument `p`, beside an argument that is hard to make up. */
const around = (p: JsonValue, required: readonly string[] = ['id']): JsonObject => ({
  type: 'object',
  properties: { id: { type: 'string', pattern: uuid }, p },
  required,
  additionalProperties: false,
});

/** What the witness holds at `p`, which has to be refused for what the finding says, not for something beside it. */
it.each<[string, JsonValue, JsonValue, string, (value: JsonValue) => boolean]>([
  [
    'a text too long, where one too short is refused, too',
    { type: 'string' },
    { type: 'string', minLength: 1, maxLength: 10_000 },
    'input-max-length-lowered',
    (value) => typeof value === 'string' && value.length === 10_001,
  ],
  [
    'a text too short, where one too long is refused, too',
    { type: 'string' },
    { type: 'string', minLength: 2, maxLength: 5 },
    'input-min-length-raised',
    (value) => typeof value === 'string' && value.length < 2,
  ],
  [
    'too many numbers',
    { type: 'array', items: I, maxItems: 100 },
    { type: 'array', items: I, maxItems: 80, minItems: 1 },
    'input-max-items-lowered',
    (value) => isJsonArray(value) && value.length === 81,
  ],
  [
    'a number twice',
    { type: 'array', items: I },
    { type: 'array', items: I, uniqueItems: true, minItems: 1 },
    'input-unique-items-added',
    (value) => isJsonArray(value) && value.length === 2,
  ],
  [
    'too many members of a map',
    { type: 'object', additionalProperties: I },
    { type: 'object', additionalProperties: I, maxProperties: 9, minProperties: 2 },
    'input-max-properties-lowered',
    (value) => Object.keys(value as object).length === 10,
  ],
  [
    'a text of the pattern that is gone',
    { type: 'string', pattern: '^[a-z]{4,6}$' },
    { type: 'string', pattern: '^[A-Z]{4,6}$' },
    'input-pattern-changed',
    (value) => typeof value === 'string' && /^[a-z]{4,6}$/.test(value),
  ],
  [
    'an object without the new member, whatever its name',
    { type: 'object', properties: { a: I } },
    { type: 'object', properties: { a: I, pattern: { type: 'string' } }, required: ['pattern'] },
    'input-property-required-added',
    (value) => !Object.hasOwn(value as object, 'pattern'),
  ],
  [
    'a value that is no longer listed',
    { enum: ['com', 'net'] },
    { enum: ['com'] },
    'input-enum-value-removed',
    (value) => value === 'net',
  ],
])('the proof is %s', async (_, before, after, rule, holds) => {
  const pair = {
    direction: 'input' as const,
    tool: 'check',
    before: around(before),
    after: around(after),
    dialect: { before: '2020-12' as const, after: '2020-12' as const },
    recorded: [],
  };
  const changes = await proveSchemaChanges(pair, compareSchemas(pair), createDirectValidator());
  const witness = changes.find((change) => change.rule === rule)?.witness;
  if (witness === undefined) throw new Error('no witness');
  expect(witness.accepts).toBe('recorded');
  expect(holds(member(witness.value, 'p') ?? null)).toBe(true);
});
