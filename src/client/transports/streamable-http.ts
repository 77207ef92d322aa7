import type { JsonObject } from '../../json/json-value.ts';
import { limits } from '../../limits.ts';
import type { Clock, FetchResponse } from '../../ports.ts';
import type { TransportFacts } from '../../protocol/exchange.ts';
import type { Secret } from '../../text/secret.ts';
import type { BodyReading } from '../body-text.ts';
import type { HttpSettings } from '../client-settings.ts';
import { createExchangeControl, type ExchangeControl } from '../exchange-control.ts';
import type { GuardedFetch } from '../guards/guard-time.ts';
import { createInbox, type Inbox } from '../inbox.ts';
import { judgeReading } from '../judge-reading.ts';
import { judgeStatus } from '../judge-status.ts';
import { readBody } from '../read-body.ts';
import { faultOf } from '../wire-fault.ts';
import { acceptBoth, commonHeaders, messageHeaders, postOf } from './http-headers.ts';
import { HttpSession } from './http-session.ts';
import { noAnswer } from './no-answer.ts';
import { createPostedReplies, type PostedReplies } from './posted-replies.ts';
import { readSideBody } from './side-body.ts';
import type { Delivery, DeliveryFacts, Outgoing, Transport, WireNote } from './transport.ts';

export interface StreamableHttpWorld {
  /** Guarded: see `http-client.ts`. */
  readonly fetch: GuardedFetch;
  /** Guarded, too, but for the time: ending a session must work when the time of the look is over. */
  readonly fetchLast: GuardedFetch;
  readonly clock: Clock;
  /** Ends every connection. */
  readonly closeConnections: () => Promise<void>;
}

/** Streamable HTTP, both eras (spec 2025-03-26 on, "Streamable HTTP"). */
export function createStreamableHttp(settings: HttpSettings, world: StreamableHttpWorld): Transport {
  return new StreamableHttp(settings, world);
}

class StreamableHttp implements Transport {
  readonly #settings: HttpSettings;
  readonly #world: StreamableHttpWorld;
  readonly #replies: PostedReplies;
  readonly #notes: WireNote[] = [];
  readonly #session = new HttpSession();

  constructor(settings: HttpSettings, world: StreamableHttpWorld) {
    this.#settings = settings;
    this.#world = world;
    this.#replies = createPostedReplies(world.fetch, world.clock);
  }

