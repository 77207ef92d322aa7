import { describe, expect, it } from 'vitest';
import { createExchangeControl } from '../../src/client/exchange-control.ts';
import { guardOrigin } from '../../src/client/guards/guard-origin.ts';
import { createPaces, guardRate } from '../../src/client/guards/guard-rate.ts';
import { guardSize } from '../../src/client/guards/guard-size.ts';
import { guardTime } from '../../src/client/guards/guard-time.ts';
import type { Clock, FetchLike, FetchRequest, FetchResponse } from '../../src/ports.ts';
import { Secret } from '../../src/text/secret.ts';

const plain = { method: 'POST', headers: { Accept: '*/*' }, redirect: 'manual' } as const;
const request = (): FetchRequest => ({ ...plain, signal: new AbortController().signal });
const exchange = createExchangeControl;
const answer = (body: AsyncIterable<Uint8Array> | null = null): FetchResponse => ({
  status: 200,
  headers: { get: () => null, forEach: () => undefined },
  body,
});
const collect = async (response: FetchResponse): Promise<number> => {
  let bytes = 0;
  for await (const chunk of response.body ?? []) bytes += chunk.length;
  return bytes;
};
async function* chunks(sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  for (const size of sizes) yield new Uint8Array(size);
}

/** Time that passes when it is slept through, and no other. */
function manualClock(): Clock & { advance(ms: number): Promise<void> } {
  let now = 0;
  const sleepers: { at: number; wake: () => void }[] = [];
  return {
    now: () => now,
    monotonic: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        sleepers.push({ at: now + ms, wake: resolve });
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
      }),
    after: (ms, act) => {
      const sleeper = { at: now + ms, wake: act };
      sleepers.push(sleeper);
      return () => void sleepers.splice(sleepers.indexOf(sleeper), 1);
    },
    advance: async (ms) => {
      now += ms;
      for (const sleeper of sleepers.filter((each) => each.at <= now)) sleeper.wake();
      await new Promise((done) => setImmediate(done));
    },
  };
}

describe('guardOrigin', () => {
  const credentials = {
    bearer: new Secret('token-value-1', 'A'),
    headers: new Map([['X-Api-Key', new Secret('key-value-1', 'B')]]),
  };
  const seen: FetchRequest[] = [];
  const inner: FetchLike = async (_, sent) => {
    seen.push(sent);
    return answer();
  };

  it.each([
    ['https://a.example/mcp', 'https://a.example/mcp'],
    ['https://a.example/mcp', 'https://a.example:443/other?x=1'],
    ['http://127.0.0.1:8080/mcp', 'http://127.0.0.1:8080/mcp'],
    ['http://localhost/mcp', 'http://localhost/mcp'],
    ['http://[::1]:1/mcp', 'http://[::1]:1/mcp'],
  ])('%s lets %s through, with the credentials', async (configured, asked) => {
    seen.length = 0;
    await guardOrigin(inner, configured, credentials)(asked, request());
    expect(seen[0]).toMatchObject({
      redirect: 'manual',
      headers: { Accept: '*/*', Authorization: 'Bearer token-value-1', 'X-Api-Key': 'key-value-1' },
    });
  });

  it.each([
    ['https://a.example/mcp', 'https://b.example/mcp'],
    ['https://a.example/mcp', 'https://a.example.b.example/mcp'],
    ['https://a.example/mcp', 'https://a.example:444/mcp'],
    ['https://a.example/mcp', 'http://a.example/mcp'],
    ['http://a.example/mcp', 'http://a.example/mcp'],
    ['http://127.0.0.1.b.example/', 'http://127.0.0.1.b.example/'],
    ['https://user:pass@a.example/', 'https://user:pass@a.example/'],
    ['file:///etc/passwd', 'file:///etc/passwd'],
    ['nonsense', 'nonsense'],
  ])('%s refuses %s before anything is sent', async (configured, asked) => {
    seen.length = 0;
    await expect(guardOrigin(inner, configured, credentials)(asked, request())).rejects.toMatchObject({
      failure: 'refused',
    });
    expect(seen).toEqual([]);
  });
});

describe('guardSize', () => {
  it('counts what travels', async () => {
    const sized = (sizes: readonly number[]): Promise<number> =>
      guardSize(async () => answer(chunks(sizes)), 10)('x', request()).then(collect);
    expect(await sized([4, 6])).toBe(10);
    await expect(sized([4, 6, 1])).rejects.toMatchObject({ failure: 'too-large' });
    expect((await guardSize(async () => answer(), 10)('x', request())).body).toBeNull();
  });
});

