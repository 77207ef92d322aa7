import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { History } from '../../src/history/history.ts';
import { openHistory } from '../../src/history/open-history.ts';
import { reportHtml } from '../../src/report/html.ts';
import { pagePast } from '../../src/schedule/page-view.ts';
import { type RunningPage, servePage } from '../../src/schedule/serve-page.ts';
import type { WatchFacts } from '../../src/schedule/standing.ts';
import { makeFinding, makeReport, makeTarget } from '../helpers/make-report.ts';
import { keepNights, lastDay, nightReports } from '../page/nights.ts';
import { hostileTexts } from '../text/hostile-texts.ts';

const executable = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((file) =>
  existsSync(file),
);
/** A package of this folder's own lock. */
const load = (name: string): unknown =>
  createRequire(import.meta.url)(path.join(import.meta.dirname, 'node_modules', name));

// The few functions of playwright-core that are used here; the package lives in this folder's own lock.
interface Route {
  request(): { url(): string };
  abort(): Promise<void>;
  continue(): Promise<void>;
}
interface BrowserPage {
  goto(url: string): Promise<{ status(): number } | null>;
  evaluate<T>(script: string): Promise<T>;
  screenshot(options: { readonly path: string; readonly fullPage?: boolean }): Promise<unknown>;
  on(
    event: 'console' | 'pageerror' | 'dialog',
    listener: (event: { text?(): string; type?(): string; message?: unknown }) => void,
  ): void;
  route(url: string, handler: (route: Route) => Promise<void>): Promise<void>;
  addInitScript(script: string): Promise<void>;
  keyboard: { press(key: string): Promise<void> };
  mouse: { move(x: number, y: number): Promise<void> };
  click(selector: string): Promise<void>;
  url(): string;
  waitForURL(url: RegExp): Promise<void>;
}
interface BrowserContext {
  newPage(): Promise<BrowserPage>;
  close(): Promise<void>;
}
interface Browser {
  newContext(options: {
    readonly colorScheme?: 'light' | 'dark';
    readonly viewport?: { readonly width: number; readonly height: number };
    readonly javaScriptEnabled?: boolean;
    readonly bypassCSP?: boolean;
  }): Promise<BrowserContext>;
  close(): Promise<void>;
}

const nightly = { cron: '17 3 * * *', timezone: 'UTC' };
const hostileName = `<img src=x onerror="window.ran=1">\u202Egpj.exe"'><script>window.ran=1</script>&#x202e; ${'x'.repeat(1024 * 1024)}`;

