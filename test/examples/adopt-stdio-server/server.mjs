// A small server of somebody else's, over stdio: one tool, and the same answers every time.
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const tool = {
  name: 'price_of_domain',
  description: 'What a domain costs a year.',
  inputSchema: { type: 'object', properties: { domain: { type: 'string' } }, required: ['domain'] },
  annotations: { readOnlyHint: true, destructiveHint: false },
};

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'prices', version: '1.0.0' },
  }),
  'tools/list': () => ({ tools: [tool] }),
  'tools/call': ({ arguments: { domain } }) => ({ content: [{ type: 'text', text: `${domain} costs 12.00` }] }),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  appendFileSync('asked.txt', `${method}\n`);
  if (id === undefined) continue;
  const result = answers[method]?.(params);
  const answer = result === undefined ? { error: { code: -32601, message: 'Method not found' } } : { result };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`);
}