describe('guardTime', () => {
  const never: FetchLike = () => new Promise(() => undefined);
  const limits = { firstByteMs: 30, requestMs: 60, deadline: 1_000 };

  it('ends what never begins, heeding no signal', async () => {
    const clock = manualClock();
    const asked = guardTime(never, limits, clock)('x', plain, exchange());
    const ended = expect(asked).rejects.toMatchObject({ failure: 'timeout', message: 'No answer began within 30 ms.' });
    await clock.advance(30);
    await ended;
  });

  it('ends a body that trickles', async () => {
    const clock = manualClock();
    async function* trickle(): AsyncGenerator<Uint8Array> {
      for (;;) {
        yield new Uint8Array(1);
        await clock.sleep(25);
      }
    }
    const read = guardTime(async () => answer(trickle()), limits, clock)('x', plain, exchange()).then(collect);
    const ended = expect(read).rejects.toMatchObject({
      failure: 'timeout',
      message: 'The answer was not complete within 60 ms.',
    });
    for (let step = 0; step < 4; step += 1) await clock.advance(25);
    await ended;
  });

  it('ends with the time of the target, with Ctrl-C, and with the caller', async () => {
    const clock = manualClock();
    await expect(guardTime(never, { ...limits, deadline: 0 }, clock)('x', plain, exchange())).rejects.toMatchObject({
      failure: 'timeout',
    });
    const late = expect(
      guardTime(never, { ...limits, firstByteMs: 500, requestMs: 500, deadline: 40 }, clock)('x', plain, exchange()),
    ).rejects.toMatchObject({ failure: 'timeout' });
    await clock.advance(40);
    await late;
    const stop = new AbortController();
    const canceled = expect(guardTime(never, limits, clock, stop.signal)('x', plain, exchange())).rejects.toMatchObject(
      {
        failure: 'canceled',
      },
    );
    stop.abort();
    await canceled;
    await expect(guardTime(never, limits, clock, stop.signal)('x', plain, exchange())).rejects.toMatchObject({
      failure: 'canceled',
    });
    const caller = exchange();
    const given = expect(guardTime(never, limits, clock)('x', plain, caller)).rejects.toBe('enough');
    caller.abort('enough');
    await given;
  });
});

describe('guardRate', () => {
  it('lets so many begin a second, in order', async () => {
    const clock = manualClock();
    const begun: string[] = [];
    const fetch = guardRate(
      async (url) => {
        begun.push(url);
        return answer();
      },
      { requestsPerSecond: 2, clock, deadline: 10_000 },
    );
    const all = Promise.all(['a', 'b', 'c', 'd', 'e'].map((url) => fetch(url, plain, exchange())));
    await clock.advance(0);
    expect(begun).toEqual(['a', 'b']);
    await clock.advance(999);
    expect(begun).toEqual(['a', 'b']);
    await clock.advance(1);
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
    await clock.advance(1_000);
    expect(begun).toHaveLength(5);
    await all;
  });

  it('does not wait for a turn that comes too late', async () => {
    const clock = manualClock();
    const fetch = guardRate(async () => answer(), { requestsPerSecond: 1, clock, deadline: 500 });
    await fetch('a', plain, exchange());
    await expect(fetch('b', plain, exchange())).rejects.toMatchObject({ failure: 'timeout' });
  });

  it('counts the others who go to the same origin, and those of another one not', async () => {
    const clock = manualClock();
    const paceOf = createPaces(clock);
    const begun: string[] = [];
    const client = (name: string, requestsPerSecond: number, origin: string) => {
      const options = { requestsPerSecond, clock, deadline: 10_000, pace: paceOf(origin) };
      const fetch = guardRate(async () => answer(), options);
      return fetch('x', plain, exchange()).then(() => begun.push(name));
    };
    const all = [client('a', 3, 'one'), client('b', 3, 'one'), client('slow', 1, 'one'), client('other', 1, 'two')];
    await clock.advance(0);
    expect(begun.sort()).toEqual(['a', 'b', 'other']);
    await clock.advance(1_000);
    expect(begun).toContain('slow');
    await Promise.all(all);
  });

  it('forgets the pace of an origin that has been quiet, not of one that is in use', async () => {
    const clock = manualClock();
    const paceOf = createPaces(clock);
    const [old, recent] = [paceOf('old'), paceOf('recent')];
    old.begun.push(clock.monotonic());
    await clock.advance(61_000);
    recent.begun.push(clock.monotonic());
    for (let n = 0; n < 1_000; n += 1) paceOf(`origin-${n}`);
    expect(paceOf('recent')).toBe(recent);
    expect(paceOf('old')).not.toBe(old);
  });
});
