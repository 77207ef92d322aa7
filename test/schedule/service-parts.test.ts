import { describe, expect, it } from 'vitest';
import type { Report } from '../../src/findings/report.ts';
import { runOf } from '../../src/schedule/check-due.ts';
import { createMemoryBook } from '../../src/schedule/memory-book.ts';
import { createServiceLog } from '../../src/schedule/service-log.ts';
import { countingSince } from '../../src/schedule/taken-up.ts';
import { tellRuns } from '../../src/schedule/tell-runs.ts';
import { Secret } from '../../src/text/secret.ts';
import { makeFinding, makeReport, makeTarget } from '../helpers/make-report.ts';

const nightly = { cron: '17 3 * * *', timezone: 'UTC' };
const at = (text: string): Date => new Date(text);

describe('the log of the service', () => {
  const secrets = [new Secret('correct-horse-battery', 'REGISTRAR_TOKEN'), new Secret('s3cret/with+signs==', 'OTHER')];
  const open = () => {
    const lines: string[] = [];
    const log = createServiceLog((line) => lines.push(line), { now: () => Date.parse('2026-11-30T03:17:00Z') });
    log.learn(secrets);
    return { log, lines };
  };

  it('is one JSON object a line, with the facts as members', () => {
    const { log, lines } = open();
    log.info('godaddy: steady', { target: 'godaddy', ms: 12 });
    log.warn('two\nlines');
    expect(lines.every((line) => line.endsWith('\n') && !line.slice(0, -1).includes('\n'))).toBe(true);
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      {
        level: 'info',
        time: '2026-11-30T03:17:00.000Z',
        name: 'mcp-canary',
        target: 'godaddy',
        ms: 12,
        msg: 'godaddy: steady',
      },
      { level: 'warn', time: '2026-11-30T03:17:00.000Z', name: 'mcp-canary', msg: 'two\nlines' },
    ]);
  });

  it.each([
    ['plain', (value: string) => value],
    ['percent-encoded', (value: string) => encodeURIComponent(value)],
    ['base64', (value: string) => Buffer.from(`a${value}`).toString('base64')],
    ['hex', (value: string) => Buffer.from(value).toString('hex')],
    ['JSON in JSON', (value: string) => JSON.stringify(JSON.stringify(value))],
    ['split by a line end', (value: string) => `${value.slice(0, 6)}\n${value.slice(6)}`],
  ])('never holds a secret: %s', (_, wrap) => {
    const { log, lines } = open();
    for (const secret of secrets) {
      log.info(`The server said: ${wrap(secret.reveal())}!`);
      log.warn('something', { [wrap(secret.reveal())]: wrap(secret.reveal()) });
    }
    expect(lines).toHaveLength(4);
    for (const line of lines) {
      expect(() => JSON.parse(line)).not.toThrow();
      for (const secret of secrets) expect(line).not.toContain(wrap(secret.reveal()).slice(2, -2));
    }
  });

  it('prints no secret that is handed to it by mistake', () => {
    const { log, lines } = open();
    log.info('oops', { token: secrets[0] as unknown as string });
    expect(lines[0]).toContain('[secret REGISTRAR_TOKEN]');
  });
});

