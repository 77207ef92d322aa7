import { afterAll, beforeAll, describe, it } from 'vitest';
import { buildMeasure, expectBounded } from './expect-bounded.ts';

let program: Awaited<ReturnType<typeof buildMeasure>>;
beforeAll(async () => {
  program = await buildMeasure();
});
afterAll(() => program.remove());

describe('the memory that an answer at the ceilings takes', { concurrent: true }, () => {
  it.each(['small objects, each of another form', 'a gigabyte of zeros in gzip'])('is bounded: %s', (name) =>
    expectBounded(program.file, name),
  );
});
