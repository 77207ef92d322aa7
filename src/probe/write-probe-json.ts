import type { JsonObject, JsonValue } from '../json/json-value.ts';
import { writeJson } from '../json/write-json.ts';
import { answerToJson, type ProbeAnswer } from '../recording/probes.ts';
import { type Grade, grades } from './probe.ts';
import type { ProbedTarget, ProbeRow } from './probe-report.ts';

export interface ProbeRun {
  readonly version: string;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly finishedAt: string;
}

/** The run for machines: one JSON document, formatVersion 1. */
export const writeProbeJson = (probed: readonly ProbedTarget[], run: ProbeRun): string =>
  writeJson(
    {
      formatVersion: 1,
      tool: { name: 'mcp-canary', version: run.version },
      startedAt: run.startedAt,
      finishedAt: run.finishedAt,
      targets: probed.map(targetToJson),
    },
    { order: 'kept', finalNewline: true },
  );

const targetToJson = (target: ProbedTarget): JsonObject => ({
  target: target.target,
  registrar: target.registrar,
  transport: target.transport,
  era: target.era,
  revision: target.revision,
  recordedRevision: target.recordedRevision,
  failure: target.failure === null ? null : { ...target.failure },
  probes: target.rows.map(rowToJson),
  summary: { ...countGrades(target.rows), changed: target.rows.filter((row) => row.isChanged).length },
});

const rowToJson = (row: ProbeRow): JsonObject => ({
  id: row.id,
  asks: row.asks,
  level: row.level,
  answer: answerOrNull(row.answer),
  grade: row.grade,
  remark: row.remark,
  rule: row.rule,
  recorded: answerOrNull(row.recorded),
  changed: row.isChanged,
});

const answerOrNull = (answer: ProbeAnswer | null): JsonValue => (answer === null ? null : answerToJson(answer));

const countGrades = (rows: readonly ProbeRow[]): Readonly<Record<Grade, number>> =>
  Object.fromEntries(grades.map((grade) => [grade, rows.filter((row) => row.grade === grade).length])) as Record<
    Grade,
    number
  >;
