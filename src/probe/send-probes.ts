import type { HttpSettings } from '../client/client-settings.ts';
import { createExchangeControl } from '../client/exchange-control.ts';
import { newPace } from '../client/guards/guard-rate.ts';
import type { GuardedFetch } from '../client/guards/guard-time.ts';
import { guardFetch } from '../client/http-client.ts';
import { commonHeaders } from '../client/transports/http-headers.ts';
import { faultOf, WireFault } from '../client/wire-fault.ts';
import type { Failure } from '../findings/failure.ts';
import { limits } from '../limits.ts';
import type { Clock, FetchLike, Random } from '../ports.ts';
import type { Revision } from '../protocol/revisions.ts';
import type { ProbeAnswer } from '../recording/probes.ts';
import { type BuiltRequest, buildRequest } from './build-request.ts';
import { type Conversation, openConversation } from './open-conversation.ts';
import type { Circumstances, SeenProbe, Sending } from './probe.ts';
import { type CatalogueProbe, type ProbeId, probesFor } from './probes.ts';
import { readAnswer } from './read-answer.ts';
import { watchConversation } from './watch-conversation.ts';
import { type WatchedFetch, watchFetch } from './watch-fetch.ts';

export interface ProbeSettings extends HttpSettings {
  readonly revision: Revision;
  readonly transport: 'streamable-http' | 'sse';
}

export interface ProbeWorld {
  /** Not guarded yet. */
  readonly fetch: FetchLike;
  readonly clock: Clock;
  readonly random: Random;
}

/** What the probes of one server brought: not judged. */
export interface ProbedServer {
  readonly offered: Revision;
  /** Spoken with the server; null: that was not found out. */
  readonly revision: Revision | null;
  /** Of every probe that means something to it, in the order of the catalogue. */
  readonly seen: ReadonlyMap<ProbeId, SeenProbe>;
  readonly circumstances: Omit<Circumstances, 'revision'>;
  /** Why not everything was asked; null: everything was. */
  readonly failure: Failure | null;
}

/**
 * Speaks with a server as a client does, then asks each probe once, one after another, through all guards of the client.
 * Only `initialize`, `notifications/initialized` and `tools/list` are sent, and bare HTTP verbs: no tool is ever called.
 * Every session the server gave is ended. Never throws.
 */
export async function sendProbes(settings: ProbeSettings, world: ProbeWorld): Promise<ProbedServer> {
  const deadline = settings.deadline ?? world.clock.monotonic() + settings.limits.targetMs;
  const watched = watchFetch(world.fetch);
  const unguarded = { ...world, fetch: watched.fetch, pace: newPace() };
  const guarded = guardFetch({ ...settings, deadline }, unguarded);
  const probeMs = Math.min(limits.probeMs, settings.limits.requestMs);
  const brief = { ...settings.limits, firstByteMs: Math.min(probeMs, settings.limits.firstByteMs), requestMs: probeMs };
  const asking: Asking = {
    settings,
    world,
    watched,
    fetchLast: guarded.fetchLast,
    fetch: guardFetch({ ...settings, limits: brief, deadline }, unguarded).fetch,
    nextId: countFrom(1 + Math.floor(world.random.fraction() * 1_000_000)),
    ended: new Set(),
  };
  if (settings.transport === 'sse') return probeStream(asking);
  const conversation = await openConversation(settings, { ...world, ...guarded, watched });
  try {
    return await probeConversation(asking, conversation);
  } finally {
    await endSessions(asking);
  }
}

interface Asking {
  readonly settings: ProbeSettings;
  readonly world: ProbeWorld;
  readonly watched: WatchedFetch;
  readonly fetch: GuardedFetch;
  readonly fetchLast: GuardedFetch;
  readonly nextId: () => number;
  /** Ids of sessions that were ended. */
  readonly ended: Set<string>;
}

const countFrom = (first: number): (() => number) => {
  let next = first;
  return () => next++;
};

async function probeConversation(asking: Asking, conversation: Conversation): Promise<ProbedServer> {
  const { settings } = asking;
  const catalogue = probesFor('streamable-http', settings.era);
  const { seen, failure } = await askAll(asking, catalogue, conversation);
  for (const [id, what] of watchConversation(conversation, seen)) seen.set(id, what);
  return {
    offered: settings.revision,
    revision: conversation.revision,
    seen: inOrder(catalogue, seen),
    circumstances: {
      ...surroundings(settings),
      hasSession: conversation.session !== null,
      paginates: conversation.pages === null ? null : conversation.pages > 1,
      isStatelessOnly: isGone(seen.get('initialize-gone')),
    },
    failure,
  };
}

async function probeStream(asking: Asking): Promise<ProbedServer> {
  const catalogue = probesFor('sse', asking.settings.era);
  const { seen, failure } = await askAll(asking, catalogue, null);
  const circumstances = { ...surroundings(asking.settings), hasSession: false, paginates: null, isStatelessOnly: null };
  // The transport is of this revision, whatever is spoken over it.
  const offered = '2024-11-05';
  const isThere = [...seen.values()].some(({ kind }) => kind === 'answered');
  return { offered, revision: isThere ? offered : null, seen: inOrder(catalogue, seen), circumstances, failure };
}

const surroundings = ({
  era,
  transport,
  url,
}: ProbeSettings): Pick<Circumstances, 'era' | 'transport' | 'isLoopback'> => ({
  era,
  transport,
  isLoopback: isLoopback(url),
});

const isLoopback = (url: string): boolean =>
  URL.canParse(url) && /^(?:localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname);

