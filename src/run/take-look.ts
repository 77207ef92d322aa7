import type { McpClient } from '../client/mcp-client.ts';
import type { TargetConfig } from '../config/config.ts';
import type { Observation } from '../recording/observation.ts';
import type { Redactor } from '../recording/redact.ts';
import { redactObservation } from '../replay/redact-observation.ts';
import { replayTarget } from '../replay/replay-target.ts';

/** Opens clients for one look: they share its deadline and end with its signal. */
export type OpenClient = (target: TargetConfig, signal: AbortSignal) => () => McpClient;

/** One look at a target, on connections of its own, redacted: also of the session ids and cookies it was given. */
export async function takeLook(
  target: TargetConfig,
  isFirst: boolean,
  redactor: Redactor,
  open: OpenClient,
  signal: AbortSignal,
): Promise<{ readonly observation: Observation; readonly redactor: Redactor }> {
  const clients: McpClient[] = [];
  // One listener a look on the signal that all of them share, however many requests a look has.
  const look = new AbortController();
  const interrupt = (): void => look.abort(signal.reason);
  if (signal.aborted) interrupt();
  signal.addEventListener('abort', interrupt, { once: true });
  const openClient = open(target, look.signal);
  const observation = await replayTarget({
    target: target.id,
    era: target.era,
    offered: target.revision,
    use: target.use,
    isFirst,
    openClient: () => {
      const client = openClient();
      clients.push(client);
      return client;
    },
  }).finally(() => signal.removeEventListener('abort', interrupt));
  const knowing = clients
    .flatMap((client) => client.secrets())
    .reduce((known, secret) => known.withSecret(secret), redactor);
  return { observation: redactObservation(observation, knowing), redactor: knowing };
}
