import { counts, type Finding } from '../findings/finding.ts';
import { isAtOrAbove, type Report, type TargetReport } from '../findings/report.ts';
import { clipText } from '../text/clip-text.ts';
import { renderWorkflowData, renderWorkflowProperty } from '../text/render-workflow.ts';
import { asSentence, plural, worstFirst } from './headline.ts';
import { failureAdvice } from './next-steps.ts';

interface Annotation {
  readonly level: 'error' | 'warning' | 'notice';
  readonly title: string;
  readonly message: string;
}

/** Annotations of one level that GitHub shows for one step. */
const shown = 10;
/** Units of one message. */
const messageUnits = 1_000;

/**
 * The report as workflow commands: annotations of a run of GitHub Actions, worst first. An error is a finding at or above
 * the level, a warning a milder one or a target that could not be judged. No more of a level than GitHub shows; the last
 * one then says how many there are.
 */
export function reportGithub(report: Report): string {
  const annotations = [
    ...report.targets.flatMap((target) => annotate(target, report)),
    ...report.canary.map(annotateCanary),
  ];
  const lines = (['error', 'warning', 'notice'] as const).flatMap((level) =>
    limit(annotations.filter((annotation) => annotation.level === level)),
  );
  return lines.map((line) => `${writeCommand(line)}\n`).join('');
}

function annotate(target: TargetReport, { failOn }: Report): readonly Annotation[] {
  const found = target.findings.filter((finding) => counts(finding) && finding.severity !== 'info');
  const ordered = worstFirst.flatMap((severity) => found.filter((finding) => finding.severity === severity));
  const { failure } = target;
  return [
    ...ordered.map(
      (finding): Annotation => ({
        level: isAtOrAbove(finding.severity, failOn) ? 'error' : 'warning',
        title: `${target.target}: ${finding.severity} ${finding.rule}`,
        message: `${finding.message}${finding.pointer === null || finding.pointer === '' ? '' : ` At ${finding.pointer}.`}`,
      }),
    ),
    ...(failure === null
      ? []
      : [
          {
            level: 'warning' as const,
            title: `${target.target}: could not be judged (${failure.class})`,
            message: `${asSentence(failure.message)} ${failureAdvice[failure.class]}`,
          },
        ]),
  ];
}

const annotateCanary = (finding: Finding): Annotation => ({
  level: 'notice',
  title: `canary: ${finding.rule}`,
  message: finding.message,
});

function limit(annotations: readonly Annotation[]): readonly Annotation[] {
  const [first] = annotations;
  if (first === undefined || annotations.length <= shown) return annotations;
  const more = annotations.length - shown + 1;
  return [
    ...annotations.slice(0, shown - 1),
    {
      level: first.level,
      title: 'mcp-canary',
      message: `and ${plural(more, 'more annotation')} of this level; see the report.`,
    },
  ];
}

const writeCommand = ({ level, title, message }: Annotation): string =>
  `::${level} title=${renderWorkflowProperty(clipText(title, 200))}::${renderWorkflowData(clipText(message, messageUnits))}`;
