import type { JsonValue } from '../../json/json-value.ts';
import { limits } from '../../limits.ts';
import { headOf } from '../../text/clip-text.ts';

/** What a child writes to its output that is no message: counted for the whole connection, kept for the step under way. */
export interface Junk {
  /** false: that is too much of it. */
  add(line: string): boolean;
  /** Whether there was any since the beginning. */
  isEmpty(): boolean;
  lines(): number;
  /** Lines since the last step ended. */
  ofStep(): readonly string[];
  endStep(): void;
  /** How much, and how it begins. */
  evidence(): JsonValue;
}

const shownLines = 3;
const shownUnits = 200;

/** @param redact takes secrets out before a line is cut */
export function createJunk(redact: (text: string) => string): Junk {
  let count = 0;
  let bytes = 0;
  let step: string[] = [];
  const first: string[] = [];
  return {
    add(line) {
      count += 1;
      bytes += Buffer.byteLength(line) + 1;
      step.push(line);
      if (first.length < shownLines && line.trim() !== '') first.push(headOf(redact(line), shownUnits));
      return count <= limits.junkLines && bytes <= limits.junkBytes;
    },
    isEmpty: () => count === 0,
    lines: () => count,
    ofStep: () => step,
    endStep() {
      step = [];
    },
    evidence: () => ({ lines: count, first }),
  };
}
