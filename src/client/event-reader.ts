import { createParser } from 'eventsource-parser';

export interface StreamEvent {
  /** `message` where the stream names none. */
  readonly type: string;
  readonly data: string;
}

/** Reads an event stream from decoded text, whatever its chunks. */
export interface EventReader {
  feed(text: string): readonly StreamEvent[];
  /** The event that the stream has begun and not ended, as it would be if it ended here; null where there is none. */
  unfinished(): StreamEvent | null;
  /** The last event id of the ended events (an id without data counts); null where none was seen. */
  lastEventId(): string | null;
  /** What `retry` asked for last, in milliseconds. */
  retryMs(): number | null;
  /** Whether anything so far was a line of an event stream. */
  hasFields(): boolean;
}

const idLine = /(?<![^\n])id(?:: ?([^\n]*))?(?![^\n])/g;
const fieldLine = /(?<![^\n])(?::|(?:data|event|id|retry)(?::|(?![^\n])))/;

export function createEventReader(): EventReader {
  let ended: StreamEvent[] = [];
  let retryMs: number | null = null;
  let lastEventId: string | null = null;
  let hasFields = false;
  // Text behind the last blank line, in pieces: the parser does not show what it holds back.
  let open: string[] = [];
  let isAfterCr = false;
  let isAfterLf = true;
  const parser = createParser({
    onEvent: (event) => ended.push({ type: event.event ?? 'message', data: event.data }),
    onRetry: (ms) => {
      retryMs = ms;
    },
  });

  // The parser holds a CR back until it has seen what follows, which on an open stream may be never. LF is always an end.
  const normalise = (text: string): string => {
    const rest = isAfterCr && text.startsWith('\n') ? text.slice(1) : text;
    if (text !== '') isAfterCr = text.endsWith('\r');
    return rest.replace(/\r\n?/g, '\n');
  };

  const keep = (text: string): void => {
    const border = text.lastIndexOf('\n\n');
    const end = border >= 0 ? border + 2 : isAfterLf && text.startsWith('\n') ? 1 : 0;
    if (end > 0) {
      const block = open.join('') + text.slice(0, end);
      hasFields ||= fieldLine.test(block);
      for (const [, id = ''] of block.matchAll(idLine)) if (!id.includes('\0')) lastEventId = id;
      open = [];
    }
    if (end < text.length) open.push(text.slice(end));
    isAfterLf = text.endsWith('\n');
  };

  return {
    feed(text) {
      const lines = normalise(text);
      if (lines === '') return [];
      ended = [];
      parser.feed(lines);
      keep(lines);
      return ended;
    },
    unfinished() {
      let event: StreamEvent | null = null;
      const last = createParser({ onEvent: (found) => (event = { type: found.event ?? 'message', data: found.data }) });
      last.feed(`${open.join('')}\n\n`);
      return event;
    },
    lastEventId: () => (lastEventId === '' ? null : lastEventId),
    retryMs: () => retryMs,
    hasFields: () => hasFields || fieldLine.test(open.join('')),
  };
}
