import type { JsonObject } from '../../json/json-value.ts';
import type { Clock, FetchResponse } from '../../ports.ts';
import type { TransportFacts } from '../../protocol/exchange.ts';
import type { Secret } from '../../text/secret.ts';
import type { HttpSettings } from '../client-settings.ts';
import { createExchangeControl, type ExchangeControl } from '../exchange-control.ts';
import type { GuardedFetch } from '../guards/guard-time.ts';
import { waitInTime } from '../guards/wait-in-time.ts';
import type { Inbox } from '../inbox.ts';
import { notesOf } from '../judge-reading.ts';
import { judgeStatus } from '../judge-status.ts';
import { faultOf, WireFault } from '../wire-fault.ts';
import { Channel } from './channel.ts';
import { acceptBoth, commonHeaders, messageHeaders, postOf } from './http-headers.ts';
import { HttpSession } from './http-session.ts';
import { judgeWaited, type WaitedVerdict } from './judge-waited.ts';
import { noAnswer } from './no-answer.ts';
import { createPostedReplies, type PostedReplies } from './posted-replies.ts';
import { readSideBody } from './side-body.ts';
import { resolveEndpoint } from './sse-endpoint.ts';
import { openSseStream, type SseStream } from './sse-stream.ts';
import type { Delivery, DeliveryFacts, Outgoing, Transport, WireBreach, WireNote } from './transport.ts';

export interface SseWorld {
  /** Guarded: see `http-client.ts`. */
  readonly fetch: GuardedFetch;
  /** Guarded, too, for the stream that lasts as long as the session. */
  readonly fetchStream: GuardedFetch;
  readonly clock: Clock;
  /** Ends every connection. */
  readonly closeConnections: () => Promise<void>;
}

/**
 * The transport of 2024-11-05 (spec, "HTTP with SSE"; deprecated since 2025-03-26): a GET opens the stream of the session, its
 * first event says where to post, and every answer comes on the stream. There is no session and no version header.
 */
export function createSse(settings: HttpSettings & { readonly deadline: number }, world: SseWorld): Transport {
  return new Sse(settings, world);
}

const facts: TransportFacts = { httpStatus: null, mediaType: 'event-stream', deprecation: null, sunset: null };
const noSession = { id: null, revision: null };

interface Session {
  readonly stream: SseStream;
  readonly postUrl: string;
  /** Rejects when the stream has ended: nothing can be answered any more. */
  readonly over: Promise<never>;
}

class Sse implements Transport {
  readonly #settings: HttpSettings & { readonly deadline: number };
  readonly #world: SseWorld;
  readonly #channel: Channel;
  readonly #replies: PostedReplies;
  /** Keeps what the server gave us and nobody else may see. */
  readonly #given = new HttpSession();
  readonly #secrets: Secret[] = [];
  readonly #posts = new Set<ExchangeControl>();
  #session: Session | null = null;
  /** Why there will be no session any more; told as a breach by the step it came in. */
  #end: { readonly fault: WireFault; readonly breaches: readonly WireBreach[] } | null = null;
  #hasWarned = false;

  constructor(settings: HttpSettings & { readonly deadline: number }, world: SseWorld) {
    this.#settings = settings;
    this.#world = world;
    this.#replies = createPostedReplies(world.fetch, world.clock);
    this.#channel = new Channel({ mayBatch: () => false, reply: (message) => this.#reply(message) });
  }

