// The server of the benchmarks, in a process of its own: the smallest thing that answers the four methods.
import http from 'node:http';

const tool = {
  name: 'echo',
  description: 'Repeats a text.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
};
const results = {
  initialize: (params) => ({
    protocolVersion: params.protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'bench', version: '1.0.0' },
  }),
  'tools/list': () => ({ tools: [tool] }),
  'tools/call': (params) => ({ content: [{ type: 'text', text: params.arguments.text }], isError: false }),
};

const server = http.createServer((req, res) => {
  let body = '';
  req.setEncoding('utf8').on('data', (chunk) => {
    body += chunk;
  });
  req.on('end', () => {
    if (req.method !== 'POST') return res.writeHead(405, { allow: 'POST' }).end();
    const { id, method, params } = JSON.parse(body);
    if (id === undefined) return res.writeHead(202).end();
    const answer = JSON.stringify({ jsonrpc: '2.0', id, result: results[method](params) });
    return res
      .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(answer) })
      .end(answer);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, process.argv[2] ?? '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
