import { limits } from '../limits.ts';
import type { Recording } from '../recording/recording.ts';
import { openConversation } from './answer-line.ts';
import { rpcCodes, writeError } from './rpc-message.ts';
import { createServing, type ServingOptions } from './serving.ts';

export interface StdioStreams {
  /** What the client writes; its end ends the server. */
  readonly input: AsyncIterable<Uint8Array>;
  /** Takes whole lines. Nothing else may be written there meanwhile. */
  write(text: string): void;
}

/** Serves recordings over stdio, one message a line, until the input ends. */
export async function serveOverStdio(
  recordings: readonly Recording[],
  options: ServingOptions,
  { input, write }: StdioStreams,
): Promise<void> {
  const conversation = openConversation(createServing(recordings, options));
  for await (const line of linesOf(input)) {
    const answer = line === null ? tooLong : line.trim() === '' ? null : conversation.answer(line);
    if (answer !== null) write(`${answer}\n`);
  }
}

const tooLong = writeError(null, {
  code: rpcCodes.invalidRequest,
  message: `A message has at most ${limits.standInRequestBytes} bytes`,
});

/** Lines without their ends; null for one beyond the ceiling, whose bytes are thrown away as they come. */
async function* linesOf(input: AsyncIterable<Uint8Array>): AsyncGenerator<string | null> {
  let held: Buffer[] = [];
  let size = 0;
  const take = (): string | null => {
    const line = size > limits.standInRequestBytes ? null : Buffer.concat(held).toString('utf8');
    held = [];
    size = 0;
    return line;
  };
  for await (const chunk of input) {
    let from = 0;
    for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, from)) {
      hold(chunk.subarray(from, end));
      from = end + 1;
      yield take();
    }
    hold(chunk.subarray(from));
  }
  if (size > 0) yield take();

  function hold(part: Uint8Array): void {
    size += part.length;
    if (size <= limits.standInRequestBytes) held.push(Buffer.from(part));
    else held = [];
  }
}
