import { limits } from '../../limits.ts';
import { tailOf } from '../../text/clip-text.ts';
import { renderForTerminal } from '../../text/render-terminal.ts';

/** Drains what a child writes to stderr, which would stand still behind a full pipe, and keeps the end of it. */
export interface LastWords {
  /** What a message may quote of it: redacted, rendered, short. Empty where there is nothing. */
  quote(): string;
  /** When the child has closed its stderr. */
  readonly done: Promise<void>;
}

const quotedUnits = 300;

/** @param redact takes secrets out before anything is cut */
export function drainStderr(stderr: AsyncIterable<Uint8Array>, redact: (text: string) => string): LastWords {
  let kept: Uint8Array[] = [];
  let bytes = 0;
  const drain = async (): Promise<void> => {
    for await (const chunk of stderr) {
      kept.push(chunk.subarray(-limits.stderrBytes));
      bytes += kept.at(-1)?.length ?? 0;
      // Twice the ceiling, so that joining the pieces is rare.
      if (bytes <= 2 * limits.stderrBytes) continue;
      kept = [Buffer.concat(kept).subarray(-limits.stderrBytes)];
      bytes = limits.stderrBytes;
    }
  };
  return {
    done: drain(),
    quote() {
      const text = Buffer.concat(kept).subarray(-limits.stderrBytes).toString('utf8');
      return renderForTerminal(tailOf(redact(text).trim(), quotedUnits));
    },
  };
}
