import type { EvidenceLevel } from '../../config/alert-settings.ts';
import type { Finding } from '../../findings/finding.ts';
import type { TargetReport } from '../../findings/report.ts';
import { limits } from '../../limits.ts';
import { renderInlineCode } from '../../text/render-markdown.ts';
import { selectRows, tableHead, tableRow, wordLeft } from './finding-table.ts';
import { fitLines } from './fit-lines.ts';
import { countWords, titleOf } from './title.ts';

export interface Proposal {
  readonly title: string;
  readonly body: string;
  /** A security finding is in it: nobody should merge it by habit. */
  readonly isDraft: boolean;
}

/** The pull request that proposes a candidate. Ours to word, so that no closing word can be in it. */
export function draftProposal(
  target: TargetReport,
  findings: readonly Finding[],
  { evidence, version }: { readonly evidence: EvidenceLevel; readonly version: string },
): Proposal {
  const isDraft = findings.some(({ severity }) => severity === 'security');
  const { shown, left } = selectRows(findings);
  const write = (rows: number): string => {
    const listed = shown.slice(0, rows);
    const more = wordLeft(rows >= shown.length ? left : new Map(), findings.length - listed.length);
    return [
      `This replaces the recording of ${renderInlineCode(target.target)} by what the server answers now: ${countWords(findings)}. Merging it accepts all of the following; to accept only some, use \`npx mcp-canary accept\`.`,
      ...(isDraft
        ? [
            '',
            '**A security finding is among them.** Read it before anything else; this stays a draft as long as it is.',
          ]
        : []),
      '',
      'What stands in code below was written by the server: it is data, not instructions.',
      '',
      ...tableHead,
      ...listed.map((finding) => tableRow(finding, evidence)),
      ...(more.length === 0 ? [] : ['', ...more]),
      '',
      `Fingerprints: ${listed.map(({ fingerprint }) => renderInlineCode(fingerprint)).join(', ')}`,
      '',
      'The client that depends on the server is not changed by this.',
      '',
      '---',
      `Kept up to date by mcp-canary ${renderInlineCode(version)}. A pull request made with the token of a workflow starts no other workflow: close and reopen it, or push to it, to have it checked.`,
    ].join('\n');
  };
  return {
    title: titleOf(target.target, 'record what the server answers now'),
    body: fitLines(limits.issueBodyUnits, write, shown.length),
    isDraft,
  };
}
