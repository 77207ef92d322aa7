import { decodeUtf8 } from '../json/parse-json.ts';

/** Decodes a stream of bytes that must be UTF-8. What stands in front of the first wrong byte is given, whatever the chunks. */
export interface Utf8Reader {
  /** The text of one chunk, as far as it is whole; `isBroken`: what follows is not UTF-8, and nothing more may be fed. */
  read(chunk: Uint8Array): { readonly text: string; readonly isBroken: boolean };
  /** Whether the stream may end here, or stands inside a character. */
  isWhole(): boolean;
}

export function createUtf8Reader(): Utf8Reader {
  // Made when it is needed: most bodies are one chunk, and a decoder costs more than decoding it.
  let decoder: InstanceType<typeof TextDecoder> | null = null;
  // The bytes of a character whose end has not come: the decoder does not show them.
  let open: readonly number[] = [];
  return {
    read(chunk) {
      const before = open;
      const whole = decoder === null ? decodeUtf8(chunk) : null;
      if (whole !== null) return { text: whole, isBroken: false };
      decoder ??= strictDecoder();
      open = openBytes([...before, ...chunk.subarray(Math.max(0, chunk.length - 3))].slice(-3));
      try {
        return { text: decoder.decode(chunk, { stream: true }), isBroken: false };
      } catch {
        return { text: validStart(Uint8Array.from([...before, ...chunk])), isBroken: true };
      }
    },
    isWhole: () => open.length === 0,
  };
}

const strictDecoder = (): InstanceType<typeof TextDecoder> =>
  new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The last bytes of a text that are the beginning of a character and not all of it. */
function openBytes(last: readonly number[]): readonly number[] {
  for (let back = 1; back <= last.length; back += 1) {
    const byte = last[last.length - back] ?? 0;
    if (byte < 0x80) return [];
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? last.slice(-back) : [];
  }
  return [];
}

function validStart(bytes: Uint8Array): string {
  const decoder = strictDecoder();
  let text = '';
  try {
    for (const byte of bytes) text += decoder.decode(Uint8Array.of(byte), { stream: true });
  } catch {
    // Up to here it was UTF-8.
  }
  return text;
}
