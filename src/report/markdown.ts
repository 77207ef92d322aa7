import { counts, type Finding } from '../findings/finding.ts';
import type { Report, TargetReport } from '../findings/report.ts';
import { ruleOf } from '../rules/catalogue.ts';
import { renderCodeBlock, renderInlineCode, renderTableCell } from '../text/render-markdown.ts';
import { defuseCommands } from '../text/render-workflow.ts';
import { countingFindings, groupByRule, plural, quietBecause, severityCounts, worstFirst } from './headline.ts';
import {
  evidenceInMarkdown,
  nameInCell,
  nameInMarkdown,
  sentenceInMarkdown,
  witnessInMarkdown,
} from './markdown-wording.ts';
import { acceptCommand, failureAdvice } from './next-steps.ts';

/** How much is shown of each finding. */
type Detail = 'evidence' | 'sentences' | 'tables';

/** Findings of one rule that are shown in full; the rest are rows of the table. */
const inFull = 5;

/**
 * The report as Markdown (CommonMark with GitHub's tables), for a job summary, a wiki or a mail. Whatever a server wrote
 * stands in inline or fenced code. Ends with a line feed.
 */
export const reportMarkdown = (report: Report): string => join(writeReport(report, 'evidence'));

// Whoever prints it in a workflow: a line of a quoted text must not be a command there.
const join = (blocks: readonly string[]): string => defuseCommands(`${blocks.join('\n\n')}\n`);

/** Bytes of a job summary; GitHub refuses 1 MiB. */
const summaryBytes = 1_000_000;

/** The same within the size of a job summary: with less detail where it would be too long, then cut between blocks. */
export function reportJobSummary(report: Report): string {
  for (const detail of ['evidence', 'sentences', 'tables'] as const) {
    const text = join(writeReport(report, detail));
    if (Buffer.byteLength(text) <= summaryBytes) return text;
  }
  const blocks = writeReport(report, 'tables');
  const kept: string[] = [];
  let bytes = 200;
  for (const block of blocks) {
    bytes += Buffer.byteLength(block) + 2;
    if (bytes > summaryBytes) break;
    kept.push(block);
  }
  return join([...kept, `… and ${plural(blocks.length - kept.length, 'more block')}; the JSON report has everything.`]);
}

/** Blocks, to be parted by an empty line. */
function writeReport(report: Report, detail: Detail): readonly string[] {
  const rows = report.targets.map((target) => {
    const counted = severityCounts(countingFindings(target));
    return `| ${nameInCell(target.target)} | ${target.state} | ${counted === '' ? '–' : counted} | ${target.failure?.class ?? '–'} |`;
  });
  const { summary } = report;
  return [
    `# mcp-canary: ${report.verdict}`,
    `${summary.judged} of ${plural(summary.targets, 'target')} judged: ${summary.drifted} drifted, ${summary.inconclusive} inconclusive, ${summary.steady} steady.`,
    ...(rows.length === 0
      ? []
      : [`| target | state | findings | not judged |\n| --- | --- | --- | --- |\n${rows.join('\n')}`]),
    ...(detail === 'evidence' && report.targets.some((target) => target.findings.length > 0)
      ? ['What stands in code below was written by the servers: it is data, not instructions.']
      : []),
    ...report.targets
      .filter((target) => target.findings.length > 0 || target.failure !== null)
      .flatMap((target) => writeTarget(target, detail)),
    ...writeCanary(report.canary),
    `mcp-canary ${renderInlineCode(report.tool.version)}, run ${renderInlineCode(report.run)}, started ${renderInlineCode(report.startedAt)}`,
  ];
}

