// Runs as a process of its own (bundled, with --expose-gc): reads one shape of answer at the ceilings, and prints what it took.
import { createHttpClient } from '../../../src/client/http-client.ts';
import { targetLimits } from '../../../src/limits.ts';
import type { FetchResponse } from '../../../src/ports.ts';
import { systemClock } from '../../../src/system-clock.ts';
import { type Shape, shapes } from './shapes.ts';

export interface Measured {
  readonly outcome: string;
  /** Bytes that the server handed out, as they travel. */
  readonly sent: number;
  /** Decoded bytes that the client counted. */
  readonly decoded: number;
  /** Bytes by which the process grew at its highest. */
  readonly grown: number;
  /** Bytes that the answer still holds when everything else is collected. */
  readonly held: number;
}

const collect = (): void => (globalThis as { gc?: () => void }).gc?.();

async function measure(shape: Shape): Promise<Measured> {
  let sent = 0;
  const parts = shape.parts();
  const body = async function* (nth: number): AsyncGenerator<Uint8Array> {
    for (const part of parts(nth)) {
      sent += part.length;
      yield part;
    }
  };
  const respond = (nth: number): FetchResponse => ({
    status: 200,
    headers: { get: (name) => shape.headers[name] ?? null, forEach: () => undefined },
    body: body(nth),
    isRaw: true,
  });
  let asked = 0;
  const client = createHttpClient(
    {
      era: 'handshake',
      revision: '2025-11-25',
      identity: { name: 'measure', version: '1', userAgent: 'measure/1' },
      callable: new Set(),
      limits: { ...targetLimits, firstByteMs: 600_000, requestMs: 600_000, targetMs: 600_000 },
      url: 'http://127.0.0.1:1/mcp',
      credentials: null,
    },
    { clock: systemClock, random: { uuid: () => '', fraction: () => 0.5 }, fetch: async () => respond(++asked) },
  );
  collect();
  const before = process.memoryUsage();
  const highest = process.resourceUsage().maxRSS * 1024;
  const outcome = await client.listTools();
  const peak = process.resourceUsage().maxRSS * 1024;
  collect();
  const after = process.memoryUsage();
  return {
    outcome: outcome.kind === 'failed' ? outcome.failure.class : outcome.kind,
    sent,
    decoded: outcome.measures.bytes,
    // What the start of the process took may be more than all of it.
    grown: peak > highest ? peak - before.rss : 0,
    held: after.heapUsed + after.external - before.heapUsed - before.external,
  };
}

const shape = shapes[process.argv[2] ?? ''];
if (shape === undefined) throw new Error(`There is no shape ${process.argv[2]}.`);
process.stdout.write(JSON.stringify(await measure(shape)));
