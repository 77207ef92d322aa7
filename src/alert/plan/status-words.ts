import { renderInlineCode } from '../../text/render-markdown.ts';
import type { AlertClass } from '../alert-plan.ts';

export const statusOpen = 'still there in the last run that could judge it.';

export const wordRecovered = (issueClass: AlertClass, runs: number): string =>
  issueClass === 'availability'
    ? `Recovered: the target was judged in ${runs} runs in a row.`
    : `Recovered: what this issue lists was not seen in ${runs} judged runs in a row.`;

export const wordAccepted = (how: 'waiver' | 'recording', commit: string | null): string => {
  const where = commit === null ? '' : ` in ${renderInlineCode(commit.slice(0, 12))}`;
  return how === 'waiver'
    ? `Accepted for now: a waiver covers what this issue lists${where}.`
    : `Accepted: the recording was taken anew${where}, and the server answers as recorded.`;
};

export const wordRemoved = 'No longer monitored: the target is not in the configuration any more.';

export const wordDuplicate = (kept: number): string => `Duplicate of #${kept}, where this goes on.`;

export const wordReopened = 'It is back: a later run saw this again.';

export const wordStillFailing = (runs: number): string =>
  `${runs} runs that started after this was closed still saw it, so it is open once more. Closed again, it stays closed until something changes; to have it counted as accepted, accept it in the recording.`;
