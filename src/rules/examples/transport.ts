import type { Example } from './example.ts';

const answer = '{"jsonrpc": "2.0", "id": 2, "result": {"tools": []}}';

export const transportExamples = {
  'endpoint-gone': ['POST /mcp: HTTP 200', 'POST /mcp: HTTP 404'],
  'http-status-changed': ['tools/call: HTTP 200', 'tools/call: HTTP 409'],
  'response-missing': [answer, 'HTTP 202 without a body'],
  'response-id-mismatch': [answer, '{"jsonrpc": "2.0", "id": 9, "result": {"tools": []}}'],
  'response-envelope-invalid': [answer, '{"jsonrpc": "2.0", "id": 2}'],
  'response-malformed': [answer, '{"jsonrpc": "2.0", "id": 2, "result": {"tools": ['],
  'response-content-type-foreign': [
    'Content-Type: application/json',
    'Content-Type: text/plain, and a body that is no JSON',
  ],
  'response-content-type-changed': ['Content-Type: application/json', 'Content-Type: text/event-stream'],
  'response-too-large': ['tools/list: 40 KiB', 'tools/list: more than 8 MiB'],
  'redirect-same-origin': ['POST /mcp: HTTP 200', 'POST /mcp: HTTP 308, Location: /v2/mcp'],
  'redirect-cross-origin': ['POST /mcp: HTTP 200', 'POST /mcp: HTTP 308, Location: https://mcp.example.net/'],
  'redirect-downgrade': ['POST /mcp: HTTP 200', 'POST /mcp: HTTP 301, Location: http://mcp.example.com/'],
  'sunset-announced': ['no Sunset header', 'Sunset: Wed, 30 Jun 2027 00:00:00 GMT'],
  'session-header-added': ['no Mcp-Session-Id', 'Mcp-Session-Id: 1f0c77'],
  'session-header-removed': ['Mcp-Session-Id: 1f0c77', 'no Mcp-Session-Id'],
  'session-header-invalid': ['Mcp-Session-Id: 1f0c77', 'Mcp-Session-Id: séance 1'],
  'session-unstable': ['one session for the whole replay', 'tools/list: HTTP 404 in the session that initialize gave'],
  'protocol-header-refused': [
    'MCP-Protocol-Version: 2025-11-25: HTTP 200',
    'MCP-Protocol-Version: 2025-11-25: HTTP 400',
  ],
  'server-request-sent': [
    'the answer to tools/call and nothing else',
    '{"jsonrpc": "2.0", "id": 1, "method": "sampling/createMessage"} before the answer',
  ],
  'tls-invalid': ['a valid certificate', 'a certificate that has expired'],
  'auth-now-required': ['tools/list: HTTP 200', 'tools/list: HTTP 401, WWW-Authenticate: Bearer'],
  'auth-no-longer-required': [
    'tools/list: HTTP 401, WWW-Authenticate: Bearer',
    'tools/list: HTTP 200 without credentials',
  ],
  'auth-scheme-changed': ['WWW-Authenticate: Bearer', 'WWW-Authenticate: DPoP'],
  'auth-scope-added': ['WWW-Authenticate: Bearer scope="read"', 'WWW-Authenticate: Bearer scope="read write"'],
  'auth-scope-removed': ['WWW-Authenticate: Bearer scope="read write"', 'WWW-Authenticate: Bearer scope="read"'],
  'auth-resource-changed': [
    'WWW-Authenticate: Bearer resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource"',
    'WWW-Authenticate: Bearer resource_metadata="https://login.example.net/.well-known/oauth-protected-resource"',
  ],
  'stdio-noise-added': ['one JSON-RPC message a line', 'Server running on stdio, then one JSON-RPC message a line'],
  'stdio-framing-invalid': ['one JSON-RPC message a line', 'Content-Length: 52, an empty line, then the message'],
  'latency-regressed': [
    'initialize: 120 ms in the median of the last runs',
    'initialize: 900 ms in the median of the last runs',
  ],
} as const satisfies Readonly<Record<string, Example>>;