function isGone(seen: SeenProbe | undefined): boolean | null {
  if (seen?.kind !== 'answered') return null;
  return seen.answer.status === 404 && Number(seen.answer.code) === -32601;
}

const inOrder = (
  catalogue: readonly CatalogueProbe[],
  seen: ReadonlyMap<ProbeId, SeenProbe>,
): ReadonlyMap<ProbeId, SeenProbe> =>
  new Map(catalogue.map(({ id }) => [id, seen.get(id) ?? { kind: 'failed', why: 'not reached' }]));

/** So many questions in a row that meet no answer: the server is gone, or has had enough of us. */
const mostSilences = 3;

async function askAll(
  asking: Asking,
  catalogue: readonly CatalogueProbe[],
  conversation: Conversation | null,
): Promise<{ readonly seen: Map<ProbeId, SeenProbe>; readonly failure: Failure | null }> {
  const seen = new Map<ProbeId, SeenProbe>();
  let failure = conversation?.failure ?? null;
  let silences = 0;
  for (const probe of catalogue) {
    if (probe.sends === null) continue;
    const needless = failure === null ? needlessBecause(probe.sends, asking, conversation) : null;
    if (needless !== null) seen.set(probe.id, { kind: 'not-sent', why: needless });
    if (failure !== null) seen.set(probe.id, { kind: 'failed', why: `not asked: ${failure.class}` });
    if (needless !== null || failure !== null) continue;
    const came = await ask(asking, probe.sends, conversation);
    seen.set(probe.id, came.kind === 'fault' ? { kind: 'failed', why: came.fault.message } : came);
    silences = came.kind === 'fault' ? silences + 1 : 0;
    failure = endOf(came, silences);
  }
  return { seen, failure };
}

function needlessBecause(
  sending: Sending,
  { settings, ended }: Asking,
  conversation: Conversation | null,
): string | null {
  if (settings.era === 'stateless' || conversation === null) return null;
  const { session, sessionState } = conversation;
  const isAboutSession = sending.verb === 'DELETE' || sending.session === 'ended' || isListWithout(sending);
  if (isAboutSession && session === null)
    return sessionState === 'invalid' ? 'no client can send this session id back' : 'no session id was issued';
  if (sending.session === 'ended' && session !== null && !ended.has(session)) return 'the server ended no session';
  return null;
}

const isListWithout = ({ session, method }: Sending): boolean => session === 'none' && method === 'tools/list';

type Came = Extract<SeenProbe, { kind: 'answered' | 'failed' }> | { readonly kind: 'fault'; readonly fault: WireFault };

/** Why no further question is of use. */
function endOf(came: Came, silences: number): Failure | null {
  const step = 'probe' as const;
  if (came.kind === 'answered' && came.answer.status === 429)
    return { class: 'rate-limited', step, message: 'The server asks us to slow down (status 429).' };
  if (came.kind !== 'fault') return null;
  const { failure, message } = came.fault;
  const isFinal = failure === 'canceled' || failure === 'tls' || failure === 'internal' || failure === 'refused';
  return isFinal || silences >= mostSilences ? { class: failure, step, message } : null;
}

/** One probe, sent once whatever comes of it. */
async function ask(asking: Asking, sending: Sending, conversation: Conversation | null): Promise<Came> {
  const { settings, world } = asking;
  const spoken = { settings, session: conversation?.session ?? null, revision: conversation?.revision ?? null };
  const built = buildRequest(sending, spoken, asking.nextId, world.random.uuid());
  const exchange = createExchangeControl();
  try {
    const fetch = sending.verb === 'DELETE' ? asking.fetchLast : asking.fetch;
    const response = await fetch(settings.url, built.request, exchange);
    const answer = await readAnswer(response, {
      verb: sending.verb,
      url: settings.url,
      ids: built.ids,
      session: built.session,
      headOnly: sending.headOnly === true,
      limits: settings.limits,
      clock: world.clock,
      abandon: () => exchange.abort(),
    });
    if (answer instanceof WireFault) return { kind: 'fault', fault: answer };
    return conclude(asking, sending, built, spoken.session, answer);
  } catch (error) {
    return { kind: 'fault', fault: faultOf(error, 'no-answer') };
  } finally {
    exchange.abort();
  }
}

function conclude(
  asking: Asking,
  sending: Sending,
  { session }: BuiltRequest,
  live: string | null,
  answer: ProbeAnswer,
): Came {
  const { status } = answer;
  if (sending.verb === 'DELETE' && session !== null && status !== null && status >= 200 && status < 300)
    asking.ended.add(session);
  // A question in the live session that is answered so says that there is none any more ("Session Management").
  const isLost = sending.verb === 'POST' && sending.session === undefined && live !== null && status === 404;
  return isLost ? { kind: 'failed', why: 'the session was lost' } : { kind: 'answered', answer };
}

/** Also those that came with a refusal. Whatever the answer, there is nothing left to do about it. */
async function endSessions({ settings, watched, fetchLast, ended }: Asking): Promise<void> {
  const open = watched.sessions().filter((id) => !ended.has(id) && /^[\x21-\x7e]+$/.test(id));
  await Promise.all(
    open.map(async (id) => {
      const exchange = createExchangeControl();
      const headers = { ...commonHeaders(settings, { id: null, revision: null }), 'Mcp-Session-Id': id };
      await fetchLast(settings.url, { method: 'DELETE', headers, redirect: 'manual' }, exchange).catch(() => undefined);
      exchange.abort();
    }),
  );
}
