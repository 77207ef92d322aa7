import type { Finding, Place } from '../findings/finding.ts';
import { parsePointer } from '../json/json-pointer.ts';
import { isJsonArray, type JsonObject } from '../json/json-value.ts';
import type { ToolList } from '../protocol/tool-list.ts';
import type { RuleId } from '../rules/catalogue.ts';
import { byCodeUnit } from '../text/by-code-unit.ts';
import { acceptWireFacts } from './accept-transport.ts';
import { nameOf, normaliseContract } from './normal-form.ts';
import type { Contract, Handshake } from './observation.ts';
import { patchObject } from './patch-object.ts';
import { type Acceptance, caseKey, type KnownBreach, type Recording } from './recording.ts';

/** What of a finding says where it is. */
export type AcceptedFinding = Pick<
  Finding,
  'fingerprint' | 'rule' | 'method' | 'tool' | 'case' | 'pointer' | 'places' | 'after'
>;

/**
 * How much around a finding is taken along. 0: what its pointer names, and no more. Some findings are about more than one
 * place (a fixed value that became a type, a moved definition): a number takes the value so many steps around the place,
 * `member` the whole member of the tool or handshake, and `whole` the whole tool, handshake or list.
 */
export type Grain = number | 'member' | 'whole';

/**
 * The previous recording with the given findings accepted, taken from the candidate, and everything else untouched.
 * `recordedAt` stays: the baseline as a whole was not taken again.
 */
export function acceptFindings(
  previous: Recording,
  candidate: Recording,
  findings: readonly AcceptedFinding[],
  acceptance: Omit<Acceptance, 'fingerprints'>,
  grain: Grain = 0,
): Recording {
  const accepted = findings.reduce((recording, finding) => acceptOne(recording, candidate, finding, grain), previous);
  const fingerprints = [...new Set(findings.map((finding) => finding.fingerprint))].sort(byCodeUnit);
  return {
    ...accepted,
    contract: normaliseContract(accepted.contract),
    acceptances: [...previous.acceptances, { ...acceptance, fingerprints }],
  };
}

/** The whole candidate, with the acceptance written down. */
export const acceptAll = (previous: Recording, candidate: Recording, acceptance: Acceptance): Recording => ({
  ...candidate,
  acceptances: [...previous.acceptances, acceptance],
});

function acceptOne(recording: Recording, candidate: Recording, finding: AcceptedFinding, grain: Grain): Recording {
  const places: readonly Place[] =
    finding.places.length > 0 ? finding.places : [{ tool: finding.tool, pointer: finding.pointer }];
  const facts = acceptFacts(recording, candidate, finding);
  // Such a finding is about nothing that was said.
  if (facts !== null && grain === 0) return facts;
  return places.reduce<Recording>(
    (current, place, at) =>
      acceptPlace(current, candidate, finding, { ...place, rule: finding.rule, movedTo: movedTo(finding, at) }, grain),
    facts ?? recording,
  );
}

/** The new name of a renamed tool: of several that were renamed alike, the names stand in the order of the places. */
function movedTo({ after, places }: AcceptedFinding, at: number): string | null {
  const name = places.length > 1 && isJsonArray(after) ? after[at] : after;
  return typeof name === 'string' ? name : null;
}

function acceptPlace(
  recording: Recording,
  candidate: Recording,
  finding: AcceptedFinding,
  place: ListedPlace,
  grain: Grain,
): Recording {
  const wire =
    grain === 0 ? acceptWireFacts(recording.contract, candidate.contract, { ...finding, tool: place.tool }) : null;
  if (wire !== null) return { ...recording, contract: wire };
  switch (finding.method) {
    case 'initialize':
    case 'notifications/initialized':
      return acceptHandshake(recording, candidate, place.pointer, grain);
    case 'tools/list':
      return acceptListed(recording, candidate, place, grain);
    case 'tools/call': {
      // Some results are told because of what the tool promises since tonight.
      const promised =
        grain === 'whole' && place.tool !== null ? acceptListed(recording, candidate, place, grain) : recording;
      return acceptCalls(promised, candidate, place.tool, finding.case);
    }
  }
}

/** Facts about the recording as a whole, where the finding is about them: a breach, or how the server wants callers to sign in. */
function acceptFacts(recording: Recording, candidate: Recording, { rule, method }: AcceptedFinding): Recording | null {
  const isMeant = (one: KnownBreach): boolean => one.code === rule && one.method === method;
  const taken = (candidate.breaches ?? []).filter(isMeant);
  const isAuth = rule.startsWith('auth-');
  if (taken.length === 0 && !isAuth) return null;
  const known = (recording.breaches ?? []).filter((one) => !isMeant(one));
  return {
    ...recording,
    ...(taken.length === 0 ? {} : { breaches: [...known, ...taken] }),
    ...(isAuth ? { challenge: candidate.challenge, authenticated: candidate.authenticated } : {}),
  };
}

