import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareShape } from '../../src/compare/results/compare-shape.ts';
import { shapeContext } from '../../src/compare/results/shape-context.ts';
import { deriveShape, deriveValueShape } from '../../src/recording/shape-derive.ts';
import { joinShapes } from '../../src/recording/shape-join.ts';
import { joinValueShapes } from '../../src/recording/shape-join-value.ts';
import { results, values } from '../recording-shapes/arbitrary-results.ts';
import { compareResults, countingValidator, told } from './comparing.ts';

const seeded = { seed: 20260731, numRuns: 150 };
const nowhere = shapeContext({ pins: [] }, [], null);

/** Rules that judge words and copies by the recorded result, not by what acceptances taught. */
const byRecording = /^result-(?:text-structured-mismatch|error-text-changed)/;

describe('comparing results', () => {
  it('finds nothing between a result and itself, and asks no validator', async () => {
    await fc.assert(
      fc.asyncProperty(results, async (result) => {
        const validator = countingValidator();
        const options = { validator, schema: { type: 'object', required: ['never'] } };
        expect(told(await compareResults(result, structuredClone(result), options))).toEqual([]);
        expect(validator.asked()).toBe(0);
      }),
      seeded,
    );
  });

  it('finds nothing where an acceptance joined the shapes', async () => {
    await fc.assert(
      fc.asyncProperty(results, results, async (a, b) => {
        const shape = joinShapes(deriveShape(a), deriveShape(b));
        const changes = [...(await compareResults(a, b, { shape })), ...(await compareResults(b, a, { shape }))];
        expect(told(changes).filter((line) => !byRecording.test(line))).toEqual([]);
      }),
      seeded,
    );
  });

  it('finds nothing in a value that its own shape, or a joined one, describes', () => {
    fc.assert(
      fc.property(values, values, (a, b) => {
        expect(compareShape(deriveValueShape(a), a, nowhere)).toEqual([]);
        const joined = joinValueShapes(deriveValueShape(a), deriveValueShape(b));
        expect([...compareShape(joined, a, nowhere), ...compareShape(joined, b, nowhere)]).toEqual([]);
      }),
      seeded,
    );
  });

  it('finds something wherever joining would teach the shape another type or member', () => {
    fc.assert(
      fc.property(values, values, (a, b) => {
        const shape = deriveValueShape(a);
        const found = compareShape(shape, b, nowhere);
        const isSilent = found.length === 0;
        // What is silent may still teach lengths, formats of numbers, and tags; never a type.
        if (isSilent) expect(typesIn(joinValueShapes(shape, deriveValueShape(b)))).toEqual(typesIn(shape));
      }),
      { ...seeded, numRuns: 500 },
    );
  });
});

/** The kinds a shape accepts at its top. */
const typesIn = (shape: ReturnType<typeof deriveValueShape>): readonly string[] => {
  const kinds = (shape.kind === 'union' ? shape.of : [shape]).map((one) => (one.kind === 'map' ? 'object' : one.kind));
  return [...new Set(kinds)].sort();
};
