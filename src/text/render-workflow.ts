import { escapeCodePoint, escapeInvisible } from './escape-invisible.ts';

/**
 * A runner of GitHub Actions reads what is printed: it obeys `::name::` at the start of a line, leading blanks or not, and
 * `##[name]` anywhere in one. Both get a visible escape; the first behind any blank, for whoever wraps the text may begin
 * a line there. For text that is printed as it is; a command of ours is written with the two functions below.
 */
export const defuseCommands = (text: string): string =>
  text
    .replace(/(^|\s):(?=:)/gm, (_, blank: string) => `${blank}${escapeCodePoint(':')}`)
    .replaceAll('##[', `##${escapeCodePoint('[')}`);

/**
 * Text from outside as the message of a GitHub workflow command (`::error::message`). A line end is `%0A`, so it cannot
 * begin another command.
 */
export const renderWorkflowData = (text: string): string =>
  escapeInvisible(text)
    .replaceAll('%', '%25')
    .replaceAll('\n', '%0A')
    .replaceAll('##[', `##${escapeCodePoint('[')}`);

/** The same as the value of a property (`title=…`), where colon and comma end it. */
export const renderWorkflowProperty = (text: string): string =>
  renderWorkflowData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
