import type { Confidence, Finding, Impact, Place } from '../findings/finding.ts';
import { digestOf, fingerprintOfFinding } from '../findings/fingerprint.ts';
import type { JsonValue } from '../json/json-value.ts';
import { ruleOf } from '../rules/catalogue.ts';
import type { Severity } from '../rules/rule.ts';
import { wordFinding } from '../rules/word-finding.ts';
import type { Found } from './found.ts';
import { type Group, pointerOfGroup } from './group-changes.ts';
import { isEqual } from './is-equal.ts';
import type { Weighed } from './weigh-changes.ts';

/** A finding with the changes it was made of. */
export interface Built {
  readonly finding: Finding;
  readonly changes: readonly Found[];
}

/** A finding of each group, worded and with its identity; not yet waived, inhibited or confirmed. */
export function buildFindings(groups: readonly Group[], target: string): readonly Built[] {
  return mergeTwins(
    groups.map((group) => ({
      finding: buildFinding(group, target),
      changes: group.members.map(({ change }) => change),
    })),
  );
}

function buildFinding({ members }: Group, target: string): Finding {
  const [worst] = members;
  const { change } = worst;
  const { family } = ruleOf(change.rule);
  const isGroup = members.length > 1;
  const places: readonly Place[] = members.map((member) => ({
    tool: member.change.tool,
    pointer: member.change.pointer,
  }));
  const place = {
    places,
    case: isGroup ? null : change.case,
    family,
    pointer: isGroup ? pointerOfGroup(members) : change.pointer,
  };
  const tool = isGroup ? null : change.tool;
  const { before, after } = valuesOf(members);
  const facts = sharedFacts(members);
  return {
    fingerprint: fingerprintOfFinding(target, place),
    rule: change.rule,
    family,
    severity: worst.severity,
    confidence: confidenceOf(members),
    impact: impactOf(members),
    method: change.method,
    tool,
    case: place.case,
    pointer: place.pointer,
    places,
    before,
    after,
    digest: digestOf(before, change.stable === undefined ? after : change.stable),
    message: wordFinding({
      rule: change.rule,
      tool,
      case: place.case,
      pointer: place.pointer,
      before,
      after,
      places: places.length,
      ...(facts === undefined ? {} : { facts }),
    }),
    witness: members.find((member) => member.change.witness !== undefined)?.change.witness ?? null,
    waived: null,
    inhibitedBy: null,
    unconfirmed: false,
  };
}

/** What the members share; of a group with one cause and other values each, the names; else those of the worst. */
function valuesOf(members: readonly [Weighed, ...Weighed[]]): {
  readonly before: JsonValue;
  readonly after: JsonValue;
} {
  const [{ change }] = members;
  const isShared = members.every(
    (member) => isEqual(member.change.before, change.before) && isEqual(member.change.after, change.after),
  );
  if (isShared || change.kin === undefined) return { before: change.before, after: change.after };
  // In the order of the places, so that each name has its own beside it.
  const names = members.map((member) => member.change.tool ?? '');
  const becoming = members.map((member) => member.change.after);
  return { before: names, after: becoming.every((value) => value === null) ? null : becoming };
}

function sharedFacts(members: readonly [Weighed, ...Weighed[]]): Found['facts'] | undefined {
  const [{ change }] = members;
  return members.every((member) => isEqual(member.change.facts ?? {}, change.facts ?? {})) ? change.facts : undefined;
}

const impactOf = (members: readonly [Weighed, ...Weighed[]]): Impact =>
  members.some((member) => member.impact === 'hits-recording') ? 'hits-recording' : members[0].impact;

const confidenceOf = (members: readonly [Weighed, ...Weighed[]]): Confidence =>
  members.some((member) => member.change.confidence === 'proven')
    ? 'proven'
    : (members[0].change.confidence ?? 'inferred');

const rank: Readonly<Record<Severity, number>> = { security: 3, breaking: 2, warning: 1, info: 0 };

/**
 * Two findings of one identity are one: an enum that lost a value and gained another changed once, at its place. The
 * worse stands; among equals the one whose rule comes first by name.
 */
function mergeTwins(all: readonly Built[]): readonly Built[] {
  const byFingerprint = new Map<string, Built>();
  for (const one of all) {
    const other = byFingerprint.get(one.finding.fingerprint);
    if (other === undefined) byFingerprint.set(one.finding.fingerprint, one);
    else {
      const { finding } = isBefore(one.finding, other.finding) ? one : other;
      byFingerprint.set(finding.fingerprint, { finding, changes: [...other.changes, ...one.changes] });
    }
  }
  return [...byFingerprint.values()];
}

const isBefore = (a: Finding, b: Finding): boolean => {
  if (a.severity !== b.severity) return rank[a.severity] > rank[b.severity];
  return a.rule !== b.rule ? a.rule < b.rule : a.digest < b.digest;
};
