import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Context, Hono } from 'hono';
import { CanaryError, isCanaryError, sayFault } from '../errors.ts';
import type { Report } from '../findings/report.ts';
import type { PastRuns } from '../history/history.ts';
import { loadPeers } from '../peers.ts';
import type { Clock, Log } from '../ports.ts';
import { reportJson } from '../report/json.ts';
import { assets, servedPolicy, writeMissing, writeOverview, writeTargetPage } from '../report/page/document.ts';
import type { ShownState } from '../report/page/page-view.ts';
import { isAllowedHost, isLoopback } from '../stand-in/loopback.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { lastReport, type OverviewAsk, overviewView, targetView } from './page-view.ts';
import { shareAnswer, shareAnswers } from './share-answer.ts';
import { type PageStore, type Standing, takeStanding, type WatchFacts } from './standing.ts';

export interface PageOptions {
  /** 0 takes a free one. */
  readonly port: number;
  /** Absent: 127.0.0.1, which this machine only can reach. */
  readonly host?: string;
  /** Further Host names that are served on loopback: a proxy may keep the outside name. */
  readonly allowHosts?: readonly string[];
}

export interface PagePorts {
  readonly past: PageStore;
  /** As they are now: the configuration may be read anew. */
  readonly facts: () => WatchFacts;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  readonly log: Pick<Log, 'warn'>;
}

export interface RunningPage {
  readonly url: string;
  /** Counts a run of this process for `/metrics`. */
  observe(report: Report): void;
  /** Ends every connection; resolves when the port is free. */
  close(): Promise<void>;
}

/**
 * Serves the status page, `/healthz`, `/readyz`, `/metrics` and `/api/report.json` until it is closed. It is read-only:
 * nothing in it changes anything.
 * @throws CanaryError `usage` where its packages are missing or the port cannot be had
 */
export async function servePage(options: PageOptions, ports: PagePorts): Promise<RunningPage> {
  const packages = ['hono', '@hono/node-server', 'prom-client'];
  const peers = await loadPeers('The status page', packages, async () => ({
    hono: await import('hono'),
    server: await import('@hono/node-server'),
    prom: (await import('prom-client')).default,
  }));
  const { host = '127.0.0.1' } = options;
  const metrics = createMetrics(peers.prom, ports.facts().version);
  const app = new peers.hono.Hono();
  const { monotonic } = ports.clock;
  const standing = shareAnswer(() => takeStanding(ports.past, ports.facts(), ports.clock.now()), monotonic);
  const report = shareAnswer(async () => lastReport(ports.past, await standing()), monotonic);
  addGuards(app, isLoopback(host) ? (options.allowHosts ?? []) : null, ports.log);
  addPages(app, ports.past, standing, monotonic);
  addProbes(app, standing, report, metrics);
  // Everything else in this process keeps the platform's Request and Response.
  const server = peers.server.createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false }) as Server;
  const port = await listen(server, options.port, host);
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}/`,
    observe: metrics.observe,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function listen(server: Server, port: number, host: string): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(cannotListen(port, host, error)));
    server.listen(port, host, resolve);
  });
  return (server.address() as AddressInfo).port; // a TCP server has one
}

const cannotListen = (port: number, host: string, cause: Error): CanaryError =>
  new CanaryError(
    'usage',
    `The page cannot be served on port ${port} of ${host}: ${'code' in cause ? String(cause.code) : 'it is refused'}`,
    'Use another --page port or --page-host, or --page 0 for a free port.',
    { cause },
  );

/** On every answer. A page of ours is in no frame, and no page of anybody else's reads an answer. */
const headers = {
  'content-security-policy': servedPolicy,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'cache-control': 'no-store',
} as const;

function addGuards(app: Hono, allowHosts: readonly string[] | null, log: PagePorts['log']): void {
  app.use(async (c, next) => {
    for (const [name, value] of Object.entries(headers)) c.header(name, value);
    if (allowHosts !== null && !isAllowedHost(c.req.header('host'), allowHosts))
      return c.text('This Host is not served; name it with --allow-host.\n', 403);
    if (c.req.method !== 'GET' && c.req.method !== 'HEAD')
      return c.text('Everything here is read with GET.\n', 405, { allow: 'GET, HEAD' });
    await next();
    return undefined;
  });
  app.onError((error, c) => {
    log.warn(`The page at ${c.req.path.slice(0, 100)} failed: ${sayFault(error)}`);
    for (const [name, value] of Object.entries(headers)) c.header(name, value);
    return isCanaryError(error)
      ? c.text('What is kept of past runs cannot be read just now; the log says why.\n', 503)
      : c.text('The page failed; the log says why.\n', 500);
  });
}

const shownStates: readonly string[] = ['steady', 'drifted', 'inconclusive', 'unseen'] satisfies readonly ShownState[];
const isShownState = (text: string): text is ShownState => shownStates.includes(text);

function readAsk(c: Context): OverviewAsk {
  const state = c.req.query('state') ?? '';
  const page = Number(c.req.query('page') ?? '1');
  return {
    find: (c.req.query('find') ?? '').slice(0, 64),
    state: isShownState(state) ? state : null,
    page: Number.isSafeInteger(page) ? page : 1,
  };
}

/** Overviews that are kept for who asks for the same a little later. */
const sharedOverviews = 16;

function addPages(app: Hono, past: PastRuns, standing: () => Promise<Standing>, monotonic: () => number): void {
  const overview = shareAnswers<string>(monotonic, sharedOverviews);
  app.get('/', async (c) => {
    const ask = readAsk(c);
    const key = `${ask.state} ${ask.page} ${ask.find}`;
    return c.html(await overview(key, async () => writeOverview(await overviewView(past, await standing(), ask))));
  });
  app.get('/targets/:id', async (c) => {
    const shown = await targetView(past, await standing(), c.req.param('id'));
    return shown === null ? missing(c, standing) : c.html(writeTargetPage(shown.view, shown.facts));
  });
  for (const { file, type, text } of assets)
    app.get(`/assets/${file}`, (c) =>
      c.body(text, 200, { 'content-type': type, 'cache-control': 'public, max-age=31536000, immutable' }),
    );
  app.notFound((c) => missing(c, standing));
}

async function missing(c: Context, standing: () => Promise<Standing>): Promise<Response> {
  const { at, facts } = await standing();
  const up = './'.concat('../'.repeat(Math.min(20, c.req.path.split('/').length - 2)));
  return c.html(writeMissing({ madeAt: at, version: facts.version, days: [] }, up), 404);
}

function addProbes(
  app: Hono,
  standing: () => Promise<Standing>,
  report: () => Promise<Report | null>,
  metrics: Metrics,
): void {
  app.get('/healthz', (c) => c.text('ok\n'));
  // Ready is who can read the store; a target that drifted makes nobody less ready.
  app.get('/readyz', async (c) => {
    await standing();
    return c.text('ready\n');
  });
  app.get('/metrics', async (c) =>
    c.body(await metrics.write(await standing()), 200, { 'content-type': metrics.contentType }),
  );
  app.get('/api/report.json', async (c) => {
    const last = await report();
    const json = { 'content-type': 'application/json; charset=utf-8' };
    return last === null ? c.body('{"error":"no run yet"}\n', 404, json) : c.body(reportJson(last), 200, json);
  });
}
