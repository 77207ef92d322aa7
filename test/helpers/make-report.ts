import type { Finding } from '../../src/findings/finding.ts';
import { digestOf, fingerprintOfFinding } from '../../src/findings/fingerprint.ts';
import type { Report, TargetReport } from '../../src/findings/report.ts';
import { summarise, verdictOf } from '../../src/findings/summary.ts';
import { ruleOf } from '../../src/rules/catalogue.ts';
import { wordFinding } from '../../src/rules/word-finding.ts';

/** A finding as a run would judge it; every member may be replaced. */
export function makeFinding(members: Partial<Finding>): Finding {
  const rule = members.rule ?? 'input-property-became-required';
  const base = {
    rule,
    family: ruleOf(rule).family,
    severity: members.rule === undefined ? ('breaking' as const) : ruleOf(rule).severity,
    confidence: 'inferred' as const,
    impact: 'unknown' as const,
    method: 'tools/list' as const,
    tool: 'check',
    case: null,
    pointer: '/x',
    before: null,
    after: null,
    witness: null,
    waived: null,
    inhibitedBy: null,
    unconfirmed: false,
    ...members,
  };
  const places = members.places ?? [{ tool: base.tool, pointer: base.pointer }];
  return {
    fingerprint: fingerprintOfFinding('godaddy', { ...base, places }),
    digest: digestOf(base.before, base.after),
    message: wordFinding({ ...base, places }),
    ...base,
    places,
  };
}

/** A steady target; every member may be replaced. */
export function makeTarget(members: Partial<TargetReport>): TargetReport {
  return {
    target: 'godaddy',
    registrar: 'GoDaddy',
    transport: 'streamable-http',
    consumer: 'code',
    state: 'steady',
    era: 'handshake',
    revision: { offered: '2025-06-18', recorded: '2025-06-18', live: '2025-06-18' },
    server: { name: 'godaddy-domains', version: '1.4.2' },
    contract: { recorded: `sha256:${'a'.repeat(64)}`, live: `sha256:${'a'.repeat(64)}` },
    provenance: 'live',
    looks: 1,
    replayed: [
      {
        method: 'initialize',
        tool: null,
        case: null,
        outcome: 'answered',
        httpStatus: 200,
        durationMs: 41.5,
        bytes: 420,
      },
      {
        method: 'tools/list',
        tool: null,
        case: null,
        outcome: 'answered',
        httpStatus: 200,
        durationMs: 83,
        bytes: 4096,
      },
    ],
    failure: null,
    notes: [],
    findings: [],
    ...members,
  };
}

/** A run over these targets, with a fixed id and fixed times. */
export function makeReport(targets: readonly TargetReport[], members: Partial<Report> = {}): Report {
  return {
    formatVersion: 1,
    run: '7d2f4b62-6f0e-4f6e-9d3f-0a1b2c3d4e5f',
    tool: { name: 'mcp-canary', version: '0.1.0' },
    startedAt: '2026-11-02T03:17:00.000Z',
    finishedAt: '2026-11-02T03:17:40.000Z',
    failOn: 'breaking',
    configured: targets.map((target) => target.target),
    verdict: verdictOf(targets),
    targets,
    canary: [],
    summary: summarise(targets),
    ...members,
  };
}
