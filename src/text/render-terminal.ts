import { clipLines, clipText } from './clip-text.ts';
import { escapeInvisible, escapeToOneLine } from './escape-invisible.ts';
import { defuseCommands } from './render-workflow.ts';

/** Text from outside on one line of a terminal or a log: nothing moves the cursor, colours, hides, or is obeyed. */
export const renderForTerminal = (text: string): string => defuseCommands(escapeToOneLine(clipText(text)));

/** Text from outside as lines of a terminal or a log; each is clipped, and at most `lines` are kept. */
export const renderLinesForTerminal = (text: string, lines: number): readonly string[] =>
  defuseCommands(escapeInvisible(clipLines(text, { lines }))).split('\n');
