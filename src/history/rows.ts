import { CanaryError } from '../errors.ts';
import type { Failure } from '../findings/failure.ts';
import { counts, type Finding } from '../findings/finding.ts';
import type { Report, TargetReport, TargetState } from '../findings/report.ts';
import type { JsonValue } from '../json/json-value.ts';
import { parseJson } from '../json/parse-json.ts';
import { writeJson } from '../json/write-json.ts';
import type { KeptFinding, KeptResult, SeverityCounts, Step, TargetNow, TimedStep } from './history.ts';
import type { FindingRow, ResultRow, TargetRow } from './tables.ts';

/** One target of one run, on its way into the tables. */
export interface Part {
  readonly report: Report;
  readonly target: TargetReport;
  readonly slot: string | null;
}

/** States from the best to the worst; the place is the rank. */
export const states: readonly TargetState[] = ['steady', 'inconclusive', 'drifted'];

/** Every character that a database or a terminal may stumble over is an escape. */
export const toText = (value: unknown): string => writeJson(value as JsonValue, { order: 'kept', indent: 0 });

/** What `toText` wrote. @throws CanaryError `input` where it is something else */
export function fromText<T>(text: string): T {
  const parsed = parseJson(text, { depth: 300, nodes: 5_000_000 });
  if (parsed.ok) return parsed.value as T;
  throw new CanaryError('input', `The history holds a text that ${parsed.message}.`, 'Take the store from a backup.');
}

const judgedColumns = ({ report, target, slot }: Part) => ({
  run: report.run,
  slot,
  started_at: report.startedAt,
  finished_at: report.finishedAt,
  state: target.state,
  failure: target.failure === null ? null : toText(target.failure),
  recorded: target.contract.recorded,
  live: target.contract.live,
  ...countBySeverity(target.findings),
});

export const toResultRow = (part: Part): ResultRow => ({
  ...judgedColumns(part),
  target: part.target.target,
  day: part.report.startedAt.slice(0, 10),
  rank: states.indexOf(part.target.state),
  steps: toText(stepsOf(part.target)),
});

/** The target as this run leaves it, given how the one before it left it. */
export function toTargetRow(part: Part, before: TargetRow | undefined): TargetRow {
  const { report, target, slot } = part;
  const { registrar, transport, consumer, provenance, server } = target;
  const isSame = before !== undefined && before.state === target.state;
  return {
    ...judgedColumns(part),
    target: target.target,
    facts: toText({ registrar, transport, consumer, provenance, server }),
    streak: isSame ? before.streak + 1 : 1,
    since: isSame ? before.since : report.startedAt,
    last_good: target.state === 'steady' ? report.startedAt : (before?.last_good ?? null),
    last_slot: laterOf(slot, before?.last_slot ?? null),
    body: toText(target),
  };
}

/** ISO moments sort as text. */
export const laterOf = (a: string | null, b: string | null): string | null =>
  a === null || (b !== null && b > a) ? b : a;

function countBySeverity(findings: readonly Finding[]): SeverityCounts {
  const counting = findings.filter(counts);
  const of = (severity: Finding['severity']): number => counting.filter((f) => f.severity === severity).length;
  return { security: of('security'), breaking: of('breaking'), warning: of('warning'), info: of('info') };
}

type KeptStep = readonly [method: string, tool: string | null, caseName: string | null, milliseconds: number];

const stepsOf = ({ replayed }: TargetReport): readonly KeptStep[] =>
  replayed
    .filter(({ outcome }) => outcome === 'answered')
    .map((step) => [step.method, step.tool, step.case, Math.round(step.durationMs * 100) / 100]);

export const readSteps = (text: string): readonly TimedStep[] =>
  fromText<readonly KeptStep[]>(text).map(([method, tool, caseName, ms]) => ({
    method: method as Step['method'],
    tool,
    case: caseName,
    ms,
  }));

/** A finding that is kept: one look's, and a mere consequence, come and go with what they depend on. */
export const isKept = (finding: Finding): boolean => !finding.unconfirmed && finding.inhibitedBy === null;

/** Whether what a run did not find is gone, rather than not looked at. */
export const isJudged = ({ state, failure }: TargetReport): boolean => state !== 'inconclusive' && failure === null;

const judgedOf = (row: ResultRow | TargetRow) => ({
  run: row.run,
  slot: row.slot,
  startedAt: row.started_at,
  state: row.state as TargetState,
  failure: row.failure === null ? null : fromText<Failure>(row.failure),
  contract: { recorded: row.recorded, live: row.live },
  counting: {
    security: Number(row.security),
    breaking: Number(row.breaking),
    warning: Number(row.warning),
    info: Number(row.info),
  },
});

export const readTarget = (row: TargetRow): TargetNow => ({
  target: row.target,
  ...fromText<Pick<TargetNow, 'registrar' | 'transport' | 'consumer' | 'provenance' | 'server'>>(row.facts),
  ...judgedOf(row),
  streak: Number(row.streak),
  since: row.since,
  lastGood: row.last_good,
});

export const readResult = (row: ResultRow): KeptResult => ({ ...judgedOf(row), finishedAt: row.finished_at });

export const readFinding = (row: FindingRow): KeptFinding => ({
  target: row.target,
  finding: fromText<Finding>(row.finding),
  firstSeen: row.first_seen,
  lastSeen: row.last_seen,
  closedAt: row.closed_at,
});
