import type { Failure } from '../findings/failure.ts';
import { counts, type Finding } from '../findings/finding.ts';
import { orderFindings } from '../findings/order.ts';
import { type ConsumerUse, casesOf } from '../recording/consumer-use.ts';
import type { Observation } from '../recording/observation.ts';
import { ruleOf } from '../rules/catalogue.ts';
import type { Severity } from '../rules/rule.ts';
import { nameOfTool } from './comparison.ts';
import { unstableFinding } from './run-findings.ts';

/** One look and what comparing it gave. */
export interface JudgedLook {
  readonly findings: readonly Finding[];
  readonly observation: Observation;
}

export interface Confirmed {
  /** What both looks show counts; what one of them shows is `unconfirmed`. Worst first. */
  readonly findings: readonly Finding[];
  /** `observation-unstable` for what would count and one look did not show, though it could have. */
  readonly canary: readonly Finding[];
  /** Of class `unstable`: the looks saw different sets of tools, so the target was not judged. */
  readonly failures: readonly Failure[];
}

/**
 * Holds two looks against each other. A server that answers in turns cannot hide: what it shows in both looks counts at
 * its worst, and what it shows in one leaves the target unjudged.
 */
export function confirmFindings({
  use,
  first,
  second,
}: {
  readonly use: ConsumerUse;
  readonly first: JudgedLook;
  readonly second: JudgedLook;
}): Confirmed {
  const listsDiffer = haveOtherTools(first.observation, second.observation);
  const isHeldBack = (finding: Finding): boolean => listsDiffer && presenceFamilies.has(finding.family);
  const partners = pairFindings(first.findings, second.findings);
  const paired = new Set(partners.values());

  const confirmed: Finding[] = [];
  const single: { readonly finding: Finding; readonly other: JudgedLook }[] = [];
  for (const finding of first.findings) {
    const partner = partners.get(finding);
    if (isHeldBack(finding)) single.push({ finding, other: second });
    else if (partner !== undefined) confirmed.push(worse(finding, partner));
    else if (isAskedOnce(finding, use)) confirmed.push(finding);
    else single.push({ finding, other: second });
  }
  for (const finding of second.findings) {
    if (!paired.has(finding)) single.push({ finding, other: first });
  }
  const standing = new Set(confirmed.map(({ fingerprint }) => fingerprint));
  return {
    findings: orderFindings([
      // A cause that one look only showed explains nothing that both did.
      ...confirmed.map((finding) =>
        finding.inhibitedBy === null || standing.has(finding.inhibitedBy) ? finding : { ...finding, inhibitedBy: null },
      ),
      ...single
        .filter(({ finding }) => !standing.has(finding.fingerprint))
        .map(({ finding }) => ({ ...finding, unconfirmed: true })),
    ]),
    canary: orderFindings(
      single
        .filter(
          ({ finding, other }) =>
            finding.severity !== 'info' && counts(finding) && couldHaveShown(finding, other.observation),
        )
        .map(({ finding }) => unstableFinding(use.target, finding)),
    ),
    failures: listsDiffer
      ? [{ class: 'unstable', step: 'confirm', message: 'Two looks were given different sets of tools.' }]
      : [],
  };
}

/** Rules about which tools there are: where the sets differ, none of them holds. */
const presenceFamilies: ReadonlySet<string> = new Set(['tool-presence', 'tools-list', 'tool-duplicate-name']);

function haveOtherTools(first: Observation, second: Observation): boolean {
  const [a, b] = [first.contract.list, second.contract.list];
  if (a === null || b === null) return false;
  const names = new Set(a.tools.map(nameOfTool));
  return names.size !== new Set(b.tools.map(nameOfTool)).size || b.tools.some((tool) => !names.has(nameOfTool(tool)));
}

/**
 * Which finding of the second look is which of the first: by fingerprint; else by rule and a place that both have, since
 * what is a group in one look may be a single finding in the other.
 */
function pairFindings(first: readonly Finding[], second: readonly Finding[]): ReadonlyMap<Finding, Finding> {
  const partners = new Map<Finding, Finding>();
  const byFingerprint = new Map(second.map((finding) => [finding.fingerprint, finding]));
  const free = new Set(second);
  for (const finding of first) {
    const partner = byFingerprint.get(finding.fingerprint);
    if (partner === undefined) continue;
    partners.set(finding, partner);
    free.delete(partner);
  }
  const byPlace = new Map([...free].flatMap((finding) => placesOf(finding).map((place) => [place, finding])));
  for (const finding of first) {
    if (partners.has(finding)) continue;
    const partner = placesOf(finding)
      .map((place) => byPlace.get(place))
      .find((other) => other !== undefined && (other.places.length > 1 || finding.places.length > 1));
    if (partner !== undefined) partners.set(finding, partner);
  }
  return partners;
}

const placesOf = ({ rule, places }: Finding): readonly string[] =>
  places.map(({ tool, pointer }) => JSON.stringify([rule, tool, pointer]));

const rank: Readonly<Record<Severity, number>> = { security: 3, breaking: 2, warning: 1, info: 0 };

/** The worse of one finding in two looks; among equals always the same one, or answers that alternate would be news every night. */
function worse(a: Finding, b: Finding): Finding {
  if (a.severity !== b.severity) return rank[a.severity] > rank[b.severity] ? a : b;
  return a.fingerprint === b.fingerprint && b.digest < a.digest ? b : a;
}

/** Every call it is about is sent in the first look only (`repeat: false`), so no second look could show it. */
function isAskedOnce(finding: Finding, use: ConsumerUse): boolean {
  if (finding.method !== 'tools/call' || ruleOf(finding.rule).area === 'transport') return false;
  return finding.places.every(({ tool }) => {
    const cases =
      tool === null ? [] : [...casesOf(use, tool)].filter(([name]) => finding.case === null || finding.case === name);
    return cases.length > 0 && cases.every(([, callCase]) => !callCase.repeat);
  });
}

/** Whether a look got an answer to the step that a finding is about. What failed says so by its failure. */
const couldHaveShown = ({ method, places, case: caseName }: Finding, { replayed }: Observation): boolean =>
  replayed.some(
    (step) =>
      step.method === method &&
      step.outcome === 'answered' &&
      (method !== 'tools/call' ||
        (places.some(({ tool }) => tool === step.tool) && (caseName === null || caseName === step.case))),
  );
