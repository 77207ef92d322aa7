import { type Era, eraOf, isRevision, revisions } from '../protocol/revisions.ts';
import type { Recording } from '../recording/recording.ts';
import { quoteName } from '../text/quote-name.ts';
import { type Answer, refusal, type Served } from './answer-method.ts';
import { rpcCodes } from './rpc-message.ts';
import { buildCatalogue } from './served-catalogue.ts';

/** The last word on the answer to a request, as one line of JSON: a rehearsed fault of the server. */
export type BendMessage = (message: string, method: string) => string;

export interface ServingOptions {
  /** Absent: both. */
  readonly eras?: readonly Era[];
  /** Given in place of the recorded ones. */
  readonly instructions?: string | null;
  /** Of mcp-canary. */
  readonly version: string;
  readonly bendMessage?: BendMessage | null;
}

/** What is served, whatever it travels over. */
export interface Serving extends Served {
  readonly bendMessage: BendMessage | null;
}

export function createServing(recordings: readonly Recording[], options: ServingOptions): Serving {
  const eras = options.eras ?? ['handshake', 'stateless'];
  return {
    recordings,
    catalogue: buildCatalogue(recordings),
    instructions: options.instructions ?? null,
    version: options.version,
    supported: revisions.filter((revision) => eras.includes(eraOf(revision))),
    memory: { handshake: new WeakMap(), stateless: new WeakMap() },
    bendMessage: options.bendMessage ?? null,
  };
}

export const speaksHandshake = (serving: Serving): boolean =>
  serving.supported.some((revision) => eraOf(revision) === 'handshake');

export const isStatelessRevision = (version: string | undefined): boolean =>
  version !== undefined && isRevision(version) && eraOf(version) === 'stateless';

export function unsupportedRevision(version: string, { supported }: Serving, isStateless: boolean): Answer {
  const message = `Unsupported protocol version ${quoteName(version)}. Supported: ${supported.join(', ')}`;
  // The code of 2026-07-28 means something only to who speaks it.
  const code = isStateless ? rpcCodes.unsupportedVersion : rpcCodes.refused;
  return refusal(code, message, 400, { supported, requested: version.slice(0, 100) });
}
