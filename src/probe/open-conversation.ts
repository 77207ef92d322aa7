import type { HttpSettings } from '../client/client-settings.ts';
import { createClient } from '../client/create-client.ts';
import type { GuardedFetch } from '../client/guards/guard-time.ts';
import type { McpClient, Outcome } from '../client/mcp-client.ts';
import { createStreamableHttp } from '../client/transports/streamable-http.ts';
import type { Failure, FailureClass } from '../findings/failure.ts';
import { member } from '../json/json-value.ts';
import type { Clock, Random } from '../ports.ts';
import { isRevision, type Revision } from '../protocol/revisions.ts';
import type { ProbeAnswer } from '../recording/probes.ts';
import type { WatchedFetch } from './watch-fetch.ts';

export interface ConversationWorld {
  readonly watched: Pick<WatchedFetch, 'sessions'>;
  /** Guarded: see `http-client.ts`. */
  readonly fetch: GuardedFetch;
  readonly fetchLast: GuardedFetch;
  readonly clock: Clock;
  readonly random: Random;
}

/** What a conforming conversation of the methods that change nothing shows, before anything odd is asked. */
export interface Conversation {
  /** Negotiated, or spoken without a handshake; null where the conversation failed before that was known. */
  readonly revision: Revision | null;
  /** Of the server, as far as it was a legal one. */
  readonly session: string | null;
  readonly sessionState: 'none' | 'issued' | 'invalid';
  /** How `notifications/initialized` was answered; null: it was not sent, or nothing came. */
  readonly notified: ProbeAnswer | null;
  /** `tools.listChanged` was declared; null: there was no handshake. */
  readonly declaresListChanged: boolean | null;
  /** null: no list came. */
  readonly pages: number | null;
  /** Codes of what was odd or wrong about the answers: of notes and of breaches. */
  readonly oddities: ReadonlySet<string>;
  /** Why nothing further can be asked; null: it can. */
  readonly failure: Failure | null;
}

/** After these every further question would meet the same. */
const hopeless: ReadonlySet<FailureClass> = new Set([
  'unreachable',
  'timeout',
  'tls',
  'session-lost',
  'auth',
  'blocked',
  'rate-limited',
  'refused',
  'internal',
  'canceled',
]);

/** Speaks with the server as the canary's client does every night; nothing is callable, and the session stays open. */
export async function openConversation(settings: HttpSettings, world: ConversationWorld): Promise<Conversation> {
  const { watched, fetch, fetchLast, clock } = world;
  const closeConnections = () => Promise.resolve();
  const transport = createStreamableHttp(settings, { fetch, fetchLast, clock, closeConnections });
  const client = createClient({ ...settings, callable: new Set() }, transport, world);
  return settings.era === 'handshake' ? shakeHands(client, watched) : listOnly(client, settings, watched);
}

async function shakeHands(client: McpClient, watched: ConversationWorld['watched']): Promise<Conversation> {
  const opened = await client.initialize();
  const seen: Outcome<unknown>[] = [opened];
  if (opened.kind !== 'answered')
    return { ...nothing, ...look(client, seen), failure: failureOf('initialize', opened) };
  const { result, session } = opened.value;
  const settled = member(result, 'protocolVersion');
  const told = {
    ...nothing,
    session: session === 'issued' ? (watched.sessions().at(-1) ?? null) : null,
    sessionState: session,
    declaresListChanged: member(member(member(result, 'capabilities'), 'tools'), 'listChanged') === true,
  };
  if (typeof settled !== 'string' || !isRevision(settled) || settled >= '2026-07-28') {
    const message = 'The server settled on a revision that cannot be spoken here.';
    return { ...told, ...look(client, seen), failure: { class: 'protocol', step: 'initialize', message } };
  }
  const notified = await client.notifyInitialized();
  const listed = await client.listTools();
  seen.push(notified, listed);
  return {
    ...told,
    revision: settled,
    notified: notificationAnswer(notified),
    pages: listed.kind === 'answered' ? listed.value.pages : null,
    ...look(client, seen),
    failure: hopelessness(listed),
  };
}

async function listOnly(
  client: McpClient,
  settings: HttpSettings,
  watched: ConversationWorld['watched'],
): Promise<Conversation> {
  const listed = await client.listTools();
  // An error says that it is no server of this era, or wants something else first.
  const failure = listed.kind === 'error' ? failureOf('tools/list', listed) : hopelessness(listed);
  return {
    ...nothing,
    revision: failure === null && isRevision(settings.revision) ? settings.revision : null,
    sessionState: watched.sessions().length === 0 ? 'none' : 'issued',
    pages: listed.kind === 'answered' ? listed.value.pages : null,
    ...look(client, [listed]),
    failure,
  };
}

const hopelessness = (outcome: Outcome<unknown>): Failure | null =>
  outcome.kind === 'failed' && hopeless.has(outcome.failure.class) ? outcome.failure : null;

const nothing = {
  revision: null,
  session: null,
  sessionState: 'none',
  notified: null,
  declaresListChanged: null,
  pages: null,
} as const;

const look = (client: McpClient, seen: readonly Outcome<unknown>[]): Pick<Conversation, 'oddities'> => ({
  oddities: new Set([
    ...client.notes().map((note) => note.code),
    ...seen.flatMap((outcome) => outcome.breaches.map((breach) => breach.code)),
  ]),
});

const failureOf = (step: Failure['step'], outcome: Extract<Outcome<unknown>, { kind: 'error' | 'failed' }>): Failure =>
  outcome.kind === 'failed'
    ? outcome.failure
    : { class: 'protocol', step, message: `The server answered with the JSON-RPC error ${outcome.error.code}.` };

function notificationAnswer(
  outcome: Outcome<{ readonly status: number; readonly empty: boolean } | null>,
): ProbeAnswer | null {
  const answer = { code: null, facts: [] };
  if (outcome.kind === 'answered' && outcome.value !== null)
    return { status: outcome.value.status, body: outcome.value.empty ? 'empty' : 'text', ...answer };
  const status = outcome.measures.httpStatus;
  return status === null ? null : { status, body: outcome.measures.bytes === 0 ? 'empty' : 'text', ...answer };
}
