import type { HandshakeFacts, McpClient, Outcome } from '../client/mcp-client.ts';
import type { Failure } from '../findings/failure.ts';
import { member } from '../json/json-value.ts';
import { limits } from '../limits.ts';
import type { Breach } from '../protocol/breach.ts';
import type { Method } from '../protocol/methods.ts';
import { type Era, revisions } from '../protocol/revisions.ts';
import type { ConsumerUse } from '../recording/consumer-use.ts';
import type { Handshake, Observation } from '../recording/observation.ts';
import {
  emptyProgress,
  keepCall,
  keepStep,
  type PlannedCall,
  type Progress,
  plannedCalls,
  skipped,
  skipRest,
} from './look-progress.ts';
import { refusalBreach, statelessListBreach } from './refusal-breach.ts';

/** What one look needs. The client is opened anew for each session, so a lost one is never reused. */
export interface Look {
  readonly target: string;
  readonly era: Era;
  /** The revision we offer (handshake) or speak (stateless). */
  readonly offered: string;
  readonly use: ConsumerUse;
  /** The second look leaves out cases that say `repeat: false`. */
  readonly isFirst: boolean;
  readonly openClient: () => McpClient;
}

/**
 * Sends the requests of a target once, on connections of its own, and says what came back: not redacted, not judged.
 * A lost session is begun anew at most twice (the half list of the old one is dropped), a call is never sent twice.
 */
export async function replayTarget(look: Look): Promise<Observation> {
  const planned = plannedCalls(look.use, look.isFirst);
  const progress = emptyProgress();
  let next = 0;
  let regained: Method | null = null;
  for (let session = 0; session <= limits.sessionRestarts; session += 1) {
    const before = {
      breaches: progress.breaches.length,
      failures: progress.failures.length,
      replayed: progress.replayed.length,
    };
    const client = look.openClient();
    let end: SessionEnd;
    try {
      end = await replaySession(look, client, progress, planned, next);
    } finally {
      // Whatever happened: a session, or a child process, must not be left behind.
      progress.notes.push(...client.notes(), ...(await client.close()));
    }
    next = end.next;
    if (!end.sessionLost) {
      if (regained !== null) progress.breaches.push(sessionUnstable(regained));
      break;
    }
    const isLast = session === limits.sessionRestarts || (end.lostAt === 'tools/call' && next >= planned.length);
    if (isLast) break;
    regained = end.lostAt;
    if (end.lostAt !== 'tools/call') {
      // The lost session's half answers say nothing about the server, only that the session did not hold.
      progress.breaches.length = before.breaches;
      progress.failures.length = before.failures;
      progress.replayed.length = before.replayed;
    }
  }
  // Whatever else may go wrong above: a step that failed, no list, and nothing that says why, must not look like no change.
  const hasFailed = progress.list === null && progress.replayed.some(({ outcome }) => outcome === 'failed');
  if (hasFailed && progress.failures.length === 0 && progress.breaches.length === 0)
    progress.failures.push(unexplained);
  for (const call of planned.slice(next)) progress.replayed.push(skipped('tools/call', call.tool, call.case));
  const { handshake, list, calls, ...rest } = progress;
  return { target: look.target, era: look.era, contract: { handshake, list, calls }, ...rest };
}

const unexplained: Failure = {
  class: 'internal',
  step: 'tools/list',
  message: 'The look ended before the tools were listed, and nothing says why.',
};

interface SessionEnd {
  readonly sessionLost: boolean;
  readonly lostAt: Method;
  /** Index of the first planned call that was neither sent nor refused. */
  readonly next: number;
}

