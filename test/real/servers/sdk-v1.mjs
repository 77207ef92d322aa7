// The official SDK, first line: every mode of its Streamable HTTP transport, the old SSE transport, and stdio.
import { InMemoryEventStore } from '@modelcontextprotocol/sdk/examples/shared/inMemoryEventStore.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { register } from './fixture-tools.mjs';
import { stateful, stateless } from './sessions.mjs';

const create = (drifted) => register(new McpServer({ name: 'sdk-v1', version: '1.0.0' }), drifted, (shape) => shape);

/** `options`: of each transport. */
const openWith =
  (drifted, options = () => ({})) =>
  async (more) => {
    const [transport, server] = [new StreamableHTTPServerTransport({ ...options(), ...more }), create(drifted)];
    await server.connect(transport);
    return { transport, server };
  };

const oldSse = (drifted) => {
  const sessions = new Map();
  return async (request, response) => {
    const { searchParams } = new URL(request.url, 'http://localhost');
    if (request.method === 'POST') {
      return sessions.get(searchParams.get('sessionId'))?.handlePostMessage(request, response);
    }
    const transport = new SSEServerTransport(request.url, response);
    sessions.set(transport.sessionId, transport);
    response.on('close', () => sessions.delete(transport.sessionId));
    return create(drifted).connect(transport);
  };
};

/** Handlers of node:http by the name of the mode. */
export const handlers = (drifted) => ({
  'sdk-v1-stateful-sse': stateful(openWith(drifted)),
  'sdk-v1-stateful-json': stateful(openWith(drifted, () => ({ enableJsonResponse: true }))),
  'sdk-v1-resumable': stateful(openWith(drifted, () => ({ eventStore: new InMemoryEventStore(), retryInterval: 100 }))),
  'sdk-v1-stateless-sse': stateless(openWith(drifted)),
  'sdk-v1-stateless-json': stateless(openWith(drifted, () => ({ enableJsonResponse: true }))),
  'sdk-v1-old-sse': oldSse(drifted),
});

export const serveStdio = (drifted) => create(drifted).connect(new StdioServerTransport());
