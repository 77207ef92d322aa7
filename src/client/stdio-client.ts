import type { Random } from '../ports.ts';
import type { StdioSettings } from './client-settings.ts';
import { createClient } from './create-client.ts';
import type { McpClient } from './mcp-client.ts';
import { createStdio, type StdioWorld } from './transports/stdio.ts';

/** The four-method client over a child's stdin and stdout. One client is one child; `close` ends it and all that it started. */
export function createStdioClient(settings: StdioSettings, world: StdioWorld & { readonly random: Random }): McpClient {
  const deadline = settings.deadline ?? world.clock.monotonic() + settings.limits.targetMs;
  const whole = { ...settings, deadline };
  return createClient(whole, createStdio(whole, world), world);
}