  async deliver(outgoing: Outgoing): Promise<Delivery> {
    const opened = this.#session ?? (await this.#open(outgoing));
    const delivery = 'kind' in opened ? opened : await this.#exchange(outgoing, opened);
    if (this.#hasWarned) return delivery;
    this.#hasWarned = true;
    return { ...delivery, notes: [deprecated, ...delivery.notes] };
  }

  /** Nothing to remember: no message carries the revision. */
  settle(): void {}

  session(): 'none' {
    return 'none';
  }

  secrets(): readonly Secret[] {
    return [...this.#given.secrets, ...this.#secrets];
  }

  async close(): Promise<readonly WireNote[]> {
    await this.#replies.drain();
    for (const exchange of this.#posts) exchange.abort();
    this.#session?.stream.close();
    await this.#world.closeConnections().catch(() => undefined);
    return this.#replies.notes();
  }

  /** Opens the stream and waits for its endpoint event. */
  async #open(outgoing: Outgoing): Promise<Session | Delivery> {
    if (this.#end !== null) return failed(this.#end.fault, []);
    const exchange = createExchangeControl();
    let response: FetchResponse;
    try {
      response = await this.#world.fetchStream(
        this.#settings.url,
        {
          method: 'GET',
          headers: { ...commonHeaders(this.#settings, noSession), Accept: 'text/event-stream' },
          redirect: 'manual',
          needsNewConnection: outgoing.needsNewConnection,
        },
        exchange,
      );
    } catch (error) {
      return noAnswer(faultOf(error, 'no-answer'));
    }
    this.#given.keepCookies(response.headers);
    if (!isSuccess(response)) return this.#judgeRefusal(response, this.#settings.url, outgoing, exchange, false);
    const { clock } = this.#world;
    const stream = openSseStream(response, { settings: this.#settings, clock, channel: this.#channel, exchange });
    const over = stream.ended.then((end) => {
      this.#end ??= end;
      throw end.fault;
    });
    over.catch(() => undefined);
    try {
      const address = resolveEndpoint(await this.#wait(Promise.race([stream.endpoint, over])), this.#settings.url);
      if (address.kind === 'here') {
        this.#secrets.push(...address.secrets);
        this.#session = { stream, postUrl: address.url, over };
        return this.#session;
      }
      this.#end = { fault: new WireFault('protocol', address.message), breaches: [address.breach] };
    } catch (error) {
      this.#end ??= { fault: faultOf(error, 'body'), breaches: [] };
    }
    stream.close();
    return failed(this.#end.fault, this.#end.breaches);
  }

  /** Posts a message and waits for its answer on the stream, which may come before the POST itself is answered. */
  async #exchange(outgoing: Outgoing, session: Session): Promise<Delivery> {
    if (this.#end !== null) return failed(this.#end.fault, []);
    const answered = outgoing.id === null ? null : this.#channel.open(outgoing.id).then(() => null);
    const exchange = createExchangeControl();
    const refusedOrAnswered = this.#post(outgoing, session, exchange).then((refusal) => refusal ?? answered);
    let fault: WireFault | null = null;
    let refusal: Delivery | null = null;
    try {
      const first = answered === null ? [] : [answered];
      refusal = await this.#wait(Promise.race([...first, refusedOrAnswered, session.over]));
    } catch (error) {
      fault = faultOf(error, 'body');
      exchange.abort();
    }
    return this.#conclude(outgoing, session.stream, fault, refusal);
  }

  #conclude(outgoing: Outgoing, stream: SseStream, fault: WireFault | null, refusal: Delivery | null): Delivery {
    const { inbox, notes, breaches } = this.#channel.close();
    const oddities = stream.takeOddities();
    const step: DeliveryFacts = {
      breaches,
      notes: [...notes, ...notesOf(oddities)],
      listChanged: inbox.listChanged(),
      bytes: stream.takeBytes(),
      httpStatus: null,
    };
    if (refusal !== null)
      return { ...refusal, breaches: [...breaches, ...refusal.breaches], notes: [...step.notes, ...refusal.notes] };
    if (outgoing.id === null && fault === null)
      return { ...step, kind: 'accepted', status: null, empty: true, transport: facts };
    const verdict = this.#judge(inbox, fault, oddities.has('event-no-json'));
    return verdict.kind === 'failed'
      ? { ...failed(fault, []), ...step, ...verdict, breaches: [...breaches, ...verdict.breaches] }
      : { ...verdict, ...step, transport: facts };
  }

  #judge(inbox: Inbox, fault: WireFault | null, hasNoJson: boolean): WaitedVerdict {
    const verdict = judgeWaited(inbox, fault, this.#settings.limits.bodyBytes);
    if (verdict.kind !== 'failed' || fault === null || inbox.answer() !== null) return verdict;
    if (fault === this.#end?.fault && this.#end.breaches.length > 0)
      return { ...verdict, breaches: this.#end.breaches };
    if (!hasNoJson || verdict.failure !== 'timeout') return verdict;
    return {
      kind: 'failed',
      failure: 'protocol',
      message: 'An event of the stream is no JSON, and no answer came.',
      breaches: [{ code: 'response-malformed', evidence: { event: 'message' } }],
    };
  }

  /** null: the POST was taken; what its body says (`Accepted`, or the answer once more) adds nothing. */
  async #post(outgoing: Outgoing, { postUrl }: Session, exchange: ExchangeControl): Promise<Delivery | null> {
    this.#posts.add(exchange);
    let response: FetchResponse;
    try {
      response = await this.#world.fetch(
        postUrl,
        {
          ...postOf(outgoing.message, messageHeaders(this.#settings, noSession, outgoing)),
          needsNewConnection: outgoing.needsNewConnection,
        },
        exchange,
      );
    } catch (error) {
      return noAnswer(faultOf(error, 'no-answer'));
    }
    this.#given.keepCookies(response.headers);
    if (!isSuccess(response))
      return this.#judgeRefusal(response, postUrl, outgoing, exchange, outgoing.method !== 'initialize');
    void readSideBody(response, exchange, this.#settings.limits, this.#world.clock).finally(() =>
      this.#posts.delete(exchange),
    );
    return null;
  }

  /** @param sentSession the address named a session that had been at work */
  async #judgeRefusal(
    response: FetchResponse,
    url: string,
    outgoing: Outgoing,
    exchange: ExchangeControl,
    sentSession: boolean,
  ): Promise<Delivery> {
    const { reading, error } = await readSideBody(response, exchange, this.#settings.limits, this.#world.clock);
    const verdict = judgeStatus({
      status: response.status,
      header: (name) => response.headers.get(name),
      url,
      mediaType: reading.mediaType,
      head: reading.head,
      error,
      sentSession,
      outgoing,
      now: this.#world.clock.now(),
    });
    const step = { breaches: [], notes: [], listChanged: false, bytes: reading.bytes, httpStatus: response.status };
    return verdict.kind === 'error'
      ? { ...step, ...verdict, transport: { ...facts, httpStatus: response.status } }
      : { ...step, ...verdict };
  }

  #wait<T>(promise: Promise<T>): Promise<T> {
    const { deadline, limits, signal } = this.#settings;
    const patience = { requestMs: limits.requestMs, deadline, clock: this.#world.clock };
    return waitInTime(promise, signal === undefined ? patience : { ...patience, signal });
  }

  #reply(message: JsonObject): void {
    if (this.#session === null) return;
    const headers = {
      ...commonHeaders(this.#settings, noSession),
      Accept: acceptBoth,
      'Content-Type': 'application/json',
    };
    this.#replies.post(this.#session.postUrl, postOf(message, headers));
  }
}

const deprecated: WireNote = {
  code: 'transport-deprecated',
  message: 'The transport sse is of 2024-11-05 and deprecated since 2025-03-26; servers may drop it at any time.',
};

const isSuccess = ({ status }: FetchResponse): boolean => status >= 200 && status < 300;

const failed = (
  fault: WireFault | null,
  breaches: readonly WireBreach[],
): Extract<Delivery, { readonly kind: 'failed' }> => ({
  kind: 'failed',
  failure: fault?.failure ?? 'internal',
  message: fault?.message ?? 'The waiting ended without an answer.',
  challenge: null,
  sessionLost: false,
  again: null,
  breaches,
  notes: [],
  listChanged: false,
  bytes: 0,
  httpStatus: null,
});
