// The official SDK, first line: every mode of its Streamable HTTP transport, the old SSE transport, and stdio.
import { randomUUID } from 'node:crypto';
import { InMemoryEventStore } from '@modelcontextprotocol/sdk/examples/shared/inMemoryEventStore.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { register } from './fixture-tools.mjs';

const create = (drifted) => register(new McpServer({ name: 'sdk-v1', version: '1.0.0' }), drifted, (shape) => shape);

const stateful = (drifted, options) => {
  const sessions = new Map();
  return async (request, response) => {
    const known = sessions.get(request.headers['mcp-session-id']);
    if (known !== undefined) return known.handleRequest(request, response);
    const transport = new StreamableHTTPServerTransport({
      ...options(),
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => sessions.set(id, transport),
      onsessionclosed: (id) => sessions.delete(id),
    });
    await create(drifted).connect(transport);
    return transport.handleRequest(request, response);
  };
};

const stateless = (drifted, options) => async (request, response) => {
  const transport = new StreamableHTTPServerTransport({ ...options, sessionIdGenerator: undefined });
  const server = create(drifted);
  response.on('close', () => server.close());
  await server.connect(transport);
  return transport.handleRequest(request, response);
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
  'sdk-v1-stateful-sse': stateful(drifted, () => ({})),
  'sdk-v1-stateful-json': stateful(drifted, () => ({ enableJsonResponse: true })),
  'sdk-v1-resumable': stateful(drifted, () => ({ eventStore: new InMemoryEventStore(), retryInterval: 100 })),
  'sdk-v1-stateless-sse': stateless(drifted, {}),
  'sdk-v1-stateless-json': stateless(drifted, { enableJsonResponse: true }),
  'sdk-v1-old-sse': oldSse(drifted),
});

export const serveStdio = (drifted) => create(drifted).connect(new StdioServerTransport());