async function replaySession(
  look: Look,
  client: McpClient,
  progress: Progress,
  planned: readonly PlannedCall[],
  from: number,
): Promise<SessionEnd> {
  const lost = (lostAt: Method, next = from): SessionEnd => ({ sessionLost: true, lostAt, next });
  const stop = (next = from): SessionEnd => ({ sessionLost: false, lostAt: 'initialize', next });
  let refusedNotification: Failure | null = null;

  if (look.era === 'handshake') {
    const opened = await client.initialize();
    keepStep(progress, 'initialize', opened);
    if (opened.kind === 'failed' && opened.sessionLost) return lost('initialize');
    if (opened.kind !== 'answered') {
      if (opened.kind === 'error')
        progress.breaches.push(refusalBreach('initialize', opened.error, opened.transport.httpStatus));
      skipRest(progress, ['notifications/initialized', 'tools/list']);
      return stop();
    }
    progress.handshake = handshakeOf(look.offered, opened.value, opened.transport);
    progress.revision = negotiated(opened.value);
    if (!speaks(look.use, progress.revision)) {
      // A client that cannot speak the counter-offer disconnects (spec, "Version Negotiation"); compare says what it was.
      skipRest(progress, ['notifications/initialized', 'tools/list']);
      return stop();
    }

    const told = await client.notifyInitialized();
    keepStep(progress, 'notifications/initialized', told, { failureCounts: false });
    if (told.kind === 'answered') progress.handshake = { ...progress.handshake, initialized: told.value };
    else if (told.kind === 'failed') {
      if (told.sessionLost) {
        // Taken back where another session is begun.
        progress.failures.push(told.failure);
        skipRest(progress, ['tools/list']);
        return lost('notifications/initialized');
      }
      if (!isRefusal(told)) {
        progress.failures.push(told.failure);
        skipRest(progress, ['tools/list']);
        return stop();
      }
      refusedNotification = told.failure;
    }
  }

  const listed = await client.listTools();
  keepStep(progress, 'tools/list', listed);
  if (listed.kind === 'failed' && listed.sessionLost) return lost('tools/list');
  if (refusedNotification !== null) noteOrBlameNotification(progress, refusedNotification, listed.kind === 'answered');
  if (listed.kind !== 'answered') {
    if (listed.kind === 'error')
      progress.breaches.push(
        refusalBreach(
          look.era === 'stateless' ? 'stateless tools/list' : 'tools/list',
          listed.error,
          listed.transport.httpStatus,
        ),
      );
    return stop();
  }
  if (look.era === 'stateless') {
    const unusable = statelessListBreach(listed.value);
    if (unusable !== null) {
      progress.breaches.push(unusable);
      return stop();
    }
    progress.revision = look.offered;
  }
  progress.list = listed.value;

  for (let index = from; index < planned.length; index += 1) {
    const call = planned[index];
    if (call === undefined) break;
    const outcome = await client.callTool(call.tool, call.callCase.arguments);
    keepCall(progress, look.use, call, outcome);
    if (outcome.kind === 'failed' && outcome.sessionLost) return lost('tools/call', index + 1);
    if (outcome.kind === 'failed' && endsLook(outcome.failure)) return stop(index + 1);
  }
  return stop(planned.length);
}

/** After these nothing further is asked tonight: the server or we ourselves have run out of time or patience. */
const endsLook = (failure: Failure): boolean =>
  ['canceled', 'internal', 'rate-limited', 'unreachable', 'tls', 'exited'].includes(failure.class);

/** A 4xx to the notification, as opposed to a transport that broke down. */
const isRefusal = (outcome: Outcome<unknown> & { kind: 'failed' }): boolean =>
  outcome.failure.class === 'protocol' &&
  outcome.measures.httpStatus !== null &&
  outcome.measures.httpStatus >= 400 &&
  outcome.measures.httpStatus < 500;

function noteOrBlameNotification(progress: Progress, refused: Failure, listWorks: boolean): void {
  if (listWorks) {
    progress.notes.push({ code: 'initialized-refused', step: 'notifications/initialized', message: refused.message });
    return;
  }
  progress.failures.unshift(refused);
  progress.breaches.push({
    code: 'initialized-rejected',
    method: 'notifications/initialized',
    tool: null,
    case: null,
    pointer: null,
    evidence: refused.message,
  });
}

const handshakeOf = (offered: string, facts: HandshakeFacts, transport: Handshake['transport']): Handshake => ({
  offered,
  result: facts.result,
  initialized: null,
  session: facts.session,
  transport,
});

function negotiated(facts: HandshakeFacts): string | null {
  const version = member(facts.result, 'protocolVersion');
  return typeof version === 'string' ? version : null;
}

const speaks = (use: ConsumerUse, version: string | null): boolean =>
  version !== null && (use.supports ?? revisions).includes(version);

const sessionUnstable = (lostAt: Method): Breach => ({
  code: 'session-unstable',
  method: lostAt,
  tool: null,
  case: null,
  pointer: null,
  evidence: null,
});
