import { createHash } from 'node:crypto';
import { canonicalJson } from '../json/canonical-json.ts';
import type { JsonValue } from '../json/json-value.ts';
import type { Finding, Place } from './finding.ts';

/** What a finding is about: the server as a whole, one tool, one call of a tool, or several places at once. */
export type FingerprintKind = 'server' | 'tool' | 'case' | 'group';

export interface Identity {
  readonly target: string;
  readonly kind: FingerprintKind;
  /** The tool, or `tool/case`; empty for a server and a group. */
  readonly name: string;
  /** The family of the rule: a finding that worsens in place stays the same one. */
  readonly family: string;
  readonly pointer: string | null;
}

const shortHash = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex').slice(0, 16);

/**
 * The identity of a finding across runs, 16 hex digits: no wording, value, severity, time, position or version goes in.
 * `f1` names the algorithm, so that a later one can read what this one wrote.
 */
export const fingerprintOf = ({ target, kind, name, family, pointer }: Identity): string =>
  // The separator cannot come from a name, or a server could choose the fingerprint of another finding.
  shortHash(['f1', target, kind, name, family, pointer ?? ''].map((part) => part.replaceAll('\0', '\\0')).join('\0'));

/** Kind and name of a finding at these places. */
export function subjectOf(
  places: readonly Place[],
  caseName: string | null,
): { readonly kind: FingerprintKind; readonly name: string } {
  const tool = places[0]?.tool ?? null;
  if (places.length > 1) return { kind: 'group', name: '' };
  if (tool === null) return { kind: 'server', name: '' };
  return caseName === null ? { kind: 'tool', name: tool } : { kind: 'case', name: `${tool}/${caseName}` };
}

/** 16 hex digits over both values: the same fingerprint with another digest has changed again. */
export const digestOf = (before: JsonValue, after: JsonValue): string => shortHash(canonicalJson([before, after]));

/** The fingerprint of a finding whose other members are known. */
export const fingerprintOfFinding = (
  target: string,
  finding: Pick<Finding, 'places' | 'case' | 'family' | 'pointer'>,
): string =>
  fingerprintOf({
    target,
    ...subjectOf(finding.places, finding.case),
    family: finding.family,
    pointer: finding.pointer,
  });
