import type { JsonValue } from '../../json/json-value.ts';
import { writeJson } from '../../json/write-json.ts';
import { createPaint, type Paint } from '../../report/terminal-paint.ts';
import type { Drill, DrillOutcome, Rehearsal } from '../../run/rehearse-rules.ts';
import { renderForTerminal } from '../../text/render-terminal.ts';
import type { DrillAlert } from './plan-drill-alerts.ts';

/** What one drill was and what came of it, as lines for a person. */
export function writeDrill({ rule, story, outcome }: Drill, alerts: readonly DrillAlert[]): string {
  const wouldOpen =
    alerts.length === 0
      ? ['  No alert: nothing of it is at or above the level of alerts.']
      : alerts.map(({ title }) => `  Would open an issue (dry run): ${renderForTerminal(title)}`);
  return [
    `\nFire drill ${rule}${story === null ? '' : `: ${story}`}`,
    `  ${wordOutcome(outcome)}`,
    ...(outcome.kind === 'impossible' ? [] : wouldOpen),
    '',
  ].join('\n');
}

function wordOutcome(outcome: DrillOutcome): string {
  switch (outcome.kind) {
    case 'fired': {
      const beside = outcome.beside.length === 0 ? '' : `, and as expected ${outcome.beside.join(', ')}`;
      return `Fired as ${outcome.severity}${beside}${outcome.isWaived ? '; a waiver of the config keeps it quiet' : ''}.`;
    }
    case 'impossible':
      return `Cannot be rehearsed on this recording, because ${outcome.because}.`;
    case 'missed':
      return outcome.reported.length === 0
        ? 'Missed: the check reported nothing.'
        : `Missed: the check reported ${outcome.reported.join(', ')}.`;
    case 'unexpected':
      return `Fired, and unexpectedly ${outcome.beside.join(', ')}.`;
  }
}

const marks: Readonly<Record<DrillOutcome['kind'], string>> = {
  fired: 'fired',
  impossible: '-',
  missed: 'MISSED',
  unexpected: 'UNEXPECTED',
};

/** One line a rule, and a summary. Ends with a line feed. */
export function writeRehearsal(
  rehearsal: Rehearsal,
  alerts: readonly (readonly DrillAlert[])[],
  { color }: { readonly color: boolean },
): string {
  const paint = createPaint(color);
  const { drills, control } = rehearsal;
  const width = Math.max(...drills.map(({ rule }) => rule.length));
  const rows = drills.map(
    ({ rule, outcome }, at) =>
      `  ${paintMark(outcome.kind, paint)}  ${rule.padEnd(width)}  ${wordRow(outcome, alerts[at] ?? [])}`,
  );
  return [
    `${paint.bold(renderForTerminal(control.report.target))}: fire drills against a stand-in of its recording`,
    ...(control.report.findings.length === 0 ? [] : [wordControl(rehearsal)]),
    '',
    ...rows,
    '',
    summarise(drills),
    '',
  ].join('\n');
}

const paintMark = (kind: DrillOutcome['kind'], paint: Paint): string => {
  const text = marks[kind].padEnd(10);
  return kind === 'fired' ? paint.green(text) : kind === 'impossible' ? paint.dim(text) : paint.red(text);
};

function wordRow(outcome: DrillOutcome, alerts: readonly DrillAlert[]): string {
  if (outcome.kind === 'impossible') return `cannot be rehearsed, because ${outcome.because}`;
  if (outcome.kind === 'missed') return `reported instead: ${outcome.reported.join(', ') || 'nothing'}`;
  if (outcome.kind === 'unexpected') return `beside it: ${outcome.beside.join(', ')}`;
  const classes = alerts.map((alert) => alert.class).join(' and ');
  const alarm = outcome.isWaived ? 'waived' : classes === '' ? 'no alert' : `alert: ${classes}`;
  return `${outcome.severity.padEnd(8)}  ${alarm}`;
}

const wordControl = ({ control }: Rehearsal): string =>
  `  Without a drift the check reports ${[...new Set(control.report.findings.map(({ rule }) => rule))].join(', ')}.`;

function summarise(drills: readonly Drill[]): string {
  const counted = countKinds(drills);
  const rest = counted.missed + counted.unexpected;
  const verdict =
    rest === 0
      ? 'every rule that can be rehearsed fired, with nothing unexpected'
      : `${counted.missed} missed, ${counted.unexpected} with something unexpected`;
  return `${drills.length} rules: ${counted.fired} fired, ${counted.impossible} cannot be rehearsed on this recording; ${verdict}.`;
}

const countKinds = (drills: readonly Drill[]): Readonly<Record<DrillOutcome['kind'], number>> => {
  const count = (kind: DrillOutcome['kind']): number => drills.filter(({ outcome }) => outcome.kind === kind).length;
  return {
    fired: count('fired'),
    impossible: count('impossible'),
    missed: count('missed'),
    unexpected: count('unexpected'),
  };
};

/** The same for a program. Ends with a line feed. */
export function writeRehearsalJson(
  { control, drills }: Rehearsal,
  alerts: readonly (readonly DrillAlert[])[],
  { target, version }: { readonly target: string; readonly version: string },
): string {
  const document: JsonValue = {
    formatVersion: 1,
    tool: { name: 'mcp-canary', version },
    target,
    control: { state: control.report.state, rules: control.report.findings.map(({ rule }) => rule) },
    drills: drills.map(({ rule, story, outcome }, at) => ({
      rule,
      story,
      ...outcome,
      alerts: (alerts[at] ?? []).map((alert) => alert.class),
    })),
    summary: { rules: drills.length, ...countKinds(drills) },
  };
  return writeJson(document, { order: 'kept', finalNewline: true });
}
