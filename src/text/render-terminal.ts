import { clipLines, clipText } from './clip-text.ts';
import { escapeCodePoint, escapeInvisible, escapeToOneLine } from './escape-invisible.ts';

// A runner of GitHub Actions reads stdout: it obeys `::name::` at the start of a line, leading blanks or not, and `##[name]` anywhere.
const commandStart = /^(\s*):(?=:)/gm;
const defuse = (text: string): string =>
  text
    .replace(commandStart, (_, blanks: string) => `${blanks}${escapeCodePoint(':')}`)
    .replaceAll('##[', `##${escapeCodePoint('[')}`);

/** Text from outside on one line of a terminal or a log: nothing moves the cursor, colours, hides, or is obeyed. */
export const renderForTerminal = (text: string): string => defuse(escapeToOneLine(clipText(text)));

/** Text from outside as lines of a terminal or a log; each is clipped, and at most `lines` are kept. */
export const renderLinesForTerminal = (text: string, lines: number): readonly string[] =>
  defuse(escapeInvisible(clipLines(text, { lines }))).split('\n');
