import { afterAll, beforeAll, it } from 'vitest';
import { buildMeasure, expectBounded } from '../client/memory/expect-bounded.ts';
import { shapes } from '../client/memory/shapes.ts';

let program: Awaited<ReturnType<typeof buildMeasure>>;
beforeAll(async () => {
  program = await buildMeasure();
});
afterAll(() => program.remove());

// Each is a process of a second or two: the short form leaves none out.
it.each(Object.keys(shapes))('the memory is bounded that an answer takes: %s', (name) =>
  expectBounded(program.file, name),
);
