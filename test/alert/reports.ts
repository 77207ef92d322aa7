import type { Failure } from '../../src/findings/failure.ts';
import type { Finding } from '../../src/findings/finding.ts';
import { digestOf, fingerprintOfFinding } from '../../src/findings/fingerprint.ts';
import type { Report, TargetReport } from '../../src/findings/report.ts';
import { stateOf } from '../../src/findings/state.ts';
import { summarise, verdictOf } from '../../src/findings/summary.ts';
import { sha256Of } from '../../src/json/digest.ts';
import { ruleOf } from '../../src/rules/catalogue.ts';

const day = 24 * 60 * 60 * 1000;
const firstNight = Date.parse('2026-11-02T03:17:00Z');

type Given = Partial<Omit<Finding, 'fingerprint'>> & { readonly fingerprint?: string };

/** A finding of a target, by default an argument that became required. */
export function finding(given: Given = {}, target = 'godaddy'): Finding {
  const rule = given.rule ?? 'input-property-became-required';
  const base = {
    rule,
    family: ruleOf(rule).family,
    severity: ruleOf(rule).severity,
    confidence: 'proven',
    impact: 'hits-recording',
    method: 'tools/list',
    tool: 'check',
    case: null,
    pointer: '/inputSchema/required',
    before: ['domain'],
    after: ['domain', 'currency'],
    message: 'An argument became required.',
    witness: null,
    waived: null,
    inhibitedBy: null,
    unconfirmed: false,
    ...given,
  } as const;
  const places = given.places ?? [{ tool: base.tool, pointer: base.pointer }];
  return {
    ...base,
    places,
    digest: given.digest ?? digestOf(base.before, base.after),
    fingerprint: given.fingerprint ?? fingerprintOfFinding(target, { ...base, places }),
  };
}

export const toolRemoved = (tool: string, given: Given = {}): Finding =>
  finding({
    rule: 'tool-removed',
    tool,
    pointer: null,
    before: { name: tool },
    after: null,
    message: 'A tool is gone.',
    ...given,
  });
export const suspicious = (text: string, given: Given = {}): Finding =>
  finding({
    rule: 'tool-text-suspicious',
    confidence: 'inferred',
    pointer: '/description',
    before: 'Checks a domain.',
    after: text,
    message: 'A description speaks to the model.',
    ...given,
  });
export const described = (tool: string, before: string, after: string, given: Given = {}): Finding =>
  finding({
    rule: 'tool-description-changed',
    confidence: 'inferred',
    tool,
    pointer: '/description',
    before,
    after,
    message: 'A description changed.',
    ...given,
  });

interface GivenTarget {
  readonly findings?: readonly Finding[];
  readonly failure?: Failure | null;
  readonly baseline?: string;
  readonly server?: TargetReport['server'];
}

/** A target that was looked at. */
export function target(
  id: string,
  { findings = [], failure = null, baseline = id, server = { name: 'example', version: '1.0.0' } }: GivenTarget = {},
): TargetReport {
  const recorded = sha256Of(baseline);
  return {
    target: id,
    registrar: 'Example Registrar',
    transport: 'streamable-http',
    consumer: 'agent',
    state: stateOf(findings, failure === null ? [] : [failure], 'breaking'),
    era: 'handshake',
    revision: { offered: '2025-06-18', recorded: '2025-06-18', live: failure === null ? '2025-06-18' : null },
    server: failure === null ? server : null,
    contract: { recorded, live: failure === null ? recorded : null },
    provenance: 'live',
    looks: 1,
    replayed: [
      {
        method: 'tools/list',
        tool: null,
        case: null,
        outcome: 'answered',
        httpStatus: 200,
        durationMs: 12.5,
        bytes: 100,
      },
    ],
    failure,
    notes: [],
    findings,
  };
}

/** A target that gave no answer. */
export const silent = (id: string, failure: Partial<Failure> = {}): TargetReport =>
  target(id, { failure: { class: 'timeout', step: 'initialize', message: 'No answer within 30 s.', ...failure } });

export interface ReportOptions {
  readonly night?: number;
  readonly run?: string;
  readonly canary?: readonly Finding[];
}

/** The report of a night; nights are a day apart, and `night` may be a fraction. */
export function report(targets: readonly TargetReport[], options: ReportOptions = {}): Report {
  const { night = 1, canary = [] } = options;
  const startedAt = firstNight + (night - 1) * day;
  return {
    formatVersion: 1,
    run: options.run ?? `run-${night}`,
    tool: { name: 'mcp-canary', version: '0.1.0' },
    startedAt: new Date(startedAt).toISOString(),
    finishedAt: new Date(startedAt + 40_000).toISOString(),
    failOn: 'breaking',
    configured: targets.map(({ target: id }) => id),
    verdict: verdictOf(targets),
    targets,
    canary,
    summary: summarise(targets),
  };
}
