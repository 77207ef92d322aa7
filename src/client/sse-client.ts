import type { HttpSettings } from './client-settings.ts';
import { createClient } from './create-client.ts';
import { guardFetch, type HttpWorld } from './http-client.ts';
import type { McpClient } from './mcp-client.ts';
import { createSse } from './transports/sse.ts';

/** The four-method client over the transport of 2024-11-05. One client is one stream. */
export function createSseClient(settings: HttpSettings, world: HttpWorld): McpClient {
  const deadline = settings.deadline ?? world.clock.monotonic() + settings.limits.targetMs;
  const whole = { ...settings, deadline };
  const { fetch, fetchStream } = guardFetch(whole, world);
  const closeConnections = world.closeConnections ?? (() => Promise.resolve());
  return createClient(whole, createSse(whole, { fetch, fetchStream, clock: world.clock, closeConnections }), world);
}
