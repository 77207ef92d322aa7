import type { JsonValue } from '../../json/json-value.ts';

/** How a message was framed that stdio does not allow ("MUST NOT contain embedded newlines", one message a line). */
type Misframing = 'content-length' | 'spread-over-lines' | 'glued';

export interface Misframed {
  readonly framing: Misframing;
  /** The answer stands there whole, only not as a line of its own: nothing more is to be waited for. */
  readonly isWhole: boolean;
}

export interface FramingOptions {
  /** null where the text is no JSON. */
  readonly parse: (text: string) => JsonValue | null;
  readonly isAnswer: (value: JsonValue) => boolean;
}

/** Texts that are tried as JSON, and units that are looked through for their ends, so that hostile junk costs little. */
const ceilings = { attempts: 100, units: 16 * 1024 * 1024 };

/** Whether the junk of a step that has no answer was a message in another frame. null: it was just junk. */
export function findMisframing(lines: readonly string[], options: FramingOptions): Misframed | null {
  let attempts = 0;
  const tryText = (text: string): 'answer' | 'json' | 'none' => {
    attempts += 1;
    const value = attempts > ceilings.attempts ? null : options.parse(text);
    return value === null ? 'none' : options.isAnswer(value) ? 'answer' : 'json';
  };
  if (lines.some(isLengthHeader)) return { framing: 'content-length', isWhole: findGlued(lines, tryText) };
  if (findSpread(lines, tryText)) return { framing: 'spread-over-lines', isWhole: true };
  if (findGlued(lines, tryText)) return { framing: 'glued', isWhole: true };
  return hasSpreadHead(lines) ? { framing: 'spread-over-lines', isWhole: false } : null;
}

type TryText = (text: string) => 'answer' | 'json' | 'none';

/** Of its own, or behind the body before it, which has no line end. */
const isLengthHeader = (line: string): boolean => /(?:^\s*|\})Content-Length[ \t]*:[ \t]*\d+\s*$/i.test(line);

const indentOf = (line: string): number => line.length - line.trimStart().length;

/** JSON that begins in one line and ends in a later one of the same indentation. */
function findSpread(lines: readonly string[], tryText: TryText): boolean {
  for (const [from, first] of lines.entries()) {
    if (!/^\s*[{[]/.test(first)) continue;
    const length = lines
      .slice(from + 1)
      .findIndex((line) => /^\s*[}\]]+\s*$/.test(line) && indentOf(line) === indentOf(first));
    if (length !== -1 && tryText(lines.slice(from, from + length + 2).join('\n')) === 'answer') return true;
  }
  return false;
}

/** A message that was begun in this way and not ended. */
const hasSpreadHead = (lines: readonly string[]): boolean =>
  lines.some(
    (line, at) =>
      /^\s*[{[]\s*$/.test(line) && lines.slice(at + 1, at + 4).some((next) => /^\s*"jsonrpc"\s*:\s*"2\.0"/.test(next)),
  );

/** A whole answer with something in front of it or behind it in its line. */
function findGlued(lines: readonly string[], tryText: TryText): boolean {
  let units = ceilings.units;
  for (const line of lines) {
    for (let at = line.indexOf('{'); at !== -1 && units > 0; ) {
      const begins = /^\{\s*"/.test(line.slice(at, at + 20));
      const end = begins ? endOfObject(line, at, at + units) : null;
      units -= begins ? (end ?? line.length) - at : 1;
      const found = end === null ? 'none' : tryText(line.slice(at, end));
      if (found === 'answer') return true;
      // What stands inside a whole object is a part of it, and no message.
      at = line.indexOf('{', found === 'json' ? (end ?? at) : at + 1);
    }
  }
  return false;
}

/** The index behind the object that begins at `from`; null where it does not end before `to`. */
function endOfObject(text: string, from: number, to: number): number | null {
  let depth = 0;
  let isInString = false;
  for (let at = from; at < text.length && at < to; at += 1) {
    const character = text[at];
    if (isInString) {
      if (character === '\\') at += 1;
      else if (character === '"') isInString = false;
    } else if (character === '"') isInString = true;
    else if (character === '{') depth += 1;
    else if (character === '}') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return null;
}