describe('the id of a run', () => {
  it('is the same for whoever asks, and another one for each slot and schedule', () => {
    const slot = at('2026-11-30T03:17:00Z');
    expect(runOf(nightly, slot)).toBe(runOf({ ...nightly }, new Date(slot)));
    expect(runOf(nightly, slot)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(runOf(nightly, at('2026-12-01T03:17:00Z'))).not.toBe(runOf(nightly, slot));
    expect(runOf({ ...nightly, timezone: 'Europe/Berlin' }, slot)).not.toBe(runOf(nightly, slot));
  });
});

describe('when slots begin to count', () => {
  it('is after the last one, or when a service first saw the target, whoever asks later', async () => {
    const book = createMemoryBook(new Map([['old', '2026-11-29T03:17:00.000Z']]));
    const first = await countingSince(book, ['old', 'new'], at('2026-11-30T00:00:00Z'));
    expect(first).toEqual(
      new Map([
        ['old', at('2026-11-29T03:17:00Z')],
        ['new', at('2026-11-30T00:00:00Z')],
      ]),
    );
    const second = await countingSince(book, ['old', 'new', 'newer'], at('2026-11-30T12:00:00Z'));
    expect(second.get('new')).toEqual(at('2026-11-30T00:00:00Z'));
    expect(second.get('newer')).toEqual(at('2026-11-30T12:00:00Z'));
    await countingSince(book, ['old'], at('2026-12-01T00:00:00Z'));
    expect((await countingSince(book, ['new'], at('2026-12-02T00:00:00Z'))).get('new')).toEqual(
      at('2026-12-02T00:00:00Z'),
    );
  });

  it('does not mind what it cannot read', async () => {
    const book = createMemoryBook();
    await book.writeMemory('taken-up', '{"a": "yesterday", "b": 3}');
    expect((await countingSince(book, ['a', 'b'], at('2026-11-30T00:00:00Z'))).get('a')).toEqual(
      at('2026-11-30T00:00:00Z'),
    );
  });
});

describe('telling runs', () => {
  const slot = '2026-11-30T03:17:00.000Z';
  const part = (target: string, members: Partial<Report> = {}) =>
    makeReport([makeTarget({ target })], {
      run: runOf(nightly, new Date(slot)),
      startedAt: slot,
      finishedAt: '2026-11-30T03:18:00.000Z',
      ...members,
    });
  const options = (members: Partial<Parameters<typeof tellRuns>[1]> = {}) => ({
    schedules: [nightly],
    isDone: () => true,
    now: at('2026-11-30T03:19:00Z'),
    isLast: false,
    version: '1.2.3',
    failOn: 'breaking' as const,
    configured: ['a', 'b'],
    ...members,
  });
  const run = async (count: number, members = {}, canary: (n: number) => Partial<Report> = () => ({})) => {
    const book = createMemoryBook();
    for (let n = 0; n < count; n += 1) await book.keep(part(`t${n}`, canary(n)), slot);
    const told: Report[] = [];
    await tellRuns(book, options(members), async (report) => {
      told.push(report);
      return true;
    });
    return { told, left: await book.untoldRuns() };
  };

  it('makes one report of the parts of a run', async () => {
    const { told, left } = await run(3);
    expect(told).toHaveLength(1);
    expect(told[0]).toMatchObject({
      run: runOf(nightly, new Date(slot)),
      verdict: 'steady',
      configured: ['a', 'b'],
      summary: { targets: 3 },
    });
    expect(left).toEqual([]);
  });

  it('waits for the last target, but not for ever', async () => {
    expect((await run(1, { isDone: () => false })).told).toEqual([]);
    expect((await run(1, { schedules: [] })).told).toEqual([]);
    expect((await run(1, { isDone: () => false, now: at('2026-11-30T03:34:00Z') })).told).toHaveLength(1);
    expect((await run(1, { isDone: () => false, isLast: true })).told).toHaveLength(1);
  });

  it('tells a large run in several reports', async () => {
    const { told, left } = await run(1_201);
    expect(told.map(({ targets }) => targets.length)).toEqual([500, 500, 201]);
    expect(left).toEqual([]);
  });

  it('makes one overdue of many', async () => {
    const overdue = (n: number) => ({
      canary: [
        makeFinding({
          rule: 'canary-overdue',
          fingerprint: `${n}`.padStart(16, '0'),
          before: `2026-11-2${n}T03:17:00.000Z`,
          after: slot,
        }),
      ],
    });
    expect((await run(3, {}, overdue)).told[0]?.canary).toHaveLength(3);
    const [report] = (await run(9, {}, overdue)).told;
    expect(report?.canary).toMatchObject([{ rule: 'canary-overdue', before: '2026-11-20T03:17:00.000Z' }]);
  });
});
