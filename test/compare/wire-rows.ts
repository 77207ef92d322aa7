import type { HttpSettings } from '../../src/client/client-settings.ts';
import { targetLimits } from '../../src/limits.ts';
import type { RuleId } from '../../src/rules/catalogue.ts';
import { error, event, events, json, plain, result, type Script, tool } from '../client/scripted-server.ts';

/** A server that makes a rule about the wire speak; healthy, the same server is quiet. */
export interface WireRow {
  readonly rule: RuleId;
  readonly script: Script;
  readonly settings?: Partial<HttpSettings>;
  /** Asked over https, which a loopback server is not: the answer is given in place of one. */
  readonly secure?: true;
}

const row = (rule: RuleId, script: Script, more: Omit<WireRow, 'rule' | 'script'> = {}): WireRow => ({
  rule,
  script,
  ...more,
});
const gone = (): ReturnType<typeof plain> => plain(404);
const list = (tools: readonly unknown[], more: object = {}): Script => ({
  list: (request) => json(result(request, { tools, ...more })),
});
const sampling = { jsonrpc: '2.0', id: 's1', method: 'sampling/createMessage', params: {} };

export const wireRows: readonly WireRow[] = [
  row('init-failed', { initialize: (request) => json(error(request, -32603)) }),
  row('init-era-stateless-only', {
    initialize: (request) => json(error(request, -32022, 'no', { supported: ['2026-07-28'], requested: '2025-11-25' })),
  }),
  row('init-era-handshake-only', {}, { settings: { era: 'stateless', revision: '2026-07-28' } }),
  row('initialized-rejected', { initialized: () => plain(400, 'no'), list: () => plain(400, 'no') }),
  row('endpoint-gone', { initialize: gone }),
  row('http-status-changed', { list: () => plain(418, 'a teapot') }),
  row('response-missing', { list: () => plain(202) }),
  row('response-id-mismatch', { list: (request) => json({ ...result(request, { tools: [] }), id: 'other' }) }),
  row('response-envelope-invalid', { list: ({ id }) => json({ jsonrpc: '2.0', id }) }),
  row('response-malformed', { list: () => plain(200, '{"jsonrpc": "2.0", ', { 'content-type': 'application/json' }) }),
  row('response-content-type-foreign', { list: () => plain(200, 'Hello.', { 'content-type': 'text/plain' }) }),
  row('response-too-large', list([tool('echo', { description: 'x'.repeat(5_000) })]), {
    settings: { limits: { ...targetLimits, bodyBytes: 4_096 } },
  }),
  row('redirect-same-origin', { list: () => plain(308, '', { location: '/v2/mcp' }) }),
  row('redirect-cross-origin', { list: () => plain(308, '', { location: 'https://mcp.example.net/' }) }),
  row(
    'redirect-downgrade',
    { list: () => plain(301, '', { location: 'http://registrar.example/mcp' }) },
    { secure: true },
  ),
  row('session-unstable', {
    initialize: (request) =>
      json(
        result(request, {
          protocolVersion: '2025-11-25',
          capabilities: { tools: {} },
          serverInfo: { name: 's', version: '1' },
        }),
        { headers: { 'mcp-session-id': `session-${request.nth}` } },
      ),
    list: (request) => (request.nth === 1 ? gone() : json(result(request, { tools: [tool('echo')] }))),
  }),
  row('protocol-header-refused', { list: () => plain(400, 'Unsupported protocol version') }),
  row('server-request-sent', {
    list: (request) => events([event(sampling), event(result(request, { tools: [tool('echo')] }))]),
  }),
  row('tools-list-failed', { list: (request) => json(error(request, -32603)) }),
  row('tools-list-malformed', { list: (request) => json(result(request, { tools: 'none' })) }),
  row('tools-pagination-loop', list([tool('echo')], { nextCursor: 'again' })),
  row('auth-now-required', { list: () => plain(401, '', { 'www-authenticate': 'Bearer' }) }),
  row('replay-blocked-unsafe', list([tool('echo', { annotations: {} })])),
];

/** Rules about a child process or a certificate: the test in which the transport itself speaks, and is quiet. */
export const wireElsewhere: Readonly<Partial<Record<RuleId, string>>> = {
  'stdio-noise-added': 'client/stdio.test.ts',
  'stdio-framing-invalid': 'client/stdio.test.ts',
  'tls-invalid': 'client/undici-fetch.test.ts',
};
