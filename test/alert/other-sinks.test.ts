import { describe, expect, it } from 'vitest';
import { type AlertRequest, deliverAlerts } from '../../src/alert/deliver-alerts.ts';
import { limitWait } from '../../src/alert/sinks/octokit-client.ts';
import { readMemory } from '../../src/alert/streaks.ts';
import { defaultAlertSettings } from '../../src/config/alert-settings.ts';
import type { TargetReport } from '../../src/findings/report.ts';
import { finding, report, silent, target } from './reports.ts';

const drift = (given = {}) => [target('godaddy', { findings: [finding(given)] })];
const refuse = (): never => {
  throw new Error('no request was expected');
};

class Desk {
  memory: string | null = null;
  readonly posts: { readonly url: string; readonly body: string }[] = [];
  readonly slept: number[] = [];
  answers: (number | Error)[] = [];
  #night = 0;

  async run(
    targets: readonly TargetReport[],
    more: Partial<AlertRequest> = {},
    webhook: string | undefined = 'https://hooks.example/T0/secret',
  ) {
    this.#night += 1;
    return deliverAlerts({
      report: report(targets, { night: this.#night }),
      settings: { ...defaultAlertSettings, webhook: { variable: 'ALERT_WEBHOOK' } },
      configured: null,
      namespace: 'recordings/targets.yaml',
      sink: 'webhook',
      dryRun: false,
      version: '0.1.0',
      world: {
        fetch: (async (url: string, init: RequestInit) => {
          if (more.sink === 'json') return refuse();
          this.posts.push({ url: String(url), body: String(init.body) });
          const answer = this.answers.shift() ?? 200;
          if (answer instanceof Error) throw answer;
          return new Response(null, { status: answer });
        }) as typeof globalThis.fetch,
        clock: {
          now: () => 0,
          monotonic: () => 0,
          sleep: async (ms) => void this.slept.push(ms),
          after: () => () => undefined,
        },
        env: { webhook },
        memory: {
          read: async () => this.memory,
          write: async (text) => {
            this.memory = text;
          },
        },
      },
      ...more,
    });
  }
}

describe('the sink json', () => {
  it('gives every alert that stands, every night', async () => {
    const desk = new Desk();
    for (let n = 0; n < 2; n += 1) {
      const { output } = await desk.run(drift(), { sink: 'json' });
      const document = JSON.parse(output ?? '') as {
        alerts: { target: string; class: string; title: string; body: string }[];
      };
      expect(document).toMatchObject({
        formatVersion: 1,
        verdict: 'drifted',
        alerts: [{ target: 'godaddy', class: 'contract', title: '[mcp-canary] godaddy: 1 breaking contract change' }],
      });
      expect(document.alerts[0]?.body).not.toContain('<!--');
    }
    expect(JSON.parse((await desk.run([target('godaddy')], { sink: 'json' })).output ?? '')).toMatchObject({
      alerts: [],
    });
  });

  it('knows no caps: it sends no mail', async () => {
    const many = Array.from({ length: 30 }, (_, i) =>
      target(`server-${i}`, { findings: [finding({}, `server-${i}`)] }),
    );
    const { output } = await new Desk().run(many, { sink: 'json' });
    expect((JSON.parse(output ?? '') as { alerts: unknown[] }).alerts).toHaveLength(30);
  });

  it('remembers nights without a judgement', async () => {
    const desk = new Desk();
    const counts: number[] = [];
    for (let n = 0; n < 4; n += 1)
      counts.push(
        (JSON.parse((await desk.run([silent('godaddy')], { sink: 'json' })).output ?? '') as { alerts: unknown[] })
          .alerts.length,
      );
    expect(counts).toEqual([0, 0, 1, 1]);
  });

  it('prints nothing that a runner would obey', async () => {
    const { output } = await new Desk().run(drift({ after: ['\n::error::boom ##[error]boom'] }), { sink: 'json' });
    expect(output).not.toMatch(/^\s*::|##\[/m);
  });
});

describe('the sink webhook', () => {
  it('is told once of what stands, of a change, and of the end', async () => {
    const desk = new Desk();
    const sizes: number[] = [];
    for (const night of [
      [target('godaddy')],
      drift(),
      drift(),
      drift({ after: ['another'] }),
      [target('godaddy')],
      [target('godaddy')],
    ]) {
      await desk.run(night);
      sizes.push(desk.posts.length);
    }
    expect(sizes).toEqual([0, 1, 1, 2, 3, 3]);
    expect(JSON.parse(desk.posts[2]?.body ?? '')).toMatchObject({ alerts: [] });
  });

  it('tries again after no answer, 429 and 5xx, with growing pauses; what was not taken is told the next night', async () => {
    const desk = new Desk();
    desk.answers = [new Error('connect https://hooks.example/T0/secret'), 503, 204];
    await desk.run(drift());
    expect([desk.posts.length, desk.slept]).toEqual([3, [4_000, 16_000]]);
    const again = new Desk();
    again.answers = [500, 500, 500];
    await expect(again.run(drift())).rejects.toThrow('The webhook in ALERT_WEBHOOK answered 500.');
    await again.run(drift());
    expect(again.posts).toHaveLength(4);
  });

  it.each([
    [[404], /answered 404/],
    [[302], /answered 302/],
    [[new Error('https://hooks.example/T0/secret'), new Error('x'), new Error('x')], /did not answer/],
  ])('fails without telling its address: %s', async (answers, words) => {
    const desk = new Desk();
    desk.answers = answers;
    const error = await desk.run(drift()).then(refuse, (reason: Error) => reason);
    expect(error.message).toMatch(words);
    expect(String(error)).not.toContain('secret');
  });

  it.each(['http://hooks.example/x', 'ftp://x', 'nonsense'])('refuses the address %s', async (address) => {
    await expect(new Desk().run(drift(), {}, address)).rejects.toThrow('ALERT_WEBHOOK holds no https address');
  });

  it('needs an address', async () => {
    await expect(new Desk().run(drift(), {}, '')).rejects.toThrow('no webhook');
  });
});

describe('waiting for a rate limit', () => {
  const fault = (status: number, headers: Readonly<Record<string, string>>, message = '') => ({
    status,
    message,
    response: { headers },
  });
  it.each([
    ['retry-after', fault(403, { 'retry-after': '7' }), 0, 7_250],
    ['a reset', fault(403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1000' }), 0, 11_000],
    ['a reset that is over', fault(429, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '900' }), 0, 1_000],
    ['nothing: a minute', fault(403, {}, 'You have exceeded a secondary rate limit'), 0, 60_000],
    ['nothing again: longer', fault(429, {}), 2, 240_000],
    [
      'no limit at all',
      fault(403, { 'x-ratelimit-remaining': '4999' }, 'Resource not accessible by integration'),
      0,
      null,
    ],
    ['another fault', fault(502, { 'retry-after': '7' }), 0, null],
  ])('%s', (_, refused, round, wait) => {
    expect(limitWait(refused, round, 990_000)).toBe(wait);
  });
});

describe('the memory between runs', () => {
  it.each([
    null,
    '',
    '{',
    '[]',
    '{"formatVersion":2}',
    '{"formatVersion":1,"unavailable":{"a":{"runs":"x"}},"slow":[],"webhook":7}',
  ])('whatever is not ours is empty: %s', (text) => {
    expect(readMemory(text)).toEqual({ unavailable: new Map(), slow: new Map(), webhook: null });
  });
});
