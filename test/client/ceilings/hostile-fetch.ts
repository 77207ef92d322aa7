import { expect } from 'vitest';
import { createHttpClient } from '../../../src/client/http-client.ts';
import type { McpClient } from '../../../src/client/mcp-client.ts';
import { type TargetLimits, targetLimits } from '../../../src/limits.ts';
import type { EndSignal, FetchRequest, FetchResponse } from '../../../src/ports.ts';
import { createManualClock, type ManualClock } from '../../helpers/manual-clock.ts';
import { fixedRandom, settingsFor } from '../scripted-server.ts';

/** What came of one step, as far as a ceiling is concerned. */
export interface Met {
  readonly outcome: { readonly kind: string; readonly failure?: { readonly class: string; readonly message: string } };
  /** Milliseconds by the clock of the client. */
  readonly tookMs: number;
  readonly notes: readonly string[];
  readonly client: McpClient;
  readonly clock: ManualClock;
  readonly asked: readonly { readonly http: string; readonly method: string | undefined; readonly at: number }[];
}

export interface Asked {
  readonly http: FetchRequest['method'];
  readonly id: number;
  readonly method: string | undefined;
  readonly params: { readonly cursor?: string };
  /** Which of its method, from 1. */
  readonly nth: number;
  readonly clock: ManualClock;
  readonly signal: EndSignal;
}

/** A part of an answer; what is not said is healthy. */
export interface Part {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | AsyncIterable<Uint8Array>;
}

export type Hostile = (asked: Asked) => Part | Promise<Part> | null;

export const sse = { 'content-type': 'text/event-stream' };
export const json = { 'content-type': 'application/json' };
export const message = ({ id }: Asked, result: unknown): string => JSON.stringify({ jsonrpc: '2.0', id, result });

const healthy: Readonly<Record<string, unknown>> = {
  initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } },
  'tools/list': { tools: [{ name: 'echo', annotations: { readOnlyHint: true, destructiveHint: false } }] },
  'tools/call': { content: [] },
};

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function responseOf({ status = 200, headers = json, body = '' }: Part): FetchResponse {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  return {
    status,
    headers: { get: (name) => headers[name] ?? null, forEach: () => undefined },
    body: bytes instanceof Uint8Array ? (bytes.length === 0 ? null : once(bytes)) : bytes,
    isRaw: true,
  };
}

/** A client of a server that lives in this process, by a clock that goes on only when all else waits. */
export function openAgainst(
  hostile: Hostile,
  limits: Partial<TargetLimits> = {},
): { readonly client: McpClient; readonly clock: ManualClock; readonly asked: Met['asked'] } {
  const clock = createManualClock('2026-12-01T03:17:00Z');
  const start = clock.monotonic();
  const asked: { http: string; method: string | undefined; at: number }[] = [];
  const client = createHttpClient(settingsFor('http://127.0.0.1:1/mcp', { limits: { ...targetLimits, ...limits } }), {
    clock,
    random: fixedRandom,
    fetch: async (_, { method: http, body, signal }) => {
      const { id, method, params } = JSON.parse(body ?? '{}') as { id?: number; method?: string; params?: object };
      const nth = asked.filter((one) => one.http === http && one.method === method).length + 1;
      asked.push({ http, method, at: clock.monotonic() - start });
      const part = await hostile({ http, id: id ?? 0, method, params: params ?? {}, nth, clock, signal });
      if (part !== null) return responseOf(part);
      const result = healthy[method ?? ''];
      return responseOf(
        result === undefined
          ? { status: http === 'POST' ? 202 : 405 }
          : { body: JSON.stringify({ jsonrpc: '2.0', id, result }) },
      );
    },
  });
  return { client, clock, asked };
}

/** Waits for the promise while time goes by (in steps of 0: while it stands still), and says how much of it did. */
export async function letPass<T>(
  clock: ManualClock,
  promise: Promise<T>,
  stepMs = 1_000,
): Promise<readonly [T, number]> {
  const start = clock.monotonic();
  let isOver = false;
  const settled = promise.finally(() => {
    isOver = true;
  });
  await clock.advance(0);
  while (!isOver && clock.monotonic() - start < 600_000) await clock.advance(stepMs);
  return [await settled, clock.monotonic() - start];
}

/** Runs one step, the handshake before it included. */
export async function meet(
  step: 'initialize' | 'tools/list' | 'tools/call',
  hostile: Hostile,
  limits: Partial<TargetLimits> = {},
  stepMs = 1_000,
): Promise<Met> {
  const { client, clock, asked } = openAgainst(hostile, limits);
  const go = async (): Promise<Met['outcome']> => {
    const opened = await client.initialize();
    if (step === 'initialize') return opened as Met['outcome'];
    const listed = await client.listTools();
    return (step === 'tools/list' ? listed : await client.callTool('echo', {})) as Met['outcome'];
  };
  const [outcome, tookMs] = await letPass(clock, go(), stepMs);
  return { outcome, tookMs, notes: client.notes().map(({ code }) => code), client, clock, asked };
}

/** The step failed in a class, and not later than so many milliseconds. */
export function expectFailure({ outcome, tookMs }: Met, failure: string, mostMs = 0): void {
  expect(outcome).toMatchObject({ kind: 'failed', failure: { class: failure } });
  expect(tookMs).toBeLessThanOrEqual(mostMs);
}

/** A body that goes on for ever, each chunk after so many milliseconds; `seen` counts its bytes. */
export async function* endless(
  chunk: (nth: number) => string | Uint8Array,
  clock: ManualClock | null = null,
  everyMs = 0,
  seen: { bytes: number } = { bytes: 0 },
): AsyncGenerator<Uint8Array> {
  for (let nth = 1; ; nth += 1) {
    if (clock !== null) await clock.sleep(everyMs);
    const part = chunk(nth);
    const bytes = typeof part === 'string' ? Buffer.from(part) : part;
    seen.bytes += bytes.length;
    yield bytes;
  }
}
