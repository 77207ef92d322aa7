// What a check of one healthy target sends, with undici alone and a pool of its own.
import { Agent, request } from 'undici';

const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const version = { 'mcp-protocol-version': '2025-11-25' };

export async function bareLook(url) {
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

/** So many looks, so many at a time; seconds and peak memory. */
export async function bareLoop(count, concurrency, addressOf) {
  let next = 0;
  const worker = async () => {
    while (next < count) {
      next += 1;
      await bareLook(addressOf(next - 1));
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: concurrency }, worker));
  return { seconds: (performance.now() - started) / 1000, maxRss: process.resourceUsage().maxRSS };
}
