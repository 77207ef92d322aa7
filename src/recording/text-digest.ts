import { sha256Of } from '../json/digest.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, member } from '../json/json-value.ts';
import { mapItems, mapMembers } from '../json/map-members.ts';
import { nameOf } from './normal-form.ts';
import type { Contract } from './observation.ts';

/** What stands in place of a text whose wording is not ours to publish: equality still works, the words are not there. */
export interface TextDigest extends JsonObject {
  /** `sha256:` and 64 hex digits of the normalised text. */
  readonly digest: string;
  /** UTF-16 units of the normalised text. */
  readonly length: number;
}

/** Two texts that read the same: Unicode NFC, every run of blanks and line ends one space, none at the ends. */
export const normaliseText = (text: string): string => text.normalize('NFC').replace(/\s+/gu, ' ').trim();

export function digestText(text: string): TextDigest {
  const normal = normaliseText(text);
  return { digest: sha256Of(normal), length: normal.length };
}

export function isTextDigest(value: JsonValue | undefined): value is TextDigest {
  if (!isJsonObject(value) || Object.keys(value).length !== 2) return false;
  const digest = member(value, 'digest');
  const length = member(value, 'length');
  return (
    typeof digest === 'string' &&
    /^sha256:[0-9a-f]{64}$/.test(digest) &&
    typeof length === 'number' &&
    Number.isInteger(length) &&
    length >= 0
  );
}

/**
 * What a stand-in serves in place of words that were left out. It names the digest, so that a comparison with the same
 * recording finds nothing changed, and is as long as the words were, where they were not shorter than the mark.
 */
export function standInText({ digest, length }: TextDigest): string {
  const mark = `[words left out of the recording: ${digest}]`;
  return mark + '.'.repeat(Math.max(0, length - mark.length));
}

/** Whether a recorded text says the same as a live one, or a stand-in's mark of it. */
export const isSameText = (recorded: TextDigest, live: JsonValue | undefined): live is string =>
  typeof live === 'string' && (digestText(live).digest === recorded.digest || live === standInText(recorded));

/**
 * Puts words back where the live side proves them: each digest whose text stands at the same place of `live` becomes that
 * text, so that a comparison finds them equal. Other digests stay.
 */
export function revealDigests(recorded: JsonValue, live: JsonValue | undefined): JsonValue {
  if (isTextDigest(recorded)) return isSameText(recorded, live) ? live : recorded;
  if (isJsonArray(recorded)) {
    const other = isJsonArray(live) ? live : [];
    return recorded.map((item, at) => revealDigests(item, other[at]));
  }
  if (!isJsonObject(recorded)) return recorded;
  return revealObject(recorded, live);
}

const revealObject = (recorded: JsonObject, live: JsonValue | undefined): JsonObject =>
  mapMembers(recorded, (value, key) => revealDigests(value, member(live, key)));

/** `revealDigests` for a whole contract; tools are matched by name, calls by tool and case. */
export function revealContract(recorded: Contract, live: Contract): Contract {
  const liveTools = new Map((live.list?.tools ?? []).map((tool) => [nameOf(tool), tool]));
  const reveal = (call: Contract['calls'][number]): Contract['calls'][number] => {
    const other = live.calls.find((one) => one.tool === call.tool && one.case === call.case);
    if (call.outcome.kind !== 'result' || other?.outcome.kind !== 'result') return call;
    return { ...call, outcome: { kind: 'result', result: revealObject(call.outcome.result, other.outcome.result) } };
  };
  return {
    handshake:
      recorded.handshake === null
        ? null
        : { ...recorded.handshake, result: revealObject(recorded.handshake.result, live.handshake?.result) },
    list:
      recorded.list === null
        ? null
        : {
            ...recorded.list,
            tools: recorded.list.tools.map((tool) => revealObject(tool, liveTools.get(nameOf(tool)))),
            members: revealObject(recorded.list.members, live.list?.members),
          },
    calls: recorded.calls.map(reveal),
  };
}

/** The members whose texts a server words for people and models. */
export const wordedMembers: ReadonlySet<string> = new Set(['description', 'instructions', 'title']);

/** Replaces the texts under the given member names by their digests, at any depth. */
export function digestMembers<T extends JsonValue>(value: T, names: ReadonlySet<string>): T;
export function digestMembers(value: JsonValue, names: ReadonlySet<string>): JsonValue {
  if (isJsonArray(value)) return mapItems(value, (item) => digestMembers(item, names));
  if (!isJsonObject(value) || isTextDigest(value)) return value;
  return mapMembers(value, (inner, key) =>
    typeof inner === 'string' && names.has(key) ? digestText(inner) : digestMembers(inner, names),
  );
}

/** Of a result, also what its blocks say. */
const wordedResultMembers: ReadonlySet<string> = new Set([...wordedMembers, 'text']);

/** A contract without the words of the server: the texts it writes for people and models are their digests. */
export const digestContract = (contract: Contract): Contract => ({
  handshake:
    contract.handshake === null
      ? null
      : { ...contract.handshake, result: digestMembers(contract.handshake.result, wordedMembers) },
  list:
    contract.list === null
      ? null
      : {
          ...contract.list,
          tools: contract.list.tools.map((tool) => digestMembers(tool, wordedMembers)),
          members: digestMembers(contract.list.members, wordedMembers),
        },
  calls: contract.calls.map((call) =>
    call.outcome.kind === 'result'
      ? {
          ...call,
          outcome: { kind: 'result' as const, result: digestMembers(call.outcome.result, wordedResultMembers) },
        }
      : call,
  ),
});

/** The names of the members that hold digests: whoever left out words once does so for the next ones, too. */
export function digestedMembers(value: JsonValue): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (inner: JsonValue): void => {
    if (isJsonArray(inner)) inner.forEach(visit);
    else if (isJsonObject(inner)) {
      for (const [key, item] of Object.entries(inner)) {
        if (isTextDigest(item)) names.add(key);
        else visit(item);
      }
    }
  };
  visit(value);
  return names;
}
