import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { CanaryError } from '../../src/errors.ts';
import type { History } from '../../src/history/history.ts';
import { openHistory } from '../../src/history/open-history.ts';
import { reportJsonSchema } from '../../src/report/report-schema.ts';
import { type RunningPage, servePage } from '../../src/schedule/serve-page.ts';
import type { WatchFacts } from '../../src/schedule/standing.ts';
import { makeReport, makeTarget } from '../helpers/make-report.ts';
import { representativeReport } from '../helpers/representative-report.ts';
import { keepNights } from '../page/nights.ts';
import { addressesOf, readPage, wordsOf } from '../page/read-page.ts';
import { request } from '../stand-in/raw-http.ts';
import { readExposition } from './exposition.ts';

const nightly = { cron: '17 3 * * *', timezone: 'UTC' };
const facts: WatchFacts = {
  version: '0.1.0',
  failOn: 'breaking',
  targets: [
    { id: 'godaddy', registrar: 'GoDaddy', schedule: nightly },
    { id: 'porkbun', registrar: 'Porkbun', schedule: nightly },
    { id: 'vercel', registrar: 'Vercel', schedule: nightly },
    { id: 'later', registrar: null, schedule: null },
  ],
};

const platform = { Request: globalThis.Request, Response: globalThis.Response };
let folder: string;
let history: History;
let server: RunningPage;
let now = Date.parse('2026-11-02T08:00:00Z');
let time = 0;
const warnings: string[] = [];
const ports = () => ({
  past: history,
  facts: () => facts,
  clock: { now: () => now, monotonic: () => time },
  log: { warn: (message: string) => void warnings.push(message) },
});
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'mcp-canary-page-'));
  history = await openHistory({ kind: 'file', file: path.join(folder, 'history.db') });
  await keepNights(history);
  server = await servePage({ port: 0 }, ports());
});
afterAll(async () => {
  await server.close();
  await history.close();
  await rm(folder, { recursive: true });
});

it('leaves the platform as it was', () => {
  expect({ Request: globalThis.Request, Response: globalThis.Response }).toEqual(platform);
});

interface Got {
  readonly status: number;
  readonly headers: Headers;
  readonly page: string;
  /** Without its markup. */
  readonly words: string;
}
const get = async (at: string, method = 'GET'): Promise<Got> => {
  // Each question is a new one: nothing is remembered from the one before.
  time += 60_000;
  const response = await fetch(new URL(at, server.url), { method });
  const page = await response.text();
  return { status: response.status, headers: response.headers, page, words: wordsOf(page) };
};

/** The status where the Host is another than the address. */
const statusFor = async (host: string, at = server.url): Promise<number> =>
  (await request(at, 'GET', { Host: host, Connection: 'close' })).status;

