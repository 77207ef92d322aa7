import type { Octokit } from '@octokit/core';
import type { PaginateInterface } from '@octokit/plugin-paginate-rest';
import { limits } from '../../limits.ts';
import type { Clock } from '../../ports.ts';
import type { Answer, TrackerFault } from './issue-tracker.ts';

export type GithubClient = Octokit & { readonly paginate: PaginateInterface };

export interface GithubAccess {
  readonly token: string;
  /** `https://api.github.com`, or that of another GitHub. */
  readonly apiUrl: string;
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  /** Of mcp-canary, for the User-Agent. */
  readonly version: string;
  /** `none` for a service of one's own that asks for no pauses; GitHub wants writes a second apart. */
  readonly pace: 'github' | 'none';
}

/**
 * Octokit with its plugins. The packages are loaded here and nowhere else: no other command pays for them. A POST is
 * never repeated by the retry plugin, since the first one may have been carried out.
 */
export async function createClient(access: GithubAccess): Promise<GithubClient> {
  const [{ Octokit }, { throttling }, { retry }, { paginateRest }] = await Promise.all([
    import('@octokit/core'),
    import('@octokit/plugin-throttling'),
    import('@octokit/plugin-retry'),
    import('@octokit/plugin-paginate-rest'),
  ]);
  const silent = { debug: ignore, info: ignore, warn: ignore, error: ignore };
  const client = new (Octokit.plugin(throttling, retry, paginateRest))({
    auth: access.token,
    baseUrl: access.apiUrl.replace(/\/+$/, ''),
    userAgent: `mcp-canary/${access.version}`,
    log: silent,
    request: { fetch: guardedFetch(access.fetch), log: silent },
    // Its waits are ours (see `waitForLimits`): it knows one wording of the secondary limit only.
    throttle: { enabled: access.pace === 'github', onRateLimit: () => false, onSecondaryRateLimit: () => false },
    retry: {
      doNotRetry: [400, 401, 403, 404, 409, 410, 422, 429, 451],
      ...(access.pace === 'none' ? { retryAfterBaseValue: 0 } : {}),
    },
  });
  client.hook.wrap('request', (request, options) => waitForLimits(() => request(options), access.clock));
  return client;
}

const ignore = (): void => {};

/** With a deadline; a write is not carried to where a redirect leads, for it may be another repository. */
const guardedFetch =
  (fetch: typeof globalThis.fetch): typeof globalThis.fetch =>
  (url, init) =>
    fetch(url, {
      ...init,
      redirect: init?.method === undefined || init.method === 'GET' ? 'follow' : 'manual',
      signal: AbortSignal.timeout(limits.alertRequestMs),
    });

interface HttpFault {
  readonly status: number;
  readonly message: string;
  readonly response?: { readonly headers: Readonly<Record<string, string | number | undefined>> } | undefined;
}

const isHttpFault = (fault: unknown): fault is HttpFault =>
  fault instanceof Error && 'status' in fault && typeof fault.status === 'number';

/**
 * Repeats what a rate limit refused: after `retry-after`, else at the reset, else after a minute and then twice as long.
 * Such a request was not carried out, so a POST may be repeated, too.
 */
async function waitForLimits<T>(send: () => T | Promise<T>, clock: Clock): Promise<T> {
  let waited = 0;
  for (let round = 0; ; round += 1) {
    try {
      return await send();
    } catch (fault) {
      const wait = isHttpFault(fault) ? limitWait(fault, round, clock.now()) : null;
      if (wait === null || waited + wait > limits.alertWaitMs) throw fault;
      waited += wait;
      await clock.sleep(wait);
    }
  }
}

/** Milliseconds to wait, or null where no limit was hit. */
export function limitWait(fault: HttpFault, round: number, now: number): number | null {
  if (fault.status !== 403 && fault.status !== 429) return null;
  const headers = fault.response?.headers ?? {};
  const after = Number(headers['retry-after']);
  if (headers['retry-after'] !== undefined && Number.isFinite(after) && after >= 0)
    return Math.ceil(after * 1000) + 250;
  if (Number(headers['x-ratelimit-remaining'] ?? Number.NaN) === 0) {
    return Math.max(1_000, Number(headers['x-ratelimit-reset']) * 1000 - now + 1_000);
  }
  const isLimit = fault.status === 429 || /rate limit|abuse detection/i.test(fault.message);
  return isLimit ? 60_000 * 2 ** round : null;
}

/** Sends a request and says what came of it; never throws for what a service or a network does. */
export async function ask<T>(
  send: () => Promise<{ readonly status: number; readonly data: unknown }>,
  read: (data: unknown) => T,
): Promise<Answer<T>> {
  try {
    const { status, data } = await send();
    if (status >= 300) return { ok: false, fault: 'gone', message: 'moved to another place' };
    return { ok: true, value: read(data) };
  } catch (fault) {
    if (!isHttpFault(fault)) throw fault;
    return { ok: false, fault: faultOf(fault), message: fault.message };
  }
}

function faultOf({ status, message, response }: HttpFault): TrackerFault {
  if (response === undefined || status >= 500) return 'lost';
  if (status === 410 && /disabled/i.test(message)) return 'disabled';
  if (status === 404 || status === 410) return 'gone';
  if (status === 422 && /too long/i.test(message)) return 'too-long';
  if (status === 401) return 'forbidden';
  if (status === 429 || (status === 403 && /rate limit|abuse detection/i.test(message))) return 'limited';
  if (status === 403) return /locked/i.test(message) ? 'locked' : 'forbidden';
  return 'refused';
}
