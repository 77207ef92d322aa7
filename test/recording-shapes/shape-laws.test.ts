import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/json/json-value.ts';
import type { ResultShape } from '../../src/recording/result-shape.ts';
import { deriveShape } from '../../src/recording/shape-derive.ts';
import { joinShapes, shapeAccepts } from '../../src/recording/shape-join.ts';
import { shapeFromJson, shapeToJson } from '../../src/recording/shape-json.ts';
import { results } from './arbitrary-results.ts';

const seeded = { seed: 20260731, numRuns: 200 };
const text = (shape: ResultShape): string => JSON.stringify(shapeToJson(shape));

describe('joining shapes', () => {
  it('is idempotent', () => {
    fc.assert(
      fc.property(results, (result) => {
        const shape = deriveShape(result);
        expect(text(joinShapes(shape, shape))).toBe(text(shape));
      }),
      seeded,
    );
  });

  it('is commutative', () => {
    fc.assert(
      fc.property(results, results, (a, b) => {
        const [x, y] = [deriveShape(a), deriveShape(b)];
        expect(text(joinShapes(x, y))).toBe(text(joinShapes(y, x)));
      }),
      seeded,
    );
  });

  it('is associative', () => {
    fc.assert(
      fc.property(results, results, results, (a, b, c) => {
        const [x, y, z] = [deriveShape(a), deriveShape(b), deriveShape(c)];
        expect(text(joinShapes(joinShapes(x, y), z))).toBe(text(joinShapes(x, joinShapes(y, z))));
      }),
      seeded,
    );
  });

  it('accepts both sides', () => {
    fc.assert(
      fc.property(results, results, (a, b) => {
        const joined = joinShapes(deriveShape(a), deriveShape(b));
        expect(shapeAccepts(joined, deriveShape(a))).toBe(true);
        expect(shapeAccepts(joined, deriveShape(b))).toBe(true);
      }),
      seeded,
    );
  });

  it('survives the way to disk and back', () => {
    fc.assert(
      fc.property(results, results, (a, b) => {
        const shape = joinShapes(deriveShape(a), deriveShape(b));
        const written = JSON.stringify(shapeToJson(shape));
        expect(text(shapeFromJson(JSON.parse(written) as JsonValue))).toBe(written);
      }),
      seeded,
    );
  });

  it('does not depend on the order of members', () => {
    const backwards = (value: JsonValue): JsonValue => {
      if (Array.isArray(value)) return value.map((item: JsonValue) => backwards(item));
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([key, one]) => [key, backwards(one)]),
      );
    };
    fc.assert(
      fc.property(results, (result) => {
        expect(text(deriveShape(backwards(result) as JsonObject))).toBe(text(deriveShape(result)));
      }),
      seeded,
    );
  });
});
