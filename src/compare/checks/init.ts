import { formatPointer } from '../../json/json-pointer.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, member } from '../../json/json-value.ts';
import { revisions } from '../../protocol/revisions.ts';
import type { Handshake } from '../../recording/observation.ts';
import { normaliseText, revealDigests } from '../../recording/text-digest.ts';
import type { Comparison } from '../comparison.ts';
import { type Found, orNull, pick, stepChange } from '../found.ts';
import { isEqual } from '../is-equal.ts';
import { compareCapabilities } from './capabilities.ts';
import { compareIdentity } from './identity.ts';

const knownMembers = new Set(['protocolVersion', 'capabilities', 'serverInfo', 'instructions', '_meta', 'resultType']);

/** What `initialize` said on both sides, and how the notification after it was answered. */
export function compareInit({ recording, observation, use, explain }: Comparison): readonly Found[] {
  const recorded = recording.contract.handshake;
  const live = observation.contract.handshake;
  if (recorded === null || live === null) return [];
  const changes = [...compareRevision(recorded, live, use.supports), ...compareInitialized(recorded, live)];
  if (isEqual(recorded.result, live.result)) return changes;
  const before = revealDigests(recorded.result, live.result) as JsonObject; // an object stays an object
  const after = live.result;
  return [
    ...changes,
    ...invalidMembers(before, after),
    ...compareCapabilities(member(before, 'capabilities'), member(after, 'capabilities'), explain),
    ...compareIdentity('initialize', '/serverInfo', member(before, 'serverInfo'), member(after, 'serverInfo')),
    ...compareInstructions(member(before, 'instructions'), member(after, 'instructions')),
    ...unknownMembers(before, after),
    ...compareMeta(before, after),
  ];
}

/** What a server negotiates is compared for one and the same offer only: another offer may well get another answer. */
function compareRevision(recorded: Handshake, live: Handshake, supports: readonly string[] | null): readonly Found[] {
  const before = member(recorded.result, 'protocolVersion');
  const after = member(live.result, 'protocolVersion');
  if (typeof after !== 'string') return [];
  const change = { pointer: '/protocolVersion', before: orNull(before), after };
  const spoken: readonly string[] = supports ?? revisions;
  // A revision nobody knows that was accepted with the recording is no news, unless the consumer lists what it speaks.
  const isNews = before !== after || supports !== null;
  if (!spoken.includes(after)) {
    return isNews
      ? [stepChange('initialize', 'init-protocol-version-unsupported', { ...change, facts: { revision: after } })]
      : [];
  }
  if (typeof before !== 'string' || before === after || recorded.offered !== live.offered) return [];
  // Revisions are dates written so that text order is their order.
  const rule = after < before ? 'init-protocol-version-lowered' : 'init-protocol-version-raised';
  return [stepChange('initialize', rule, { ...change, facts: { from: before, to: after } })];
}

/** Members that a client's parser of the result needs (schema of InitializeResult), each with what it has to be. */
const demands: readonly { readonly pointer: string; readonly holds: (result: JsonObject) => boolean }[] = [
  { pointer: '/protocolVersion', holds: (result) => typeof member(result, 'protocolVersion') === 'string' },
  { pointer: '/capabilities', holds: (result) => isJsonObject(member(result, 'capabilities')) },
  { pointer: '/serverInfo', holds: (result) => isJsonObject(member(result, 'serverInfo')) },
  { pointer: '/serverInfo/name', holds: (result) => holdsText(result, 'name') },
  { pointer: '/serverInfo/version', holds: (result) => holdsText(result, 'version') },
];

const holdsText = (result: JsonObject, name: string): boolean => {
  const info = member(result, 'serverInfo');
  return !isJsonObject(info) || typeof member(info, name) === 'string';
};

/** Only what held when it was recorded. */
const invalidMembers = (before: JsonObject, after: JsonObject): readonly Found[] =>
  demands
    .filter(({ holds }) => holds(before) && !holds(after))
    .map(({ pointer }) =>
      stepChange('initialize', 'init-result-invalid', {
        pointer,
        before: at(before, pointer),
        after: at(after, pointer),
      }),
    );

const at = (result: JsonObject, pointer: string): JsonValue =>
  orNull(
    pointer
      .slice(1)
      .split('/')
      .reduce<JsonValue | undefined>((value, name) => member(value, name), result),
  );

function compareInstructions(before: JsonValue | undefined, after: JsonValue | undefined): readonly Found[] {
  const [from, to] = [wordsOf(before), wordsOf(after)];
  if (from === to) return [];
  const rule =
    from === '' ? 'init-instructions-added' : to === '' ? 'init-instructions-removed' : 'init-instructions-changed';
  return [stepChange('initialize', rule, { pointer: '/instructions', before: orNull(before), after: orNull(after) })];
}

/** The normalised text; a digest whose words are not known stands for itself. Neither: none. */
const wordsOf = (value: JsonValue | undefined): string => {
  if (typeof value === 'string') return normaliseText(value);
  const digest = member(value, 'digest');
  return typeof digest === 'string' ? digest : '';
};

const unknownMembers = (before: JsonObject, after: JsonObject): readonly Found[] =>
  Object.keys(after)
    .filter((name) => !knownMembers.has(name) && !isEqual(member(before, name), member(after, name)))
    .sort()
    .map((name) =>
      stepChange('initialize', 'init-unknown-member-added', {
        pointer: formatPointer([name]),
        before: orNull(member(before, name)),
        after: orNull(member(after, name)),
      }),
    );

/** Keys only: servers put request ids and times there. */
function compareMeta(before: JsonObject, after: JsonObject): readonly Found[] {
  const [from, to] = [member(before, '_meta'), member(after, '_meta')];
  const [fromKeys, toKeys] = [keysOf(from), keysOf(to)];
  if (isEqual(fromKeys, toKeys)) return [];
  const differ = (keys: readonly string[], others: readonly string[]): string[] =>
    keys.filter((key) => !others.includes(key));
  return [
    stepChange('initialize', 'init-meta-changed', {
      pointer: '/_meta',
      before: isJsonObject(from) ? pick(from, differ(fromKeys, toKeys)) : orNull(from),
      after: isJsonObject(to) ? pick(to, differ(toKeys, fromKeys)) : orNull(to),
    }),
  ];
}

const keysOf = (value: JsonValue | undefined): readonly string[] =>
  isJsonObject(value) ? Object.keys(value).sort() : isJsonArray(value) ? ['[]'] : [];

/** Streamable HTTP wants 202 and an empty body for a notification. A refusal is the replay's to blame or to note. */
function compareInitialized(recorded: Handshake, live: Handshake): readonly Found[] {
  const { initialized: before } = recorded;
  const { initialized: after } = live;
  if (after === null || after.status < 200 || after.status >= 300) return [];
  const conforms = after.status === 202 && after.empty;
  const isAsRecorded = before !== null && before.status === after.status && before.empty === after.empty;
  if (conforms || isAsRecorded) return [];
  return [
    stepChange('notifications/initialized', 'initialized-status-nonconforming', {
      before: before === null ? null : { ...before },
      after: { ...after },
      facts: { status: after.status },
    }),
  ];
}
