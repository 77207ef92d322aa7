import type { JsonValue } from '../../json/json-value.ts';
import type { Clock, FetchResponse } from '../../ports.ts';
import type { BodyOddity, BodyReading } from '../body-text.ts';
import type { HttpSettings } from '../client-settings.ts';
import type { StreamEvent } from '../event-reader.ts';
import type { ExchangeControl } from '../exchange-control.ts';
import { createInbox } from '../inbox.ts';
import { judgeReading } from '../judge-reading.ts';
import { readBody } from '../read-body.ts';
import { WireFault } from '../wire-fault.ts';
import type { Channel } from './channel.ts';
import type { WireBreach } from './transport.ts';

/** How a stream came to its end. */
interface StreamEnd {
  readonly fault: WireFault;
  readonly breaches: readonly WireBreach[];
}

/** The one stream of a session, on which every answer comes. */
export interface SseStream {
  /** The data of its first `endpoint` event. */
  readonly endpoint: Promise<string>;
  /** Never rejects. */
  readonly ended: Promise<StreamEnd>;
  /** What was odd since it was last asked. */
  takeOddities(): ReadonlySet<BodyOddity>;
  /** Decoded bytes since it was last asked. */
  takeBytes(): number;
  close(): void;
}

export interface SseStreamOptions {
  readonly settings: HttpSettings;
  readonly clock: Clock;
  readonly channel: Channel;
  /** The exchange of the GET. */
  readonly exchange: ExchangeControl;
}

/** Reads the body of a GET that was answered with success, until it ends or is closed. */
export function openSseStream(response: FetchResponse, options: SseStreamOptions): SseStream {
  const { settings, clock, channel, exchange } = options;
  const oddities = new Set<BodyOddity>();
  let bytes = 0;
  let messages = 0;
  let named: (address: string) => void = () => undefined;
  const endpoint = new Promise<string>((resolve) => {
    named = resolve;
  });
  let hasEndpoint = false;

  const take = (value: JsonValue, notes: Parameters<Channel['take']>[1]): false => {
    messages += 1;
    if (messages > settings.limits.messages)
      channel.fail(
        new WireFault('too-large', `More than ${settings.limits.messages} messages came before the answer.`),
      );
    else channel.take(value, notes);
    return false;
  };
  const takeOther = (event: StreamEvent): void => {
    if (event.type !== 'endpoint') oddities.add('event-of-other-type');
    else if (!hasEndpoint) {
      hasEndpoint = true;
      named(event.data);
    }
  };
  const ended = readBody(response, {
    ceilings: settings.limits,
    clock,
    take,
    isAnswer: (value) => channel.isAnswer(value),
    takeOther,
    isLasting: true,
    oddities,
    count: (more) => {
      bytes += more;
    },
    abandon: () => exchange.abort(),
  }).then((reading) => endOf(reading, hasEndpoint, response, settings));

  return {
    endpoint,
    ended,
    takeOddities() {
      const taken = new Set(oddities);
      oddities.clear();
      return taken;
    },
    takeBytes() {
      const taken = bytes;
      bytes = 0;
      messages = 0;
      return taken;
    },
    close: () => exchange.abort(),
  };
}

function endOf(
  reading: BodyReading,
  hasEndpoint: boolean,
  response: Pick<FetchResponse, 'status' | 'headers'>,
  settings: HttpSettings,
): StreamEnd {
  const isStream = hasEndpoint || reading.form === 'event-stream';
  if (isStream && reading.fault?.failure !== 'too-large')
    return { fault: reading.fault ?? new WireFault('stream-cut', 'The stream of the session ended.'), breaches: [] };
  // No stream at all: a page, an error, nothing.
  const empty = createInbox({ id: null, mayBatch: false, reply: () => undefined });
  const judged = judgeReading(reading, empty, response, settings.limits);
  return judged.kind === 'failed'
    ? { fault: new WireFault(judged.failure, judged.message), breaches: judged.breaches }
    : { fault: new WireFault('internal', 'The stream ended as no stream can.'), breaches: [] };
}
