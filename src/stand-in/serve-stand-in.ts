import type { Recording } from '../recording/recording.ts';
import type { Secret } from '../text/secret.ts';
import type { HttpAsk, HttpReply } from './http-message.ts';
import { gateOf, listenHttp, type RunningStandIn, sendReply } from './listen-http.ts';
import type { ServingOptions } from './serving.ts';
import { createStandIn, endpoint } from './stand-in.ts';

export type { RunningStandIn } from './listen-http.ts';

export interface ServeOptions extends ServingOptions {
  readonly recordings: readonly Recording[];
  /** 0 takes a free one. */
  readonly port: number;
  /** Absent: 127.0.0.1. */
  readonly host?: string;
  readonly bearer?: Secret | null;
  /** Further Host names that are served on loopback: a port forward keeps the outside name. */
  readonly allowHosts?: readonly string[];
  /** As `StandInOptions`. */
  readonly isRehearsal?: boolean;
  readonly bend?: ((reply: HttpReply, ask: HttpAsk) => HttpReply) | null;
}

/**
 * Serves recordings over Streamable HTTP until it is closed.
 * @throws CanaryError `usage` where the port cannot be had.
 */
export async function serveStandIn(options: ServeOptions): Promise<RunningStandIn> {
  const standIn = createStandIn(options.recordings, { ...options, gate: gateOf(options) });
  return await listenHttp({
    ...options,
    path: endpoint.path,
    respond: (ask, response) => sendReply(response, standIn.handle(ask)),
  });
}
