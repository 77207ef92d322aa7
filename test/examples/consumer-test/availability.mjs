// What a consumer wrote: a client of one registrar that speaks the few methods it needs.
export class Unavailable extends Error {}

/** Whether a domain can be registered, by the registrar's own word. @throws Unavailable where it has none. */
export async function isAvailable(domain, url) {
  const ask = async (method, params, more = {}) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...more },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    if (!response.ok) throw new Unavailable(`the registrar answered ${response.status}`);
    const text = await response.text();
    const message = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text);
    if (message.error) throw new Unavailable(message.error.message);
    return message.result;
  };
  const clientInfo = { name: 'availability', version: '1.0.0' };
  const { protocolVersion } = await ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  const call = { name: 'domains_check_availability', arguments: { domains: domain } };
  const result = await ask('tools/call', call, { 'mcp-protocol-version': protocolVersion });
  if (typeof result.structuredContent?.isAvailable !== 'boolean') throw new Unavailable('the registrar did not say');
  return result.structuredContent.isAvailable;
}
