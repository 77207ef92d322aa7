import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareSchemas } from '../../src/compare/schema/compare-schemas.ts';
import { findDifferences } from '../../src/compare/schema/find-differences.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../src/json/json-value.ts';
import { ruleOf } from '../../src/rules/catalogue.ts';
import { findContradiction, findMirrorFault } from './check-law.ts';
import { documentArb, pairArb } from './generate-schemas.ts';

const pairOf = (before: JsonValue, after: JsonValue, direction: 'input' | 'output' = 'input') => ({
  direction,
  tool: 't',
  before,
  after,
  dialect: { before: '2020-12' as const, after: '2020-12' as const },
  recorded: [],
});
const loud = (before: JsonValue, after: JsonValue): readonly string[] =>
  (['input', 'output'] as const).flatMap((direction) =>
    compareSchemas(pairOf(before, after, direction))
      .filter((change) => (change.severity ?? ruleOf(change.rule).severity) !== 'info')
      .map((change) => `${change.rule} ${change.pointer}`),
  );

/** The same schema with members and set-like lists in the other order. */
function shuffle(value: JsonValue, key = ''): JsonValue {
  if (isJsonArray(value)) {
    const items = value.map((item) => shuffle(item));
    return ['required', 'enum', 'type', 'anyOf', 'allOf', 'oneOf'].includes(key) ? [...items].reverse() : items;
  }
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, inner]) => [name, shuffle(inner, name)]),
  );
}

/** The same schema with its definitions under other names. */
function renameDefinitions(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(renameDefinitions);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      if (key === '$ref' && typeof inner === 'string') return [key, inner.replace('#/$defs/', '#/definitions/other-')];
      if (key !== '$defs' || !isJsonObject(inner)) return [key, renameDefinitions(inner)];
      const renamed = Object.entries(inner).map(
        ([name, schema]) => [`other-${name}`, renameDefinitions(schema)] as const,
      );
      return ['definitions', Object.fromEntries(renamed)];
    }),
  );
}

/** The same schema with each reference that is no circle written out. */
function inline(root: JsonObject, value: JsonValue, open: readonly string[] = []): JsonValue {
  if (isJsonArray(value)) return value.map((item) => inline(root, item, open));
  if (!isJsonObject(value)) return value;
  const { $ref: reference, ...beside } = value;
  if (typeof reference === 'string' && reference !== '#' && !open.includes(reference)) {
    const definitions = root.$defs as JsonObject; // every document has them
    const target = inline(root, definitions[reference.slice('#/$defs/'.length)] ?? true, [...open, reference]);
    const rest = inline(root, beside, open);
    return Object.keys(beside).length === 0 ? target : { allOf: [target, rest] };
  }
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, inline(root, inner, open)]));
}

const runs = { seed: 20_260_731, numRuns: 200 };

describe('laws of the comparison', () => {
  it('a schema does not differ from itself', () => {
    fc.assert(
      fc.property(documentArb, (document) => {
        expect(compareSchemas(pairOf(document, structuredClone(document)))).toEqual([]);
      }),
      runs,
    );
  });

  it('order means nothing', () => {
    fc.assert(
      fc.property(documentArb, (document) => {
        expect(loud(document, shuffle(document))).toEqual([]);
      }),
      runs,
    );
  });

  it('where definitions stand and what they are called is at most worth telling', () => {
    fc.assert(
      fc.property(documentArb, (document) => {
        expect(loud(document, renameDefinitions(document))).toEqual([]);
      }),
      runs,
    );
  });

  it('a reference is what it stands for', () => {
    fc.assert(
      fc.property(documentArb, (document) => {
        // What a schema leaves to others cannot be said beside it.
        fc.pre(!JSON.stringify(document).includes('unevaluated'));
        expect(loud(document, inline(document, document))).toEqual([]);
      }),
      runs,
    );
  });

  it('no promise is contradicted by an instance', () => {
    fc.assert(
      fc.property(pairArb, ({ before, after }) => {
        expect(findContradiction(before, after)).toBeNull();
      }),
      { ...runs, numRuns: 120 },
    );
  });

  it('the way back turns the effect round', () => {
    const effect = (before: JsonValue, after: JsonValue) => {
      const found = findDifferences(pairOf(before, after));
      // What led nowhere is better than before once it leads somewhere.
      fc.pre(found.every((one) => one.kind !== 'reference-unresolved'));
      return { narrows: found.some((one) => one.narrows), widens: found.some((one) => one.widens) };
    };
    fc.assert(
      fc.property(pairArb, ({ before, after }) => {
        const [there, back] = [effect(before, after), effect(after, before)];
        expect({ narrows: back.widens, widens: back.narrows }).toEqual(there);
      }),
      runs,
    );
  });

  it('both directions see the same differences', () => {
    fc.assert(
      fc.property(pairArb, ({ before, after }) => {
        const effects = (direction: 'input' | 'output') => {
          const found = findDifferences(pairOf(before, after, direction));
          return [found.some((one) => one.narrows), found.some((one) => one.widens)];
        };
        expect(effects('output')).toEqual(effects('input'));
      }),
      runs,
    );
  });

  it('what breaks a caller breaks a reader on the way back, but for the listed exceptions', () => {
    fc.assert(
      fc.property(pairArb, ({ before, after }) => {
        expect(findMirrorFault(before, after)).toBeNull();
      }),
      { ...runs, numRuns: 400 },
    );
  });

  it('no finding has the identity of another one', () => {
    fc.assert(
      fc.property(pairArb, fc.constantFrom('input' as const, 'output' as const), ({ before, after }, direction) => {
        const changes = compareSchemas(pairOf(before, after, direction));
        const identities = changes.map((change) => `${ruleOf(change.rule).family} ${change.pointer}`);
        expect(new Set(identities).size).toBe(identities.length);
      }),
      runs,
    );
  });
});