describe.skipIf(executable === undefined)('the page in a browser (skipped where no chromium is installed)', () => {
  let browser: Browser;
  let folder: string;
  let shots: string;
  let history: History;
  let server: RunningPage;
  const opened: { readonly page: BrowserPage; readonly faults: string[]; readonly context: BrowserContext }[] = [];

  beforeAll(async () => {
    const { chromium } = load('playwright-core') as {
      chromium: { launch(options: { executablePath: string; args: string[] }): Promise<Browser> };
    };
    // A container without user namespaces has no sandbox to offer; the pages are our own.
    browser = await chromium.launch({ executablePath: executable ?? '', args: ['--no-sandbox'] });
    folder = await mkdtemp(path.join(os.tmpdir(), 'mcp-canary-page-'));
    shots = process.env.PAGE_SHOTS ?? folder;
    history = await openHistory({ kind: 'file', file: path.join(folder, 'history.db') });
    await keepNights(history);
    await history.keep(hostileNight(), '2026-11-02T03:17:00.000Z');
    const facts: WatchFacts = {
      version: '0.1.0',
      failOn: 'breaking',
      targets: ['godaddy', 'porkbun', 'vercel', 'hostile', 'quiet'].map((id) => ({
        id,
        registrar:
          { godaddy: 'GoDaddy', porkbun: 'Porkbun', vercel: 'Vercel', hostile: 'A registrar nobody trusts' }[id] ??
          null,
        schedule: nightly,
      })),
    };
    const now = Date.parse(`${lastDay}T08:00:00Z`);
    server = await servePage(
      { port: 0 },
      {
        past: history,
        facts: () => facts,
        clock: { now: () => now, monotonic: () => 0 },
        log: { warn: () => undefined },
      },
    );
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    await history?.close();
    if (folder !== undefined) await rm(folder, { recursive: true });
  });

  /** A page that counts as a fault whatever is loaded from elsewhere, refused by the policy, said on the console, or run. */
  async function open(
    at: string,
    options: Parameters<Browser['newContext']>[0] = {},
  ): Promise<{ readonly page: BrowserPage; readonly faults: string[] }> {
    const context = await browser.newContext({
      viewport: { width: 1200, height: 900 },
      colorScheme: 'light',
      ...options,
    });
    const page = await context.newPage();
    const faults: string[] = [];
    const allowed = at.startsWith('file:') ? at : server.url;
    page.on('console', (message) => faults.push(`console: ${message.text?.()}`));
    page.on('pageerror', (error) => faults.push(`error: ${String(error.message)}`));
    page.on('dialog', () => faults.push('dialog'));
    await page.route('**/*', async (route) => {
      const url = route.request().url();
      if (url.startsWith(allowed) || url.startsWith('data:image/svg+xml,')) return route.continue();
      faults.push(`loads ${url}`);
      return route.abort();
    });
    const { href } = new URL(at, server.url);
    await page.goto(href);
    opened.push({ page, faults, context });
    return { page, faults };
  }

  async function axe(page: BrowserPage): Promise<readonly string[]> {
    await page.evaluate((load('axe-core') as { readonly source: string }).source);
    const found = await page.evaluate<{ id: string; nodes: { html: string; failureSummary: string }[] }[]>(
      `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)`,
    );
    return found.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
    );
  }

  const wordsOf = (page: BrowserPage): Promise<string> => page.evaluate<string>('document.body.innerText');

  it('shows a drift, what broke first, its history and a plot', async () => {
    const overview = await open('/');
    const words = await wordsOf(overview.page);
    expect(words).toContain('Broken now');
    await overview.page.screenshot({ path: path.join(shots, 'overview.png'), fullPage: true });
    await overview.page.click('main a[href="targets/godaddy"]');
    await overview.page.waitForURL(/\/targets\/godaddy$/);
    const target = await wordsOf(overview.page);
    for (const part of [
      'Findings',
      'Prices are in EUR.',
      'Last 90 days',
      'Contract over time',
      'Latency',
      'Findings over time',
      'Runs',
    ])
      expect(target).toContain(part);
    // Two steps, two plots, and each has drawn something.
    const drawn = await overview.page.evaluate<readonly number[]>(
      `[...document.querySelectorAll('.plots canvas')].map((canvas) =>
        new Set(canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data).size)`,
    );
    expect(drawn).toHaveLength(2);
    for (const colours of drawn) expect(colours).toBeGreaterThan(8);
    await overview.page.screenshot({ path: path.join(shots, 'target.png'), fullPage: true });
    expect(overview.faults).toEqual([]);
  });

  it('tells the day under the pointer', async () => {
    const { page, faults } = await open('/targets/godaddy');
    const readout = `document.querySelector('.plots figcaption .number').textContent`;
    expect(await page.evaluate<string>(readout)).toContain(lastDay);
    const { x, y } = await page.evaluate<{ x: number; y: number }>(
      `(() => { const plot = document.querySelector('.plots .u-over'); plot.scrollIntoView(); const box = plot.getBoundingClientRect(); return { x: box.x + 20, y: box.y + 20 }; })()`,
    );
    await page.mouse.move(x, y);
    expect(await page.evaluate<string>(readout)).toMatch(/^2026-08-\d\d: [\d.]+ ms$/);
    expect(faults).toEqual([]);
  });

  describe.each([
    ['light', { colorScheme: 'light' }],
    ['dark', { colorScheme: 'dark' }],
    ['narrow', { colorScheme: 'light', viewport: { width: 360, height: 740 } }],
    ['narrow-dark', { colorScheme: 'dark', viewport: { width: 360, height: 740 } }],
  ] as const)('%s', (name, options) => {
    it.each(['/', '/targets/godaddy', '/targets/porkbun', '/targets/hostile', '/nowhere', '/?find=nobody'])(
      'passes the rules of axe: %s',
      async (at) => {
        const { page } = await open(at, { ...options, bypassCSP: true });
        // What is folded counts, too.
        await page.evaluate(`for (const details of document.querySelectorAll('details')) details.open = true`);
        expect(await axe(page)).toEqual([]);
        // Nothing is wider than the screen.
        expect(
          await page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth'),
        ).toBe(0);
        const slug = at.replace(/\W+/g, '-');
        await page.screenshot({ path: path.join(shots, `${name}${slug}.png`), fullPage: true });
      },
      60_000,
    );
  });

  it('is whole without a script', async () => {
    const overview = await open('/', { javaScriptEnabled: false });
    const target = await open('/targets/godaddy', { javaScriptEnabled: false });
    const text = (page: BrowserPage): Promise<string> => page.evaluate<string>('document.body.textContent');
    expect(await text(overview.page)).toContain('2 tools disappeared from the list.');
    const words = await text(target.page);
    for (const part of [
      'Median of each day in milliseconds',
      'npx mcp-canary accept godaddy --finding',
      'Newest first',
    ])
      expect(words).toContain(part);
    expect(await target.page.evaluate<number>(`document.querySelectorAll('td[data-ms]').length`)).toBeGreaterThan(160);
    await target.page.screenshot({ path: path.join(shots, 'without-script.png'), fullPage: true });
    expect([...overview.faults, ...target.faults]).toEqual([]);
  });

  it('lets nothing run or load that a server named itself', async () => {
    for (const at of ['/', '/targets/hostile']) {
      const { page, faults } = await open(at);
      expect(await page.evaluate<unknown>('window.ran')).toBeUndefined();
      expect(
        await page.evaluate<number>(
          `document.querySelectorAll('img, iframe, object, embed, base, [onerror], [style*="url"]').length`,
        ),
      ).toBe(0);
      expect(await page.evaluate<number>('document.documentElement.outerHTML.length')).toBeLessThan(400_000);
      expect(await wordsOf(page)).toContain('\\u{202E}');
      expect(faults).toEqual([]);
      await page.screenshot({ path: path.join(shots, `hostile${at.replace(/\W+/g, '-')}.png`), fullPage: true });
    }
  });

  it('is used with the keyboard alone', async () => {
    const { page, faults } = await open('/');
    const focused = (): Promise<string> =>
      page.evaluate<string>(
        `document.activeElement.textContent.trim() + ' ' + (document.activeElement.matches(':focus-visible') && getComputedStyle(document.activeElement).outlineStyle)`,
      );
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('Skip to content solid');
    await page.keyboard.press('Enter');
    expect(await page.evaluate<string>('document.activeElement.id')).toBe('content');
    await page.keyboard.press('Tab');
    expect(await focused()).toMatch(/^\w+ solid$/);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/targets\/\w+$/);
    expect(faults).toEqual([]);
  });

  it('is the same in one file, under a policy that names its own sources by digest', async () => {
    const past = await pagePast(history, ['godaddy', 'porkbun', 'vercel', 'hostile'], lastDay);
    const night = nightReports().at(-1);
    const hostile = hostileNight().targets;
    const report = makeReport([...(night?.targets ?? []), ...hostile]);
    const file = path.join(folder, 'index.html');
    await writeFile(file, reportHtml(report, { color: false, past }));
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, faults } = await open(pathToFileURL(file).href, { colorScheme });
      expect(await page.evaluate<number>(`document.querySelectorAll('.plots canvas').length`)).toBeGreaterThanOrEqual(
        5,
      );
      expect(await page.evaluate<unknown>('window.ran')).toBeUndefined();
      expect(faults).toEqual([]);
      await page.screenshot({ path: path.join(shots, `export-${colorScheme}.png`), fullPage: true });
      const free = await open(pathToFileURL(file).href, { colorScheme, bypassCSP: true });
      expect(await axe(free.page)).toEqual([]);
    }
  }, 120_000);

  /** A server that names everything it can as an attack. */
  function hostileNight() {
    const texts = Object.values(hostileTexts).map((text) => `${text}\u202E`);
    return makeReport(
      [
        makeTarget({
          target: 'hostile',
          registrar: hostileTexts.html,
          state: 'drifted',
          server: { name: hostileName, version: hostileTexts.hidden },
          contract: { recorded: `sha256:${'d'.repeat(64)}`, live: `sha256:${'e'.repeat(64)}` },
          replayed: [hostileName, ...texts].slice(0, 8).map((tool) => ({
            method: 'tools/call',
            tool,
            case: 'taken',
            outcome: 'answered',
            httpStatus: 200,
            durationMs: 41,
            bytes: 1,
          })),
          findings: [
            makeFinding({
              tool: hostileName,
              pointer: `/${hostileName}`,
              before: hostileName,
              after: { [hostileName]: hostileTexts.html },
            }),
            ...texts.map((text) =>
              makeFinding({ rule: 'tool-text-suspicious', tool: text, before: null, after: text }),
            ),
          ],
        }),
      ],
      {
        run: '11111111-0000-4000-8000-000000000000',
        startedAt: `${lastDay}T03:18:00.000Z`,
        finishedAt: `${lastDay}T03:18:02.000Z`,
      },
    );
  }
});
