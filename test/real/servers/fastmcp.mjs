// fastmcp brings an HTTP server of its own: one for each mode.
import { FastMCP } from 'fastmcp';
import { z } from 'zod';
import { resultOf, toolsOf } from './fixture-tools.mjs';

const create = (drifted) => {
  const server = new FastMCP({ name: 'fastmcp', version: '1.0.0' });
  for (const tool of toolsOf(drifted)) {
    server.addTool({
      name: tool.name,
      description: tool.description,
      parameters: z.object(tool.input),
      ...(tool.output === null ? {} : { outputSchema: tool.output }),
      annotations: { title: tool.title, readOnlyHint: true },
      execute: async (args) => resultOf(tool, args),
    });
  }
  return server;
};

const modes = {
  'fastmcp-stateful-sse': {},
  'fastmcp-stateful-json': { enableJsonResponse: true },
  'fastmcp-stateless-sse': { stateless: true },
  'fastmcp-stateless-json': { stateless: true, enableJsonResponse: true },
};

/** The addresses by the name of the mode; each takes a port. */
export async function listen(drifted, ports) {
  const urls = {};
  for (const [at, [name, mode]] of Object.entries(modes).entries()) {
    const httpStream = { ...mode, host: '127.0.0.1', port: ports[at] };
    await create(drifted).start({ transportType: 'httpStream', httpStream });
    urls[name] = `http://127.0.0.1:${ports[at]}/mcp`;
  }
  return urls;
}

export const serveStdio = (drifted) => create(drifted).start({ transportType: 'stdio' });