const withContract = (recording: Recording, part: Partial<Contract>): Recording => ({
  ...recording,
  contract: { ...recording.contract, ...part },
});

function acceptHandshake(recording: Recording, candidate: Recording, pointer: string | null, grain: Grain): Recording {
  const from = recording.contract.handshake;
  const to = candidate.contract.handshake;
  if (to === null) return recording;
  const tokens = tokensOf(pointer, grain);
  const revision = tokens.length === 0 || tokens[0] === 'protocolVersion' ? candidate.revision : recording.revision;
  return {
    ...withContract(recording, {
      handshake: from === null || grain === 'whole' ? to : patchHandshake(from, to, tokens),
    }),
    revision,
  };
}

/** Without a pointer it is about how the step went, not about what was said. */
const patchHandshake = (from: Handshake, to: Handshake, tokens: readonly string[]): Handshake =>
  tokens.length === 0
    ? { ...to, result: from.result }
    : { ...from, result: patchObject(from.result, to.result, tokens) };

interface ListedPlace extends Place {
  readonly rule: RuleId;
  readonly movedTo: string | null;
}

function acceptListed(recording: Recording, candidate: Recording, place: ListedPlace, grain: Grain): Recording {
  const from = recording.contract.list;
  const to = candidate.contract.list;
  if (to === null) return recording;
  if (from === null || (place.tool === null && grain === 'whole')) return withContract(recording, { list: to });
  const list =
    place.tool === null
      ? patchList(from, to, tokensOf(place.pointer, grain), place.rule)
      : patchTool(from, to, place.tool, place, grain);
  return withContract(recording, { list });
}

function patchList(from: ToolList, to: ToolList, tokens: readonly string[], rule: RuleId): ToolList {
  const [name] = tokens;
  if (rule === 'tools-list-malformed' && name === undefined) return { ...from, malformed: to.malformed };
  if (name === 'tools') return { ...from, tools: to.tools };
  if (name === 'nextCursor') return { ...from, pages: to.pages, beyondFirstPage: to.beyondFirstPage };
  if (name !== undefined && (Object.hasOwn(from.members, name) || Object.hasOwn(to.members, name))) {
    return { ...from, members: patchObject(from.members, to.members, tokens) };
  }
  return { ...to, tools: from.tools, members: from.members };
}

function patchTool(from: ToolList, to: ToolList, name: string, place: ListedPlace, grain: Grain): ToolList {
  const before = toolNamed(from, name);
  const after = toolNamed(to, name);
  const tokens = tokensOf(place.pointer, grain);
  const isWhole = before === undefined || after === undefined || tokens.length === 0 || grain === 'whole';
  const patched = isWhole ? after : patchObject(before, after, tokens);
  const others = from.tools.filter((tool) => nameOf(tool) !== name);
  const moved = after === undefined ? newTool(from, to, place.movedTo) : undefined;
  return {
    ...from,
    // Whether a name stands for one tool is part of what the name says.
    duplicates: isWhole || tokens[0] === 'name' ? followName(from.duplicates, to.duplicates, name) : from.duplicates,
    tools: [...others, ...(patched === undefined ? [] : [patched]), ...(moved === undefined ? [] : [moved])],
  };
}

const followName = (from: readonly string[], to: readonly string[], name: string): readonly string[] => [
  ...from.filter((one) => one !== name),
  ...(to.includes(name) ? [name] : []),
];

const toolNamed = (list: ToolList, name: string): JsonObject | undefined =>
  list.tools.find((tool) => nameOf(tool) === name);

const newTool = (from: ToolList, to: ToolList, name: string | null): JsonObject | undefined =>
  name !== null && toolNamed(from, name) === undefined ? toolNamed(to, name) : undefined;

/** A result is compared as a whole shape, so a case is accepted as a whole. */
function acceptCalls(
  recording: Recording,
  candidate: Recording,
  tool: string | null,
  caseName: string | null,
): Recording {
  const isMeant = (call: Contract['calls'][number]): boolean =>
    (tool === null || call.tool === tool) && (caseName === null || call.case === caseName);
  const taken = candidate.contract.calls.filter(isMeant);
  const keys = new Set(taken.map((call) => caseKey(call.tool, call.case)));
  const others = recording.contract.calls.filter((call) => !keys.has(caseKey(call.tool, call.case)));
  const shapes = new Map([...recording.shapes].filter(([key]) => !keys.has(key)));
  for (const key of keys) {
    const shape = candidate.shapes.get(key);
    if (shape !== undefined) shapes.set(key, shape);
  }
  return { ...withContract(recording, { calls: [...others, ...taken] }), shapes };
}

function tokensOf(pointer: string | null, grain: Grain): readonly string[] {
  const tokens = pointer === null ? [] : (parsePointer(pointer) ?? []);
  return tokens.slice(0, typeof grain === 'number' ? Math.max(tokens.length - grain, 1) : 1);
}
