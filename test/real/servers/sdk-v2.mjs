// The official SDK, second line: the transport of its node adapter, its handler for both eras, mcp-handler on top, stdio.
import { NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { serveStdio as serve } from '@modelcontextprotocol/server/stdio';
import { createMcpHandler as createFrameworkHandler } from 'mcp-handler';
import { z } from 'zod';
import { register } from './fixture-tools.mjs';
import { stateful, stateless } from './sessions.mjs';

const fill = (server, drifted) => register(server, drifted, (shape) => z.object(shape));
const create = (drifted) => fill(new McpServer({ name: 'sdk-v2', version: '1.0.0' }), drifted);

/** `options`: of each transport. */
const openWith =
  (drifted, options = {}) =>
  async (more) => {
    const [transport, server] = [new NodeStreamableHTTPServerTransport({ ...options, ...more }), create(drifted)];
    await server.connect(transport);
    return { transport, server };
  };

const bothEras = (drifted, options) => toNodeHandler(createMcpHandler(() => create(drifted), options));

const framework = (drifted) =>
  toNodeHandler({
    fetch: createFrameworkHandler((server) => void fill(server, drifted), {
      serverInfo: { name: 'mcp-handler', version: '1.0.0' },
    }),
  });

/** Handlers of node:http by the name of the mode. */
export const handlers = (drifted) => ({
  'sdk-v2-stateful-sse': stateful(openWith(drifted)),
  'sdk-v2-stateful-json': stateful(openWith(drifted, { enableJsonResponse: true })),
  'sdk-v2-stateless-sse': stateless(openWith(drifted)),
  'sdk-v2-stateless-json': stateless(openWith(drifted, { enableJsonResponse: true })),
  'sdk-v2-handler-auto': bothEras(drifted, { responseMode: 'auto' }),
  'sdk-v2-handler-sse': bothEras(drifted, { responseMode: 'sse' }),
  'sdk-v2-handler-json': bothEras(drifted, { responseMode: 'json' }),
  'sdk-v2-stateless-era-only': bothEras(drifted, { legacy: 'reject' }),
  'mcp-handler': framework(drifted),
});

export const serveStdio = (drifted) => serve(() => create(drifted));