describe('the overview', () => {
  it('says how everything stands, what broke first, and when the next run is', async () => {
    const { status, words, page } = await get('/');
    expect(status).toBe(200);
    expect(words).toContain('1 of 4 targets drifted, 1 could not be judged, 1 not looked at.');
    expect(words).toContain('Last run 2026-11-02 03:17, took 4.2 s. Next run 2026-11-03 03:17.');
    const broken = wordsOf(/<h2 id="broken">([\s\S]*?)<\/section>/.exec(page)?.[1] ?? '');
    expect(broken).toMatch(/2026-10-30 03:17 3 days first godaddy breaking 2 tools disappeared/);
    expect(broken.indexOf('2026-10-30')).toBeLessThan(broken.indexOf('2026-11-01'));
    expect(broken).toContain('porkbun inconclusive could not be judged: rate-limited');
    expect(words).toContain('About the canary itself waiver-stale: A waiver for');
    for (const address of addressesOf(readPage(page)))
      expect(address).toMatch(
        /^(?:\.\/|#content|targets\/[a-z]+|assets\/page-[0-9a-f]{12}\.css|api\/report\.json|metrics|data:image\/svg\+xml,.*)$/,
      );
  });

  it('tells by day what it was like', async () => {
    const labels = readPage((await get('/')).page).flatMap(({ name, attributes }) =>
      name === 'svg' ? (attributes['aria-label'] ?? []) : [],
    );
    expect(labels).toContain('Last 90 days: 4 days drifted (last 2026-11-02), 84 days steady, 2 days without a run.');
    expect(labels).toContain('Last 90 days: 90 days without a run.');
  });

  it('shows the part that is asked for, and no other', async () => {
    const rowsOf = async (query: string): Promise<readonly string[]> =>
      addressesOf(readPage((await get(`/?${query}`)).page.replace(/<h2 id="broken">[\s\S]*?<\/table>/, ''))).flatMap(
        (one) => /^targets\/(.*)$/.exec(one)?.[1] ?? [],
      );
    expect(await rowsOf('state=steady')).toEqual(['vercel']);
    expect(await rowsOf('find=GODADDY')).toEqual(['godaddy']);
    expect(await rowsOf('find=%3Cscript%3E')).toEqual([]);
    expect(await rowsOf('state=nonsense&page=9e99')).toEqual(['godaddy', 'porkbun', 'later', 'vercel']);
    expect((await get('/?find=%22%3E%3Cscript%3E')).page).toContain('value="&quot;&gt;&lt;script&gt;"');
  });

  it('does not call a target steady that was not looked at when it should have been', async () => {
    now = Date.parse('2026-11-03T03:00:00Z');
    expect((await get('/')).words).not.toContain('overdue');
    now = Date.parse('2026-11-03T04:30:00Z');
    const { words } = await get('/');
    expect(words).toContain('1 not looked at, 3 overdue.');
    expect(words).toContain('steady overdue');
    now = Date.parse('2026-11-02T08:00:00Z');
  });
});

describe('the page of a target', () => {
  it('shows findings with before and after, and its past', async () => {
    const { status, page, words } = await get('/targets/godaddy');
    expect(status).toBe(200);
    readPage(page);
    expect(words).toContain('drifted since 2026-10-30 03:17, 3 days last steady 2026-10-29 03:17');
    expect(page).toContain('<del>− Prices are in USD.</del>');
    expect(words).toMatch(/tool-removed · In transfer_status, whois · first seen 2026-10-30 03:17/);
    expect(words).toMatch(
      /Contract over time .* 2026-10-30 03:17 b{12} other than a{12}, which was recorded until now, 3 days *2026-08-05 03:17 a{12} as recorded 86 days/,
    );
    expect(words).toMatch(/Findings over time .* 2026-11-01 03:17 open security/);
    expect(words).toContain('23 earlier runs');
    expect(page.match(/data-ms="/g)?.length).toBeGreaterThan(160);
    for (const address of addressesOf(readPage(page)))
      expect(address).toMatch(
        /^(?:\.\.\/|#content|\.\.\/assets\/(?:page|plot)-[0-9a-f]{12}\.(?:css|js)|\.\.\/api\/report\.json|\.\.\/metrics|data:image\/svg\+xml,.*)$/,
      );
  });

  it('says of a target that could not be judged why, and what still holds', async () => {
    const { words } = await get('/targets/porkbun');
    expect(words).toContain('Could not be judged: rate-limited');
    expect(words).toContain('HTTP 429, Retry-After 3600');
    expect((await get('/targets/later')).words).toContain('not looked at');
  });

  it.each([
    '/targets/nobody',
    '/targets/%3Cscript%3E',
    '/targets/..%2f..%2fetc',
    '/targets/',
    '/x/y/z',
    '/assets/page.css',
  ])('is not there: %s', async (at) => {
    const { status, page, words } = await get(at);
    expect(status).toBe(404);
    readPage(page);
    expect(words).toContain('There is no such page.');
  });
});

describe('every answer', () => {
  it.each(['/', '/targets/godaddy', '/nowhere', '/healthz', '/readyz', '/metrics', '/api/report.json'])(
    '%s is guarded',
    async (at) => {
      const { headers } = await get(at);
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toMatch(
        /^default-src 'none'; style-src 'self'; script-src 'self'; img-src data:; form-action 'self'; base-uri 'none';/,
      );
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain('unsafe');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('cache-control')).toBe('no-store');
    },
  );

  it('is read with GET or HEAD', async () => {
    expect((await get('/', 'HEAD')).status).toBe(200);
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const { status, headers } = await get('/', method);
      expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    }
  });

  it('goes to this machine under its own names only', async () => {
    const { port } = new URL(server.url);
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`])
      expect(await statusFor(host)).toBe(200);
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      'localhost.evil.example',
      '127.0.0.1.evil.example',
      '0.0.0.0',
    ])
      expect(await statusFor(host), host).toBe(403);
    const other = await servePage({ port: 0, allowHosts: ['canary.example'] }, ports());
    expect(await statusFor('canary.example', other.url)).toBe(200);
    expect(await statusFor('evil.example', other.url)).toBe(403);
    await other.close();
  });

  it('keeps its own files for good: their names change with them', async () => {
    const { page } = await get('/targets/godaddy');
    const files = addressesOf(readPage(page)).filter((address) => address.includes('assets/'));
    expect(files).toHaveLength(3);
    for (const file of files) {
      const { status, headers } = await get(file.replace('..', ''));
      expect(status).toBe(200);
      expect(headers.get('cache-control')).toContain('immutable');
      expect(headers.get('content-type')).toMatch(/^text\/(?:css|javascript); charset=utf-8$/);
    }
  });
});

describe('for machines', () => {
  it('/api/report.json is a report as the schema says', async () => {
    const response = await get('/api/report.json');
    expect(response.headers.get('content-type')).toContain('application/json');
    const report = JSON.parse(response.page);
    const validate = new Ajv2020({ strict: false }).compile(reportJsonSchema() as object);
    expect(validate(report), JSON.stringify(validate.errors)).toBe(true);
    expect(report.summary).toMatchObject({ targets: 3, drifted: 1, inconclusive: 1, steady: 1 });
    expect(report.configured).toEqual(['godaddy', 'porkbun', 'vercel', 'later']);
    expect(report.targets[0].findings).toHaveLength(representativeReport.targets[0]?.findings.length ?? 0);
  });

  it('/metrics is in the text format, and says how every target stands', async () => {
    server.observe(makeReport([makeTarget({})]));
    server.observe(makeReport([makeTarget({ target: 'somebody-else', state: 'drifted' })]));
    const response = await get('/metrics');
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    const samples = readExposition(response.page);
    const figure = (name: string, labels: Record<string, string> = {}): number | undefined =>
      samples.find(
        (one) =>
          one.name === `mcp_canary_${name}` &&
          Object.entries(labels).every(([key, value]) => one.labels[key] === value),
      )?.value;
    expect(figure('target_state', { target: 'godaddy', state: 'drifted' })).toBe(1);
    expect(figure('target_state', { target: 'godaddy', state: 'steady' })).toBe(0);
    expect(figure('target_state', { target: 'later', state: 'unseen' })).toBe(1);
    expect(figure('target_findings', { target: 'godaddy', severity: 'breaking' })).toBe(2);
    expect(figure('target_last_look_timestamp_seconds', { target: 'porkbun' })).toBe(
      Date.parse('2026-11-02T03:17:00Z') / 1000,
    );
    expect(figure('target_last_judged_timestamp_seconds', { target: 'porkbun' })).toBe(
      Date.parse('2026-10-31T03:17:00Z') / 1000,
    );
    expect(figure('target_last_judged_timestamp_seconds', { target: 'godaddy' })).toBe(
      Date.parse('2026-11-02T03:17:00Z') / 1000,
    );
    expect(figure('last_run_duration_seconds')).toBeCloseTo(4.2);
    // Parts of one run are one run.
    expect(figure('runs_total')).toBe(1);
    expect(figure('checks_total', { state: 'steady' })).toBe(1);
    expect(figure('step_duration_seconds_count', { method: 'tools/list', outcome: 'answered' })).toBe(2);
    // A name that is not configured makes no series.
    expect(new Set(samples.flatMap(({ labels }) => labels.target ?? []))).toEqual(
      new Set(['godaddy', 'porkbun', 'vercel', 'later']),
    );
  });

  it('the example rules ask for what is there', async () => {
    const file = path.join(import.meta.dirname, '..', '..', '.github', 'prometheus-rules.yml');
    const { groups } = parse(readFileSync(file, 'utf8')) as {
      groups: { rules: { alert: string; expr: string; annotations: Record<string, string> }[] }[];
    };
    const known = new Set(readExposition((await get('/metrics')).page).map(({ name }) => name));
    const rules = groups.flatMap((group) => group.rules);
    expect(rules.length).toBeGreaterThan(4);
    for (const { alert, expr, annotations } of rules) {
      expect(alert).toMatch(/^McpCanary[A-Za-z]+$/);
      expect(Object.keys(annotations)).toContain('summary');
      for (const [name] of expr.matchAll(/mcp_canary_\w+/g)) expect(known, alert).toContain(name);
    }
  });

  it('is alive without its store, but not ready, and says so without a word of why', async () => {
    const broken = { ...history, targets: () => Promise.reject(new CanaryError('input', 'no such table', 'Mend it.')) };
    const other = await servePage({ port: 0 }, { ...ports(), past: broken });
    const answers = await Promise.all(
      ['healthz', 'readyz', 'metrics', '', 'targets/godaddy', 'api/report.json'].map(async (at) => {
        const response = await fetch(new URL(at, other.url));
        return {
          status: response.status,
          text: await response.text(),
          policy: response.headers.has('content-security-policy'),
        };
      }),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 503, 503, 503, 503, 503]);
    expect(answers.map(({ text }) => text).join()).not.toContain('table');
    expect(answers.every(({ policy }) => policy)).toBe(true);
    expect(warnings.join('\n')).toContain('no such table');
    await other.close();
  });

  it('says which port it cannot have', async () => {
    const port = Number(new URL(server.url).port);
    await expect(servePage({ port }, ports())).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining(`port ${port}`),
    });
  });
});
