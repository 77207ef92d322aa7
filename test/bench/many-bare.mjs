import { Agent, request } from 'undici';

const url = process.argv[2];
const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
async function check() {
  const dispatcher = new Agent();
  const send = async (message, more = {}) => {
    const { body } = await request(url, {
      dispatcher,
      method: 'POST',
      headers: { ...headers, ...more },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    });
    const text = await body.text();
    return text === '' ? undefined : JSON.parse(text);
  };
  const version = { 'mcp-protocol-version': '2025-11-25' };
  await send({
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bare', version: '1.0.0' } },
  });
  await send({ method: 'notifications/initialized' }, version);
  await send({ id: 2, method: 'tools/list', params: {} }, version);
  await send({ id: 3, method: 'tools/call', params: { name: 'echo', arguments: { text: 'hello' } } }, version);
  await dispatcher.close();
}
let left = 500;
const worker = async () => {
  while (left > 0) {
    left -= 1;
    await check();
  }
};
const started = performance.now();
await Promise.all(Array.from({ length: 32 }, worker));
const seconds = (performance.now() - started) / 1000;
console.log(JSON.stringify({ perSecond: 500 / seconds, maxRss: process.resourceUsage().maxRSS }));
