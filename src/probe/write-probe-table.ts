import { createPaint, type Paint } from '../report/terminal-paint.ts';
import { wrapText } from '../report/wrap-text.ts';
import { renderForTerminal } from '../text/render-terminal.ts';
import { describeAnswer } from './describe-answer.ts';
import { type Grade, grades } from './probe.ts';
import type { ProbedTarget, ProbeRow } from './probe-report.ts';

const gradeWords: Readonly<Record<Grade, string>> = {
  conforms: 'conforms',
  'departs-must': 'departs (MUST)',
  'departs-should': 'departs (SHOULD)',
  'not-defined': 'not defined',
  'could-not-look': 'could not look',
};

export interface TableOptions {
  readonly color: boolean;
  /** The answers become the baseline, so nobody needs to be told how. */
  readonly isRecording: boolean;
}

/** The tables of a run for a person at a terminal, one a target. Ends with a line feed. */
export const writeProbeTables = (probed: readonly ProbedTarget[], { color, isRecording }: TableOptions): string =>
  `${probed.map((target) => writeTable(target, isRecording, createPaint(color))).join('\n\n')}\n`;

function writeTable(probed: ProbedTarget, isRecording: boolean, paint: Paint): string {
  const { target, registrar, revision, transport, rows, failure } = probed;
  const name = `${renderForTerminal(target)}${registrar === null ? '' : ` (${renderForTerminal(registrar)})`}`;
  const spoken = revision === null ? '' : `, revision ${revision}`;
  return [
    `${paint.bold(name)}: ${transport}${spoken}`,
    ...(failure === null ? [] : writeFailure(probed, paint)),
    ...writeRows(rows, paint),
    ...(rows.length === 0 ? [] : ['', `  ${countGrades(probed, isRecording)}`]),
  ].join('\n');
}

const writeFailure = ({ failure }: ProbedTarget, paint: Paint): readonly string[] =>
  failure === null
    ? []
    : [
        `  ${paint.yellow(`Could not be looked at: ${failure.class}`)} at ${failure.step}`,
        ...wrapText(renderForTerminal(failure.message), '    '),
      ];

const headings = ['probe', 'level', 'answer', 'grade'] as const;

function writeRows(rows: readonly ProbeRow[], paint: Paint): readonly string[] {
  if (rows.length === 0) return [];
  const cells = rows.map((row) => [
    row.id,
    row.level ?? '-',
    row.answer === null ? '-' : describeAnswer(row.answer),
    gradeWords[row.grade],
  ]);
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...cells.map((cell) => cell[column]?.length ?? 0)),
  );
  const line = (cell: readonly string[], last: (text: string) => string): string =>
    `  ${cell.map((text, column) => (column === cell.length - 1 ? last(text) : text.padEnd(widths[column] ?? 0))).join('  ')}`;
  return [
    '',
    paint.dim(line(headings, (text) => text)),
    ...rows.flatMap((row, index) => [
      line(cells[index] ?? [], paintGrade(row.grade, paint)),
      ...writeRemarks(row, paint),
    ]),
  ];
}

const paintGrade = (grade: Grade, paint: Paint): ((text: string) => string) =>
  ({
    conforms: paint.green,
    'departs-must': paint.red,
    'departs-should': paint.yellow,
    'not-defined': paint.dim,
    'could-not-look': paint.yellow,
  })[grade];

function writeRemarks(row: ProbeRow, paint: Paint): readonly string[] {
  const before = row.recorded === null ? null : describeAnswer(row.recorded);
  return [
    ...(row.isChanged && before !== null ? [`      ${paint.yellow('changed')}; recorded: ${before}`] : []),
    ...(row.remark === null ? [] : wrapText(renderForTerminal(row.remark), '      ').map(paint.dim)),
  ];
}

function countGrades({ rows, recordedRevision, target }: ProbedTarget, isRecording: boolean): string {
  const counts = grades
    .map((grade) => [gradeWords[grade], rows.filter((row) => row.grade === grade).length] as const)
    .filter(([, count]) => count > 0)
    .map(([word, count]) => `${count} ${word}`)
    .join(', ');
  const changed = rows.filter((row) => row.isChanged).length;
  if (recordedRevision === null && isRecording) return `${counts}.`;
  if (recordedRevision === null)
    return `${counts}. Nothing to compare with: mcp-canary probe ${renderForTerminal(target)} --record`;
  return `${counts}. ${changed === 0 ? 'As recorded.' : `${changed} changed since they were recorded.`}`;
}
