// What a check would cost without the canary: the same four requests, sent and read with undici alone.
import { Agent, request } from 'undici';

const url = process.argv[2];
const dispatcher = new Agent();
const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
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
