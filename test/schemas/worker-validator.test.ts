import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isCanaryError } from '../../src/errors.ts';
import type { JsonValue } from '../../src/json/json-value.ts';
import type { Clock } from '../../src/ports.ts';
import { createWorkerValidator } from '../../src/schemas/worker-validator.ts';
import { systemClock } from '../../src/system-clock.ts';
import { buildSchemaWorker } from '../helpers/built-worker.ts';

let worker: Awaited<ReturnType<typeof buildSchemaWorker>>;
beforeAll(async () => {
  worker = await buildSchemaWorker();
});
afterAll(() => worker.remove());

/** The platform's timers, three times as fast where they are short. */
const hasty: Clock = { ...systemClock, after: (ms, act) => systemClock.after(ms > 10_000 ? ms : ms / 3, act) };
const hostile = { type: 'string', pattern: '^(a+)+$' };
const fatal = `${'a'.repeat(40)}!`;

describe('the validator in a worker', () => {
  it('starts with the first question and answers in order', async () => {
    const validator = createWorkerValidator(worker.url);
    const schema = { type: 'object', required: ['a'] };
    const verdicts = await Promise.all([
      validator.validate(schema, { a: 1 }),
      validator.validate(schema, {}),
      validator.check(schema),
    ]);
    expect(verdicts.map((verdict) => verdict.kind)).toEqual(['accepted', 'refused', 'accepted']);
    await validator.close();
  });

  it('takes an integer beyond 2^53 across', async () => {
    const validator = createWorkerValidator(worker.url);
    expect((await validator.validate({ type: 'integer' }, 725653563933458432n)).kind).toBe('accepted');
    await validator.close();
  });

  it('stops a pattern that hangs, and answers the next question in a new worker', async () => {
    const validator = createWorkerValidator(worker.url, hasty);
    const started = performance.now();
    const [late, next] = await Promise.all([
      validator.validate(hostile, fatal),
      validator.validate({ type: 'string' }, 'a'),
    ]);
    expect(late).toMatchObject({ kind: 'unknown', reason: 'timeout' });
    expect(next.kind).toBe('accepted');
    expect(performance.now() - started).toBeLessThan(5_000);
    await validator.close();
  });

  it('keeps a schema for the next question, and forgets the oldest of many', async () => {
    const validator = createWorkerValidator(worker.url);
    const schemas: JsonValue[] = Array.from({ length: 150 }, (_, least) => ({ type: 'integer', minimum: least }));
    const verdicts = [];
    for (const schema of [...schemas, ...schemas.slice(0, 3)]) verdicts.push(await validator.validate(schema, 200));
    expect(verdicts.every((verdict) => verdict.kind === 'accepted')).toBe(true);
    await validator.close();
  });

  it('says that it cannot start, rather than that it does not know', async () => {
    const validator = createWorkerValidator(new URL('file:///nowhere/schema-worker.js'));
    await expect(validator.validate(true, 1)).rejects.toSatisfy(
      (error) => isCanaryError(error) && error.code === 'internal',
    );
    await validator.close();
  });

  it('closes without ever having started, and twice', async () => {
    const validator = createWorkerValidator(worker.url);
    await validator.close();
    await validator.close();
    expect((await validator.validate(true, 1)).kind).toBe('unknown');
  });
});
