import { escapeCodePoint, escapeInvisible } from './escape-invisible.ts';

/**
 * Text from outside as the message of a GitHub workflow command (`::error::message`). A line end is `%0A`, so it cannot
 * begin another command.
 */
export const renderWorkflowData = (text: string): string =>
  escapeInvisible(text)
    .replaceAll('%', '%25')
    .replaceAll('\n', '%0A')
    // The older command syntax is found anywhere in a line.
    .replaceAll('##[', `##${escapeCodePoint('[')}`);

/** The same as the value of a property (`title=…`), where colon and comma end it. */
export const renderWorkflowProperty = (text: string): string =>
  renderWorkflowData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
