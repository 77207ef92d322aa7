/** What a chunk of output completed. */
export type OutputLine =
  | { readonly kind: 'line'; readonly bytes: Uint8Array }
  /** A line over the ceiling: told once, the rest of it is dropped. */
  | { readonly kind: 'too-long' };

/** Cuts output into lines at LF, whatever its chunks. Holds no more than one line, and that no longer than the ceiling. */
export interface LineReader {
  feed(chunk: Uint8Array): readonly OutputLine[];
  /** The line that has begun and not ended; empty where there is none, or where it was taken already. */
  unfinished(): Uint8Array;
  /** Whether there is one: asked for every chunk, when joining its pieces would be too dear. */
  hasUnfinished(): boolean;
  /** Takes the unfinished line for a whole one: the end that it still may get is no line of its own. */
  takeUnfinished(): void;
  /** Drops what is unfinished up to its end. */
  drop(): void;
}

const lf = 0x0a;

export function createLineReader(ceiling: number): LineReader {
  let pieces: Uint8Array[] = [];
  let length = 0;
  /** How much of the unfinished line was taken already. */
  let taken = 0;
  let isDropping = false;

  const clear = (): void => {
    pieces = [];
    length = 0;
    taken = 0;
  };
  const whole = (): Uint8Array => (pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces));

  const end = (lines: OutputLine[]): void => {
    const bytes = whole();
    // What was taken and got nothing but its end was a line; what goes on behind it was two things in one line.
    const isTold = taken > 0 && bytes.subarray(taken).every((byte) => byte === 0x0d);
    if (!isDropping && !isTold) lines.push({ kind: 'line', bytes });
    isDropping = false;
    clear();
  };

  return {
    feed(chunk) {
      const lines: OutputLine[] = [];
      for (let from = 0; from < chunk.length; ) {
        const at = chunk.indexOf(lf, from);
        const piece = chunk.subarray(from, at === -1 ? chunk.length : at);
        if (!isDropping) {
          pieces.push(piece);
          length += piece.length;
          if (length > ceiling) {
            lines.push({ kind: 'too-long' });
            isDropping = true;
            clear();
          }
        }
        if (at === -1) break;
        end(lines);
        from = at + 1;
      }
      return lines;
    },
    unfinished: () => (taken === length ? new Uint8Array() : whole()),
    hasUnfinished: () => taken !== length,
    takeUnfinished() {
      taken = length;
    },
    drop() {
      if (length > 0) isDropping = true;
      clear();
    },
  };
}
