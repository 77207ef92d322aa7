import type { RuleId } from '../rules/catalogue.ts';
import type { Finding } from './finding.ts';

/** A finding that a person accepts for now. */
export interface Waiver {
  readonly rule: RuleId;
  readonly tool?: string;
  /** A whole fingerprint, or the beginning of one. */
  readonly fingerprint?: string;
  /** Inclusive, UTC, YYYY-MM-DD. */
  readonly until?: string;
  readonly reason: string;
}

/** A waiver that should go: its day is over, or nothing is left that it could waive. */
export interface StaleWaiver {
  readonly waiver: Waiver;
  readonly reason: 'expired' | 'matches-nothing';
}

export interface WaiversApplied {
  readonly findings: readonly Finding[];
  readonly stale: readonly StaleWaiver[];
}

/** A group is waived for one tool only where every place of it is that tool. */
const fitsTool = (finding: Finding, tool: string): boolean =>
  finding.tool === tool || (finding.places.length > 0 && finding.places.every((place) => place.tool === tool));

const fits = (waiver: Waiver, finding: Finding): boolean =>
  waiver.rule === finding.rule &&
  (waiver.tool === undefined || fitsTool(finding, waiver.tool)) &&
  (waiver.fingerprint === undefined || finding.fingerprint.startsWith(waiver.fingerprint));

/**
 * Marks the findings that a waiver in force fits, and lists the waivers that are stale. `today` is the UTC date of the
 * run as YYYY-MM-DD; `until` is the last day on which a waiver holds. Where a target could not be judged, the caller
 * should not report `matches-nothing`: the finding may be there all the same.
 */
export function applyWaivers(findings: readonly Finding[], waivers: readonly Waiver[], today: string): WaiversApplied {
  const isOver = (waiver: Waiver): boolean => waiver.until !== undefined && waiver.until < today;
  const inForce = waivers.filter((waiver) => !isOver(waiver));
  const waived = findings.map((finding) => {
    const waiver = inForce.find((candidate) => fits(candidate, finding));
    return waiver === undefined
      ? finding
      : { ...finding, waived: { reason: waiver.reason, until: waiver.until ?? null } };
  });
  const stale = waivers.flatMap((waiver): StaleWaiver[] => {
    if (isOver(waiver)) return [{ waiver, reason: 'expired' }];
    return findings.some((finding) => fits(waiver, finding)) ? [] : [{ waiver, reason: 'matches-nothing' }];
  });
  return { findings: waived, stale };
}
