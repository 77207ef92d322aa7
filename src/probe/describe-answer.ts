import type { ProbeAnswer, ProbeBody } from '../recording/probes.ts';

const bodies: Readonly<Record<ProbeBody, string>> = {
  unread: '',
  empty: 'no body',
  result: 'result',
  error: 'error',
  batch: 'both results',
  json: 'other JSON',
  html: 'a web page',
  text: 'text',
};

const words: Readonly<Record<string, string>> = {
  'event-stream': 'event stream',
  'id-null': 'id null',
  'id-absent': 'no id',
  'id-other': 'another id',
  'names-supported': 'names the supported',
  'mentions-revisions': 'mentions revisions',
  'session-issued': 'issues a session id',
  'offers-another': 'offers another revision',
  'echoes-revision': 'repeats the revision',
  'endpoint-event': 'endpoint event',
  'endpoint-elsewhere': 'endpoint of another origin',
  'cors-any': 'CORS for any origin',
  'cors-some': 'CORS',
  'answer-null-id': 'an error without the id',
  'answer-string-id': 'the id as a string',
  'answer-no-jsonrpc': 'no `jsonrpc`',
  'answer-null-member': 'result and error, one of them null',
  'answer-no-error-message': 'an error without a message',
  'message-batch': 'an array',
  'response-id-mismatch': 'an id that was not asked',
  'response-envelope-invalid': 'no JSON-RPC response',
  'content-type-absent': 'no Content-Type',
  'content-type-foreign': 'another Content-Type',
  'content-type-mislabelled': 'mislabelled',
  'response-content-type-foreign': 'another Content-Type, and no answer in it',
  issued: 'issued',
  'other-characters': 'not visible ASCII',
  undeclared: 'not declared',
  declared: 'declared',
  deliverable: 'deliverable',
  undeliverable: 'not deliverable',
};
/** Said by another fact already. */
const silent = new Set(['names-requested']);

/** An answer on one line. A fact that this version has no words for (a newer recording) is shown as it is written. */
export function describeAnswer({ status, body, code, facts }: ProbeAnswer): string {
  const verbs = facts.filter((fact) => fact.startsWith('allows-')).map((fact) => fact.slice(7).toUpperCase());
  const told = facts
    .filter((fact) => !silent.has(fact) && !fact.startsWith('allows-'))
    .filter((fact) => fact !== 'mentions-revisions' || !facts.includes('names-supported'))
    .map((fact) => (Object.hasOwn(words, fact) ? (words[fact] ?? fact) : fact));
  const said = body === null ? '' : `${bodies[body]}${code === null ? '' : ` ${code}`}`;
  const parts = [
    [status === null ? '' : String(status), said].filter((part) => part !== '').join(' '),
    ...told,
    ...(verbs.length === 0 ? [] : [`allows ${verbs.join(', ')}`]),
  ].filter((part) => part !== '');
  return parts.length === 0 ? 'as it should be' : parts.join(', ');
}