  async deliver(outgoing: Outgoing): Promise<Delivery> {
    const exchange = createExchangeControl();
    const sentSession = outgoing.method !== 'initialize' && this.#session.id !== null;
    let response: FetchResponse;
    try {
      response = await this.#world.fetch(
        this.#settings.url,
        {
          ...postOf(outgoing.message, messageHeaders(this.#settings, this.#session, outgoing)),
          needsNewConnection: outgoing.needsNewConnection,
        },
        exchange,
      );
    } catch (error) {
      return noAnswer(faultOf(error, 'no-answer'));
    }
    this.#session.keepCookies(response.headers);
    if (response.status < 200 || response.status >= 300)
      return this.#judgeRefusal(response, outgoing, exchange, sentSession);
    return outgoing.id === null
      ? this.#acceptNotification(response, exchange)
      : this.#readAnswer(response, outgoing, outgoing.id, exchange);
  }

  settle(revision: string): void {
    this.#session.settle(revision);
  }

  session(): 'none' | 'issued' | 'invalid' {
    return this.#session.state;
  }

  secrets(): readonly Secret[] {
    return this.#session.secrets;
  }

  async close(): Promise<readonly WireNote[]> {
    await this.#replies.drain();
    if (this.#session.id !== null) await this.#endSession();
    this.#session.drop();
    await this.#world.closeConnections().catch(() => undefined);
    return [...this.#replies.notes(), ...this.#notes];
  }

  /** An answer whose status is no success: its body only adds to what the status says, so it is not waited for long. */
  async #judgeRefusal(
    response: FetchResponse,
    outgoing: Outgoing,
    exchange: ExchangeControl,
    sentSession: boolean,
  ): Promise<Delivery> {
    const { reading, error } = await this.#readSideBody(response, exchange);
    const verdict = judgeStatus({
      status: response.status,
      header: (name) => response.headers.get(name),
      url: this.#settings.url,
      mediaType: reading.mediaType,
      head: reading.head,
      error,
      sentSession,
      outgoing,
      now: this.#world.clock.now(),
    });
    const facts: DeliveryFacts = {
      breaches: [],
      notes: [],
      listChanged: false,
      bytes: reading.bytes,
      httpStatus: response.status,
    };
    return verdict.kind === 'error'
      ? { ...facts, ...verdict, transport: transportFacts(response, reading) }
      : { ...facts, ...verdict };
  }

  #readSideBody(response: FetchResponse, exchange: ExchangeControl): ReturnType<typeof readSideBody> {
    return readSideBody(response, exchange, this.#settings.limits, this.#world.clock);
  }

  async #acceptNotification(response: FetchResponse, exchange: ExchangeControl): Promise<Delivery> {
    const { reading } = await this.#readSideBody(response, exchange);
    const facts: DeliveryFacts = {
      breaches: [],
      notes: [],
      listChanged: false,
      bytes: reading.bytes,
      httpStatus: response.status,
    };
    return {
      ...facts,
      kind: 'accepted',
      status: response.status,
      empty: reading.bytes === 0,
      transport: transportFacts(response, reading),
    };
  }

  async #readAnswer(
    response: FetchResponse,
    outgoing: Outgoing,
    id: number,
    exchange: ExchangeControl,
  ): Promise<Delivery> {
    // A reply to a server's ping may be due before the answer comes, so the session is taken over at once; it is given up
    // again where no result follows ("on the response that carries InitializeResult").
    const issued =
      outgoing.method === 'initialize' && this.#settings.era === 'handshake'
        ? response.headers.get('mcp-session-id')
        : null;
    if (issued !== null) this.#session.adopt(issued);
    const inbox = createInbox({
      id,
      mayBatch: (this.#session.revision ?? this.#settings.revision) === '2025-03-26',
      reply: (message) => this.#reply(message),
    });
    const notes: WireNote[] = [];
    let reading = await this.#readInto(inbox, response, exchange);
    let bytes = reading.bytes;
    if (!reading.isAnswered && mayResume(reading, this.#settings)) {
      const resumed = await this.#resume(reading, inbox);
      if (resumed !== null) bytes += resumed.bytes;
      if (resumed?.isAnswered) {
        reading = resumed;
        notes.push({ code: 'stream-resumed', message: 'The stream broke off and was resumed by its last event id.' });
      }
    }
    const judged = judgeReading(reading, inbox, response, this.#settings.limits);
    if (issued !== null && judged.kind !== 'result') this.#session.drop();
    const facts: DeliveryFacts = {
      breaches: [...inbox.breaches(), ...(judged.kind === 'failed' ? judged.breaches : [])],
      notes: [...judged.notes, ...inbox.notes(), ...notes],
      listChanged: inbox.listChanged(),
      bytes,
      httpStatus: response.status,
    };
    if (judged.kind === 'failed') return { ...judged, ...facts, challenge: null, sessionLost: false, again: null };
    return { ...judged, ...facts, transport: transportFacts(response, reading) };
  }

  #readInto(inbox: Inbox, response: FetchResponse, exchange: ExchangeControl): Promise<BodyReading> {
    return readBody(response, {
      ceilings: this.#settings.limits,
      clock: this.#world.clock,
      take: (value, notes) => inbox.take(value, notes),
      isAnswer: (value) => inbox.isAnswer(value),
      abandon: () => exchange.abort(),
    });
  }

  /** Reads on where a stream broke off (2025-03-26 to 2025-11-25, "Resumability"): an answer that is there is fetched, nothing is sent again. */
  async #resume(broken: BodyReading, inbox: Inbox): Promise<BodyReading | null> {
    const exchange = createExchangeControl();
    try {
      await this.#world.clock.sleep(Math.min(broken.retryMs ?? 0, limits.resumeWaitMs), this.#settings.signal);
      const response = await this.#world.fetch(
        this.#settings.url,
        {
          method: 'GET',
          headers: {
            ...commonHeaders(this.#settings, this.#session),
            Accept: 'text/event-stream',
            'Last-Event-ID': broken.lastEventId ?? '',
          },
          redirect: 'manual',
        },
        exchange,
      );
      if (response.status === 200) return await this.#readInto(inbox, response, exchange);
    } catch {
      // What the POST showed stands.
    }
    exchange.abort();
    return null;
  }

  #reply(message: JsonObject): void {
    // No client of the stateless era sends responses, and no server of it may ask (2026-07-28, "Sending Messages").
    if (this.#settings.era === 'stateless') return;
    const headers = {
      ...commonHeaders(this.#settings, this.#session),
      Accept: acceptBoth,
      'Content-Type': 'application/json',
    };
    this.#replies.post(this.#settings.url, postOf(message, headers));
  }

  async #endSession(): Promise<void> {
    const exchange = createExchangeControl();
    try {
      const response = await this.#world.fetchLast(
        this.#settings.url,
        {
          method: 'DELETE',
          headers: commonHeaders(this.#settings, this.#session),
          redirect: 'manual',
        },
        exchange,
      );
      const isFine =
        (response.status >= 200 && response.status < 300) || response.status === 404 || response.status === 405;
      if (!isFine)
        this.#notes.push({
          code: 'session-end-refused',
          message: `The server answered the end of the session with status ${response.status}.`,
        });
    } catch {
      this.#notes.push({
        code: 'session-end-unanswered',
        message: `The server did not answer the end of the session within ${limits.sessionEndMs / 1_000} s.`,
      });
    }
    exchange.abort();
  }
}

/** Only where the revision has resuming, and the stream gave an id that a header can carry. */
const mayResume = (reading: BodyReading, settings: HttpSettings): boolean =>
  settings.era === 'handshake' &&
  reading.lastEventId !== null &&
  /^[\x20-\x7e]+$/.test(reading.lastEventId) &&
  (reading.fault === null || reading.fault.failure === 'stream-cut');

const transportFacts = (response: FetchResponse, reading: BodyReading): TransportFacts => ({
  httpStatus: response.status,
  mediaType: reading.form === 'event-stream' ? 'event-stream' : reading.form === 'json' ? 'json' : null,
  deprecation: response.headers.get('deprecation'),
  sunset: response.headers.get('sunset'),
});
