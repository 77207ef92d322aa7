import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { limits, targetLimits } from '../../../src/limits.ts';
import type { CeilingCases } from './cases.ts';
import { endless, expectFailure, json, letPass, meet, message, openAgainst, sse } from './hostile-fetch.ts';

const never = (): Promise<never> => new Promise(() => undefined);
const list = 'tools/list';
/** Only this step is hostile. */
const at =
  (step: string, hostile: Parameters<typeof meet>[1]): Parameters<typeof meet>[1] =>
  (asked) =>
    asked.method === step ? hostile(asked) : null;
const tooLarge = async (body: Parameters<typeof meet>[1], more: Parameters<typeof meet>[2] = {}): Promise<void> => {
  // Time stands still: unpacking is done by other threads.
  const met = await meet(list, at(list, body), more, 0);
  expectFailure(met, 'too-large');
  expect(met.outcome).toMatchObject({ breaches: [{ code: 'response-too-large' }] });
};
const tool = (name: string): object => ({ name, inputSchema: { type: 'object' } });

/** What a server over HTTP can do against each ceiling. */
export const httpCases: CeilingCases = {
  firstByteMs: {
    'never answers': async () => expectFailure(await meet(list, at(list, never)), 'timeout', targetLimits.firstByteMs),
  },
  requestMs: {
    'sends one byte a second': async () => {
      const body = at(list, ({ clock }) => ({ body: endless(() => ' ', clock, 1_000) }));
      expectFailure(await meet(list, body), 'timeout', targetLimits.requestMs);
    },
    'sends a heartbeat a second and no answer': async () => {
      const body = at(list, ({ clock }) => ({ headers: sse, body: endless(() => ': hb\n\n', clock, 1_000) }));
      expectFailure(await meet(list, body), 'timeout', targetLimits.requestMs);
    },
  },
  targetMs: {
    'takes 20 seconds for each of many pages': async () => {
      const met = await meet(
        list,
        at(list, async (asked) => {
          await asked.clock.sleep(20_000);
          return { body: message(asked, { tools: [tool(`t${asked.nth}`)], nextCursor: `c${asked.nth}` }) };
        }),
      );
      expectFailure(met, 'timeout', targetLimits.targetMs);
      expect(met.asked.length).toBeLessThan(12);
    },
  },
  bodyBytes: {
    'sends zeros in gzip': async () => {
      const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
      await tooLarge(() => ({ headers: { ...json, 'content-encoding': 'gzip' }, body: bomb }));
    },
    'sends blanks without end': async () => {
      const seen = { bytes: 0 };
      await tooLarge(() => ({ body: endless(() => ' '.repeat(65_536), null, 0, seen) }));
      expect(seen.bytes).toBeLessThan(1.1 * targetLimits.bodyBytes);
    },
    'sends an event stream of heartbeats without end': async () => {
      const seen = { bytes: 0 };
      await tooLarge(() => ({ headers: sse, body: endless(() => ': hb\n\n'.repeat(10_000), null, 0, seen) }));
      expect(seen.bytes).toBeLessThan(1.1 * targetLimits.bodyBytes);
    },
    'sends an event whose data lines do not end': () =>
      tooLarge(() => ({ headers: sse, body: endless(() => 'data: [1,\n'.repeat(10_000)) })),
  },
  nodes: {
    'sends 8 MiB of empty objects': () =>
      tooLarge((asked) => ({ body: message(asked, 'X').replace('"X"', `[${'{},'.repeat(2_796_000)}{}]`) })),
    'sends them in an event': () => tooLarge(() => ({ headers: sse, body: `data: [${'{},'.repeat(600_000)}{}]\n\n` })),
  },
  depth: {
    'nests 100,000 arrays': () => tooLarge(() => ({ body: `${'['.repeat(100_000)}${']'.repeat(100_000)}` })),
    'nests 100,000 objects': () => tooLarge(() => ({ body: `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}` })),
  },
  pages: {
    'has 10,000 pages': async () => {
      const met = await meet(
        list,
        at(list, (asked) => ({
          body: message(asked, { tools: [tool(`t${asked.nth}`)], nextCursor: `c${asked.nth}` }),
        })),
        { targetMs: 60_000 },
      );
      expect(met.outcome).toMatchObject({
        failure: { class: 'protocol' },
        breaches: [{ code: 'tools-pagination-loop' }],
      });
      expect(met.asked.filter(({ method }) => method === list)).toHaveLength(targetLimits.pages);
    },
  },
  tools: {
    'lists 100,000 tools': () =>
      tooLarge((asked) => ({
        body: message(asked, { tools: Array.from({ length: 100_000 }, (_, nth) => ({ name: `t${nth}` })) }),
      })),
    'lists 2,000 tools on each page': () =>
      tooLarge((asked) => ({
        body: message(asked, {
          tools: Array.from({ length: 2_000 }, (_, nth) => ({ name: `t${asked.nth}-${nth}` })),
          nextCursor: `c${asked.nth}`,
        }),
      })),
  },
  messages: {
    'sends notifications without end': () =>
      tooLarge(() => ({
        headers: sse,
        body: endless(() => 'data: {"jsonrpc":"2.0","method":"notifications/message"}\n\n'.repeat(100)),
      })),
    'sends events without end that are no JSON': () =>
      tooLarge(() => ({ headers: sse, body: endless(() => 'data: x\n\n'.repeat(1_000)) })),
  },
  requestsPerSecond: {
    'makes us page as fast as we can': async () => {
      const met = await meet(
        list,
        at(list, (asked) => ({
          body: message(asked, { tools: [tool(`t${asked.nth}`)], nextCursor: `c${asked.nth}` }),
        })),
        { requestsPerSecond: 10 },
        100,
      );
      for (const [nth, { at: then }] of met.asked.entries())
        expect(then - (met.asked[nth - 10]?.at ?? Number.NEGATIVE_INFINITY)).toBeGreaterThanOrEqual(1_000);
    },
  },
  retryAfterMs: {
    'asks for a day': async () => {
      const met = await meet(
        list,
        at(list, () => ({ status: 429, headers: { 'retry-after': '86400' } })),
      );
      expectFailure(met, 'rate-limited');
      expect(met.asked.filter(({ method }) => method === list)).toHaveLength(1);
    },
    'asks for all the time there may be, again and again': async () => {
      const after = String(limits.retryAfterMs / 1_000);
      const met = await meet(
        list,
        at(list, () => ({ status: 429, headers: { 'retry-after': after } })),
      );
      expectFailure(met, 'rate-limited', limits.retryAfterMs);
      expect(met.asked.filter(({ method }) => method === list)).toHaveLength(2);
    },
  },
  retryAfterDefaultMs: {
    'asks for no time at all': async () => {
      for (const header of ['soon', '-1', '1e9', 'Thu, 01 Jan 1970 00:00:00 GMT', '99999999999999999999999 ms']) {
        const met = await meet(
          list,
          at(list, ({ nth }) => (nth === 1 ? { status: 429, headers: { 'retry-after': header } } : null)),
        );
        expect([met.outcome.kind, met.tookMs]).toEqual(['answered', limits.retryAfterDefaultMs]);
      }
    },
  },
  sessionEndMs: {
    'never answers the end of its session': async () => {
      const { client, clock } = openAgainst((asked) =>
        asked.http === 'DELETE'
          ? never()
          : asked.method === 'initialize'
            ? {
                headers: { ...json, 'mcp-session-id': 'a-session-of-ours' },
                body: message(asked, { protocolVersion: '2025-11-25' }),
              }
            : null,
      );
      await letPass(clock, client.initialize());
      const [notes, tookMs] = await letPass(clock, client.close(), 100);
      expect([notes.map(({ code }) => code), tookMs]).toEqual([['session-end-unanswered'], limits.sessionEndMs]);
    },
  },
  sideBodyBytes: {
    'sends an error page without end': async () => {
      for (const page of ['<p>', 'no ', '{"a":']) {
        const seen = { bytes: 0 };
        const body = at(list, () => ({ status: 500, body: endless(() => page.repeat(1_000), null, 0, seen) }));
        expectFailure(await meet(list, body), 'server-error', limits.sideBodyMs);
        expect(seen.bytes).toBeLessThan(2 * limits.sideBodyBytes);
      }
    },
    'sends a page without end in place of an answer': async () => {
      const seen = { bytes: 0 };
      const body = at(list, () => ({ body: endless(() => '<html>'.padEnd(5_000, 'x'), null, 0, seen) }));
      expectFailure(await meet(list, body), 'blocked');
      expect(seen.bytes).toBeLessThan(3 * limits.sideBodyBytes);
    },
  },
  sideBodyMs: {
    'lets an error page trickle': async () => {
      const body = at(list, ({ clock }) => ({ status: 502, body: endless(() => 'x', clock, 100) }));
      expectFailure(await meet(list, body, {}, 100), 'server-error', limits.sideBodyMs);
    },
    'lets the answer to the notification trickle': async () => {
      const { client, clock } = openAgainst(({ method, clock: time }) =>
        method === 'notifications/initialized' ? { status: 200, body: endless(() => ' ', time, 100) } : null,
      );
      await letPass(clock, client.initialize());
      const [outcome, tookMs] = await letPass(clock, client.notifyInitialized(), 100);
      expect([outcome.kind, tookMs]).toEqual(['answered', limits.sideBodyMs]);
    },
  },
  silenceMs: {
    'never ends its body, its event or its line': async () => {
      for (const wrap of ['X', 'data: X', 'data: X\n', 'data:X\r']) {
        const body = at(list, (asked) => ({
          headers: wrap === 'X' ? json : sse,
          body: (async function* () {
            yield Buffer.from(wrap.replace('X', message(asked, { tools: [tool('echo')] })));
            await never();
          })(),
        }));
        const met = await meet(list, body, {}, 100);
        expect(met.outcome.kind).toBe('answered');
        expect(met.tookMs).toBeLessThanOrEqual(limits.silenceMs + 100);
      }
    },
  },
  lastBytesMs: {
    'goes on behind its answer': async () => {
      const body = at(list, (asked) => ({
        headers: sse,
        body: (async function* () {
          yield Buffer.from(`data: ${message(asked, { tools: [tool('echo')] })}\n\n`);
          yield* endless(() => ': hb\n\n', asked.clock, 10);
        })(),
      }));
      const met = await meet(list, body, {}, 10);
      expect(met.outcome.kind).toBe('answered');
      expect(met.tookMs).toBeLessThanOrEqual(limits.lastBytesMs);
    },
    'sends without end behind its answer': async () => {
      const seen = { bytes: 0 };
      const body = at(list, (asked) => ({
        headers: sse,
        body: (async function* () {
          yield Buffer.from(`data: ${message(asked, { tools: [tool('echo')] })}\n\n`);
          yield* endless(() => ': hb\n\n'.repeat(1_000), null, 0, seen);
        })(),
      }));
      expect((await meet(list, body)).outcome.kind).toBe('answered');
      expect(seen.bytes).toBeLessThan(2 * limits.sideBodyBytes);
    },
  },
  resumeWaitMs: {
    'asks for years before its stream is resumed': async () => {
      const met = await meet(list, (asked) => {
        if (asked.http === 'GET')
          return { headers: sse, body: `data: ${message({ ...asked, id: 500_003 }, { tools: [] })}\n\n` };
        return asked.method === list ? { headers: sse, body: 'id: e1\nretry: 99999999999\ndata:\n\n' } : null;
      });
      expect([met.outcome.kind, met.notes, met.tookMs]).toEqual(['answered', ['stream-resumed'], limits.resumeWaitMs]);
    },
  },
  serverRequests: {
    'pings without end': async () => {
      const met = await meet(
        list,
        at(list, () => ({
          headers: sse,
          body: endless((nth) => `data: {"jsonrpc":"2.0","id":${nth},"method":"ping"}\n\n`),
        })),
        { requestsPerSecond: 20 },
      );
      expectFailure(met, 'too-large', 10_000);
      await letPass(met.clock, met.client.close());
      expect(
        met.asked.filter(({ http, method }) => http === 'POST' && method === undefined).length,
      ).toBeLessThanOrEqual(limits.serverRequests);
    },
  },
  listBodies: {
    'fills each of its pages': async () => {
      const bodyBytes = 100_000;
      const page = 'x'.repeat(bodyBytes - 1_000);
      let pages = 0;
      await tooLarge(
        (asked) => {
          pages = asked.nth;
          return { body: message(asked, { tools: [{ name: `t${asked.nth}` }], nextCursor: `c${asked.nth}`, page }) };
        },
        { bodyBytes },
      );
      expect(pages).toBe(limits.listBodies + 1);
    },
    'fills each of its pages with small values': async () => {
      const nodes = 10_000;
      let pages = 0;
      await tooLarge(
        (asked) => {
          pages = asked.nth;
          const entry = { name: `t${asked.nth}`, values: Array.from({ length: nodes - 100 }, () => 0) };
          return { body: message(asked, { tools: [entry], nextCursor: `c${asked.nth}` }) };
        },
        { nodes },
      );
      expect(pages).toBe(limits.listBodies + 1);
    },
  },
  contentCodings: {
    'encodes four times over': async () => {
      const body = at(list, () => ({ headers: { ...json, 'content-encoding': 'gzip, gzip, gzip, gzip' }, body: 'x' }));
      expectFailure(await meet(list, body), 'undecodable');
    },
    'hides gigabytes of nothing in the second of two codings': async () => {
      // Empty blocks unpack to nothing, so the reader would never see a byte of them.
      const nothing = gzipSync(Buffer.alloc(100_000_000, Buffer.from('000000ffff', 'hex')));
      await tooLarge(() => ({ headers: { ...json, 'content-encoding': 'deflate, gzip' }, body: nothing }));
    },
  },
  numberDigits: {
    'counts to 10^1001': () =>
      tooLarge((asked) => ({ body: message(asked, { tools: [], n: 'N' }).replace('"N"', '1e1001') })),
    'writes a number of a megabyte': () =>
      tooLarge((asked) => ({ body: message(asked, { tools: [], n: 'N' }).replace('"N"', '9'.repeat(1_000_000)) })),
  },
  secretCharacters: {
    'mints a session id of one letter': async () => {
      const { client, clock } = openAgainst((asked) =>
        asked.method === 'initialize'
          ? { headers: { ...json, 'mcp-session-id': 'a' }, body: message(asked, { protocolVersion: '2025-11-25' }) }
          : null,
      );
      await letPass(clock, client.initialize());
      // It would be "found" in every text.
      expect(client.secrets()).toEqual([]);
    },
  },
};