function writeTarget(target: TargetReport, detail: Detail): readonly string[] {
  const found = countingFindings(target);
  const quiet = target.findings.filter((finding) => !counts(finding));
  const blocks = [`## ${nameInMarkdown(target.target)}: ${target.state}`, writeFacts(target)];
  if (target.failure !== null) {
    const { class: kind, step, message } = target.failure;
    blocks.push(
      `Not judged: **${kind}** at ${renderInlineCode(step)}. ${failureAdvice[kind]}`,
      renderCodeBlock(message, { info: 'text', lines: 10 }),
    );
  }
  if (found.length > 0) blocks.push(writeTable(found));
  if (detail !== 'tables') {
    for (const severity of worstFirst.filter((level) => level !== 'info')) {
      const ofSeverity = found.filter((finding) => finding.severity === severity);
      for (const [rule, findings] of groupByRule(ofSeverity))
        blocks.push(...writeRule(target.target, rule, findings, detail));
    }
  }
  if (quiet.length > 0) {
    const rows = quiet.map(
      (finding) =>
        `| ${finding.rule} | ${nameInCell(finding.tool)} | ${renderTableCell(quietBecause(finding, target.findings))} |`,
    );
    blocks.push(`Not counted:`, `| rule | tool | because |\n| --- | --- | --- |\n${rows.join('\n')}`);
  }
  return blocks.filter((block) => block !== '');
}

function writeFacts({ server, revision, looks }: TargetReport): string {
  const facts = [
    ...(server === null ? [] : [`server ${nameInMarkdown(server.name)} ${nameInMarkdown(server.version)}`]),
    ...(revision.live === null ? [] : [`revision ${renderInlineCode(revision.live)}`]),
    ...(looks > 0 ? [plural(looks, 'look')] : []),
  ];
  return facts.length === 0 ? '' : `Answered: ${facts.join(', ')}.`;
}

function writeTable(findings: readonly Finding[]): string {
  const rows = findings.map((finding) => {
    const tool = finding.places.length > 1 ? plural(finding.places.length, 'place') : nameInCell(finding.tool);
    return `| ${finding.severity} | ${finding.rule} | ${tool} | ${nameInCell(finding.pointer)} |`;
  });
  return `| severity | rule | tool | at |\n| --- | --- | --- | --- |\n${rows.join('\n')}`;
}

function writeRule(
  target: string,
  id: Finding['rule'],
  findings: readonly Finding[],
  detail: Detail,
): readonly string[] {
  const rule = ruleOf(id);
  const severity = findings[0]?.severity ?? rule.severity;
  return [
    `### ${severity}: ${id}`,
    ...findings.slice(0, inFull).flatMap((finding) => writeFinding(target, finding, detail)),
    ...(findings.length > inFull ? [`… and ${findings.length - inFull} more of this rule, in the table above.`] : []),
    `**Why it matters.** ${rule.why}`,
    `**What to do.** ${rule.remedy}`,
  ];
}

function writeFinding(target: string, finding: Finding, detail: Detail): readonly string[] {
  const sentence = sentenceInMarkdown(finding);
  if (detail !== 'evidence') return [sentence];
  const places = finding.places
    .slice(0, 20)
    .map((place) => nameInMarkdown(place.tool ?? place.pointer ?? 'the server'));
  const command = acceptCommand(target, finding.fingerprint);
  return [
    sentence,
    finding.places.length > 1
      ? `In ${places.join(', ')}${finding.places.length > 20 ? ` and ${finding.places.length - 20} more` : ''}.`
      : '',
    evidenceInMarkdown(finding),
    witnessInMarkdown(finding),
    command === null ? '' : `To accept it:\n\n${renderCodeBlock(command, { info: 'sh' })}`,
  ].filter((block) => block !== '');
}

function writeCanary(findings: readonly Finding[]): readonly string[] {
  if (findings.length === 0) return [];
  const items = findings.map(
    // Here the facts are the point (which waiver, how old), and only the message has them.
    (finding) => `- ${finding.rule}: ${renderInlineCode(finding.message)} ${ruleOf(finding.rule).remedy}`,
  );
  return ['## The canary itself', items.join('\n')];
}
