import type { Pace } from '../client/guards/guard-rate.ts';
import { createHttpClient } from '../client/http-client.ts';
import { createSseClient } from '../client/sse-client.ts';
import { createStdioClient } from '../client/stdio-client.ts';
import { createUndiciFetch } from '../client/undici-fetch.ts';
import type { HttpEndpoint, TargetConfig } from '../config/config.ts';
import { CanaryError } from '../errors.ts';
import type { Clock, Processes, Random } from '../ports.ts';
import type { OpenFetch } from '../probe/probe-target.ts';
import { createRedactor } from '../recording/redact.ts';
import type { OpenClient } from './take-look.ts';

export interface OpenClientWorld {
  readonly clock: Clock;
  readonly random: Random;
  readonly processes: Processes;
  /** The text of a file that the config names. */
  readonly readText: (file: string) => string;
  /** The pace of an origin, where many targets are checked at the same time; absent: each keeps its own. */
  readonly paceOf?: (origin: string) => Pace;
}

/**
 * Opens clients by the transport that the config names; none is ever guessed or fallen back to. All clients of one look
 * share its deadline.
 */
export const createOpenClient =
  (world: OpenClientWorld): OpenClient =>
  (target, signal) => {
    const { endpoint } = target;
    const deadline = world.clock.monotonic() + target.limits.targetMs;
    const settings = {
      era: target.era,
      revision: target.revision,
      identity: target.identity,
      callable: callableTools(target),
      limits: target.limits,
      signal,
      deadline,
    };
    if (target.transport !== 'stdio' && endpoint.kind === 'http') {
      const create = target.transport === 'sse' ? createSseClient : createHttpClient;
      const pace = world.paceOf?.(new URL(endpoint.url).origin);
      return () => {
        const { fetch, close } = createUndiciFetch(fetchOptions(target, endpoint, world));
        return create(
          { ...settings, url: endpoint.url, credentials: target.credentials },
          { ...world, fetch, closeConnections: close, ...(pace === undefined ? {} : { pace }) },
        );
      };
    }
    if (target.transport === 'stdio' && endpoint.kind === 'stdio') {
      const { redactMessage } = createRedactor(target.secrets);
      return () => createStdioClient({ ...settings, ...endpoint, redact: redactMessage }, world);
    }
    throw new CanaryError(
      'internal',
      `${target.id}: the transport ${target.transport} has no such address.`,
      'Report it, with this target of the config.',
    );
  };

/** Only tools with `calls` are callable; the list is made once and never widened. */
const callableTools = (target: TargetConfig): ReadonlySet<string> =>
  new Set([...(target.use.tools ?? [])].filter(([, use]) => Object.keys(use.calls).length > 0).map(([tool]) => tool));

/** A pool of connections of its own to the address of a target, for who needs no client. */
export const createOpenFetch =
  (world: Pick<OpenClientWorld, 'readText'>): OpenFetch =>
  (target, endpoint) =>
    createUndiciFetch(fetchOptions(target, endpoint, world));

const fetchOptions = (target: TargetConfig, endpoint: HttpEndpoint, world: Pick<OpenClientWorld, 'readText'>) => ({
  connectMs: target.limits.connectMs,
  ...(endpoint.caFile === null ? {} : { ca: readCa(target, endpoint.caFile, world) }),
  ...(endpoint.proxy === null ? {} : { proxy: endpoint.proxy }),
});

/** The authorities that a target trusts beside the platform's. @throws CanaryError `config` */
export function readCa(target: TargetConfig, file: string, world: Pick<OpenClientWorld, 'readText'>): string {
  const fault = (what: string, cause?: unknown): CanaryError =>
    new CanaryError('config', `${target.id}: tls.caFile ${file} ${what}.`, 'Name a PEM file with certificates.', {
      cause,
    });
  let text: string;
  try {
    text = world.readText(file);
  } catch (error) {
    throw fault('cannot be read', error);
  }
  if (!/^-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----/m.test(text)) throw fault('holds no certificate');
  return text;
}
