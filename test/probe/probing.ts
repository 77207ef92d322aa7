import { createUndiciFetch } from '../../src/client/undici-fetch.ts';
import { targetLimits } from '../../src/limits.ts';
import { judgeProbes, type ProbedTarget, type ProbeRow } from '../../src/probe/probe-report.ts';
import type { ProbeId } from '../../src/probe/probes.ts';
import { type ProbedServer, type ProbeSettings, sendProbes } from '../../src/probe/send-probes.ts';
import type { Revision } from '../../src/protocol/revisions.ts';
import { eraOf } from '../../src/protocol/revisions.ts';
import type { ProbeRecord } from '../../src/recording/probes.ts';
import { fixedRandom, realClock } from '../client/scripted-server.ts';
import { type Behave, type Reply, type SeenRequest, startScriptedServer } from '../helpers/scripted-server.ts';

const meta = 'io.modelcontextprotocol/';
const supported = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'];

export const json = (value: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Reply => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(value),
});
export const fault = (status: number, code: number, id: unknown = null, data?: unknown): Reply =>
  json({ jsonrpc: '2.0', id, error: { code, message: 'refused', ...(data === undefined ? {} : { data }) } }, status);

const refuseVersion = (request: SeenRequest, code: number): Reply =>
  fault(400, code, request.message?.id ?? null, {
    supported,
    requested: request.headers['mcp-protocol-version'],
  });

/** A server that keeps to every MUST and SHOULD of the revision it is asked in. */
export function conforming({ sessions = true }: { readonly sessions?: boolean } = {}): Behave {
  const live = new Set<string>();
  let next = 0;
  let revision = '';
  return (request) => {
    const { headers, http } = request;
    if (headers.origin !== undefined) return fault(403, -32000);
    if (http === 'OPTIONS') return { status: 204, headers: { allow: 'GET, POST, DELETE' } };
    const isStateless = headers['mcp-protocol-version'] === '2026-07-28' || isModern(request);
    if (isStateless && http !== 'POST') return fault(405, -32000);
    if (http === 'POST') {
      if (headers['content-type'] !== 'application/json') return fault(415, -32000);
      if (request.message === null) return fault(400, -32700);
      if (isStateless) return stateless(request);
    }
    const session = headers['mcp-session-id'];
    const isInitialize = request.message?.method === 'initialize';
    if (sessions && !isInitialize) {
      if (session === undefined) return fault(400, -32000);
      if (!live.has(String(session))) return fault(404, -32001);
    }
    if (http === 'GET') return { headers: { 'content-type': 'text/event-stream' }, body: ': hello\n\n' };
    if (http === 'DELETE') {
      live.delete(String(session));
      return { status: 200 };
    }
    if (headers.accept === undefined) return fault(406, -32000);
    if (Array.isArray(request.message))
      return revision === '2025-03-26'
        ? json(request.message.map((one) => ({ jsonrpc: '2.0', id: one.id, result: { tools: [] } })))
        : fault(400, -32600);
    const { id, method, params } = request.message ?? {};
    const version = headers['mcp-protocol-version'];
    if (!isInitialize && version !== undefined && !supported.includes(String(version)))
      return refuseVersion(request, -32000);
    const result = (value: unknown, more: Readonly<Record<string, string>> = {}): Reply =>
      json({ jsonrpc: '2.0', id, result: value }, 200, more);
    if (isInitialize) {
      const asked = String(params?.protocolVersion);
      const agreed = supported.includes(asked) ? asked : '2025-11-25';
      if (supported.includes(asked)) revision = asked;
      next += 1;
      if (sessions) live.add(`session-${next}-of-many`);
      return result(
        {
          protocolVersion: agreed,
          capabilities: { tools: { listChanged: true } },
          serverInfo: { name: 's', version: '1' },
        },
        sessions ? { 'mcp-session-id': `session-${next}-of-many` } : {},
      );
    }
    if (method === 'notifications/initialized') return { status: 202 };
    if (method === 'tools/list') return params?.cursor === undefined ? result({ tools: [] }) : fault(200, -32602, id);
    return method === undefined ? fault(400, -32600) : fault(200, -32601, id);
  };
}

const isModern = ({ message }: SeenRequest): boolean =>
  typeof message?.params?._meta === 'object' && message.params._meta !== null;

function stateless(request: SeenRequest): Reply {
  const { headers, message } = request;
  const { id, method, params } = message ?? {};
  if (Array.isArray(message) || method === undefined) return fault(400, -32600);
  const told = params?._meta as Record<string, unknown> | undefined;
  if (headers['mcp-protocol-version'] === undefined || headers['mcp-method'] !== method) return fault(400, -32020, id);
  if (told?.[`${meta}protocolVersion`] === undefined) return fault(400, -32602, id);
  if (headers['mcp-protocol-version'] !== told[`${meta}protocolVersion`]) return fault(400, -32020, id);
  if (!supported.includes(String(headers['mcp-protocol-version']))) return refuseVersion(request, -32022);
  if (method !== 'tools/list') return fault(404, -32601, id);
  if (params?.cursor !== undefined) return fault(200, -32602, id);
  const result = { resultType: 'complete', tools: [], ttlMs: 0, cacheScope: 'private' };
  return json({ jsonrpc: '2.0', id, result });
}

export const settingsFor = (url: string, revision: Revision, more: Partial<ProbeSettings> = {}): ProbeSettings => ({
  era: eraOf(revision),
  revision,
  transport: 'streamable-http',
  identity: { name: 'tester', version: '1.2.3', userAgent: 'tester/1.2.3' },
  callable: new Set(),
  limits: { ...targetLimits, requestsPerSecond: 20 },
  url,
  credentials: null,
  ...more,
});

export interface Probed {
  readonly server: ProbedServer;
  readonly target: ProbedTarget;
  readonly seen: readonly SeenRequest[];
  readonly row: (id: ProbeId) => ProbeRow;
}

/** Probes a server that behaves so. */
export async function probe(
  behave: Behave,
  revision: Revision,
  more: { readonly settings?: Partial<ProbeSettings>; readonly recorded?: ProbeRecord } = {},
): Promise<Probed> {
  const scripted = await startScriptedServer(behave);
  try {
    const probed = await probeAt(scripted.url, revision, more);
    return { ...probed, seen: [...scripted.seen] };
  } finally {
    await scripted.close();
  }
}

/** Probes whatever listens there. */
export async function probeAt(
  url: string,
  revision: Revision,
  { settings = {}, recorded }: { readonly settings?: Partial<ProbeSettings>; readonly recorded?: ProbeRecord } = {},
): Promise<Omit<Probed, 'seen'>> {
  const http = createUndiciFetch({ connectMs: 1_000 });
  try {
    const asked = settingsFor(url, revision, settings);
    const server = await sendProbes(asked, { fetch: http.fetch, clock: realClock, random: fixedRandom });
    const facts = { target: 'case', registrar: null, transport: asked.transport, era: asked.era };
    const target = judgeProbes(facts, server, recorded ?? null);
    const row = (id: ProbeId): ProbeRow => {
      const found = target.rows.find((one) => one.id === id);
      if (found === undefined) throw new Error(`there is no row ${id}`);
      return found;
    };
    return { server, target, row };
  } finally {
    await http.close();
  }
}

/** `id: grade` of every row that is neither conforming nor undefined. */
export const departures = ({ target }: Pick<Probed, 'target'>): readonly string[] =>
  target.rows
    .filter(({ grade }) => grade !== 'conforms' && grade !== 'not-defined')
    .map(({ id, grade, remark }) => `${id}: ${grade}${remark === null ? '' : ` (${remark})`}`);
