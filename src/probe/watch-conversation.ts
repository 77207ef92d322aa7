import type { ProbeAnswer } from '../recording/probes.ts';
import type { Conversation } from './open-conversation.ts';
import type { SeenProbe } from './probe.ts';
import type { ProbeId } from './probes.ts';

/** Codes of notes and breaches of the client, by the question they answer. */
const oddities = {
  'reply-id': ['answer-null-id', 'answer-string-id', 'response-id-mismatch'],
  'reply-envelope': [
    'answer-no-error-message',
    'answer-no-jsonrpc',
    'answer-null-member',
    'message-batch',
    'response-envelope-invalid',
  ],
  'reply-media-type': [
    'content-type-absent',
    'content-type-foreign',
    'content-type-mislabelled',
    'response-content-type-foreign',
  ],
} as const;

/** Answers to the questions for which nothing is sent: what the conversation and the other answers have shown. */
export function watchConversation(
  conversation: Conversation,
  seen: ReadonlyMap<ProbeId, SeenProbe>,
): readonly (readonly [ProbeId, SeenProbe])[] {
  const names = Object.keys(oddities) as (keyof typeof oddities)[];
  return [
    ...names.map((id) => [id, watchReplies(id, conversation, seen)] as const),
    ['session-id', watchSessionId(conversation)],
    ['notification-answer', watchNotification(conversation)],
    ['list-changed', watchListChanged(conversation, seen.get('stream-get'))],
  ];
}

const derived = (facts: readonly string[]): SeenProbe => ({
  kind: 'answered',
  answer: { status: null, body: null, code: null, facts },
});
const unseen: SeenProbe = { kind: 'failed', why: 'the conversation did not come so far' };

function watchReplies(
  id: keyof typeof oddities,
  conversation: Conversation,
  seen: ReadonlyMap<ProbeId, SeenProbe>,
): SeenProbe {
  const wrong: string[] = oddities[id].filter((code) => conversation.oddities.has(code));
  // The error to a request that could be read must name its id, too.
  const refused = seen.get('cursor-bogus');
  if (id === 'reply-id' && refused?.kind === 'answered')
    wrong.push(...refused.answer.facts.filter((fact) => fact.startsWith('id-')));
  return wrong.length === 0 && conversation.pages === null ? unseen : derived(wrong);
}

function watchSessionId({ revision, sessionState, pages }: Conversation): SeenProbe {
  if (revision === null) return unseen;
  if (revision >= '2026-07-28') {
    if (sessionState !== 'none') return derived(['issued']);
    return pages === null ? unseen : derived([]);
  }
  if (sessionState === 'none') return { kind: 'not-sent', why: 'no session id was issued' };
  return derived(sessionState === 'issued' ? ['issued'] : ['issued', 'other-characters']);
}

const watchNotification = ({ notified }: Conversation): SeenProbe =>
  notified === null ? unseen : { kind: 'answered', answer: notified };

function watchListChanged({ declaresListChanged }: Conversation, stream: SeenProbe | undefined): SeenProbe {
  if (declaresListChanged === null) return unseen;
  if (!declaresListChanged) return derived(['undeclared']);
  if (stream?.kind !== 'answered') return derived(['declared']);
  return derived(['declared', hasStream(stream.answer) ? 'deliverable' : 'undeliverable']);
}

const hasStream = ({ status, facts }: ProbeAnswer): boolean => status === 200 && facts.includes('event-stream');
