import type { Failure, Note } from '../findings/failure.ts';
import { type JsonObject, member } from '../json/json-value.ts';
import type { Clock, Random } from '../ports.ts';
import type { Breach } from '../protocol/breach.ts';
import { isMethod, type Method } from '../protocol/methods.ts';
import type { Mirrored } from '../protocol/mirrored-arguments.ts';
import { requestMeta } from '../protocol/stateless.ts';
import type { ToolList } from '../protocol/tool-list.ts';
import type { Secret } from '../text/secret.ts';
import { type CallGate, mirroredBy, refuseCall } from './call-gate.ts';
import type { ClientSettings } from './client-settings.ts';
import { listPages } from './list-pages.ts';
import type { CallOutcomeOrRefusal, HandshakeFacts, McpClient, Outcome, StepMeasures } from './mcp-client.ts';
import type { Delivery, Transport, WireBreach, WireNote } from './transports/transport.ts';
import { WireFault } from './wire-fault.ts';

export interface ClientWorld {
  readonly clock: Clock;
  readonly random: Random;
}

/** The four-method client over any transport. */
export const createClient = (settings: ClientSettings, transport: Transport, world: ClientWorld): McpClient =>
  new FourMethodClient(settings, transport, world);

/** What a step adds up to over all its requests. */
interface Tally {
  readonly startedAt: number;
  bytes: number;
  httpStatus: number | null;
  readonly breaches: Breach[];
}

interface Message {
  readonly method: Method;
  readonly params: JsonObject | undefined;
  readonly tool?: string | null;
  readonly mirrored?: Mirrored;
}

class FourMethodClient implements McpClient {
  readonly #settings: ClientSettings;
  readonly #transport: Transport;
  readonly #world: ClientWorld;
  readonly #deadline: number;
  readonly #notes: Note[] = [];
  /** Ids begin anywhere, so an answer that has always the same id is found out. */
  #nextId: number;
  #hasSent = false;
  #gate: CallGate;

  constructor(settings: ClientSettings, transport: Transport, world: ClientWorld) {
    this.#settings = settings;
    this.#transport = transport;
    this.#world = world;
    this.#deadline = settings.deadline ?? world.clock.monotonic() + settings.limits.targetMs;
    this.#nextId = 1 + Math.floor(world.random.fraction() * 1_000_000);
    this.#gate = { callable: settings.callable, listed: new Map() };
  }

  async initialize(): Promise<Outcome<HandshakeFacts>> {
    const { identity, revision } = this.#settings;
    const tally = this.#begin();
    const delivery = await this.#send(tally, {
      method: 'initialize',
      params: {
        protocolVersion: revision,
        capabilities: {},
        clientInfo: { name: identity.name, version: identity.version },
      },
    });
    if (delivery.kind !== 'result') return this.#conclude('initialize', tally, delivery);
    const settled = member(delivery.result, 'protocolVersion');
    if (typeof settled === 'string') this.#transport.settle(settled);
    const value = { result: delivery.result, session: this.#transport.session() };
    return { kind: 'answered', value, transport: delivery.transport, ...this.#measure(tally) };
  }

  async notifyInitialized(): Promise<Outcome<{ readonly status: number; readonly empty: boolean } | null>> {
    const tally = this.#begin();
    const delivery = await this.#send(tally, { method: 'notifications/initialized', params: undefined });
    if (delivery.kind !== 'accepted') return this.#conclude('notifications/initialized', tally, delivery);
    const value = delivery.status === null ? null : { status: delivery.status, empty: delivery.empty };
    return { kind: 'answered', value, transport: delivery.transport, ...this.#measure(tally) };
  }

  async listTools(): Promise<Outcome<ToolList>> {
    const tally = this.#begin();
    this.#gate = { ...this.#gate, listed: new Map() };
    let listing = await this.#listOnce(tally);
    // "The list has changed" in mid-list: what was collected may be of two lists.
    if (listing.kind === 'listed' && listing.listChanged) {
      this.#note('tools/list', {
        code: 'list-changed',
        message: 'The server said that its list changed while it was read; it was read once more.',
      });
      listing = await this.#listOnce(tally);
    }
    if (listing.kind === 'page') return this.#conclude('tools/list', tally, listing.delivery);
    if (listing.kind === 'unusable') {
      tally.breaches.push(breachOf('tools/list', null, listing.breach));
      return this.#fail('tools/list', tally, listing.failure, listing.message);
    }
    this.#gate = { ...this.#gate, listed: listing.entries };
    return { kind: 'answered', value: listing.list, transport: listing.list.transport, ...this.#measure(tally) };
  }

  async callTool(tool: string, args: JsonObject): Promise<CallOutcomeOrRefusal> {
    const refusal = refuseCall(this.#gate, tool);
    if (refusal !== null) return { kind: 'blocked', refusal };
    const mirrored = this.#settings.era === 'stateless' ? mirroredBy(this.#gate, tool, args) : [];
    if (mirrored === null) return { kind: 'blocked', refusal: 'not-mirrorable' };
    const tally = this.#begin();
    const delivery = await this.#send(tally, {
      method: 'tools/call',
      params: this.#params({ name: tool, arguments: args }),
      tool,
      mirrored,
    });
    if (delivery.kind !== 'result') return this.#conclude('tools/call', tally, delivery);
    return { kind: 'answered', value: delivery.result, transport: delivery.transport, ...this.#measure(tally) };
  }

  notes(): readonly Note[] {
    return this.#notes;
  }

  secrets(): readonly Secret[] {
    return this.#transport.secrets();
  }

  async close(): Promise<readonly Note[]> {
    const last = await this.#transport.close();
    return last.map((note) => ({ ...note, step: 'close' as const }));
  }

  async #listOnce(tally: Tally): ReturnType<typeof listPages> {
    const listing = await listPages({
      sendPage: (cursor) =>
        this.#send(tally, { method: 'tools/list', params: this.#params(cursor === undefined ? {} : { cursor }) }),
      limits: this.#settings.limits,
      mayEndAtEmptyCursor: this.#settings.era === 'handshake',
    });
    for (const note of listing.notes) this.#note('tools/list', note);
    return listing;
  }

  #params(params: JsonObject): JsonObject {
    const { era, identity, revision } = this.#settings;
    return era === 'stateless' ? { ...params, _meta: requestMeta(revision, identity) } : params;
  }

  /** Sends one message; `initialize` and `tools/list` once more where nothing had been answered. A call never. */
  async #send(tally: Tally, message: Message): Promise<Delivery> {
    const first = await this.#deliver(tally, message, false);
    const isRepeatable = message.method === 'initialize' || message.method === 'tools/list';
    if (first.kind !== 'failed' || first.again === null || !isRepeatable) return first;
    const { again } = first;
    if (again.kind === 'later') {
      const { clock } = this.#world;
      if (clock.monotonic() + again.afterMs >= this.#deadline) return first;
      try {
        await clock.sleep(again.afterMs, this.#settings.signal);
      } catch {
        return { ...first, failure: 'canceled', message: 'The run was interrupted.' };
      }
    }
    this.#note(message.method, {
      code: 'request-repeated',
      message: `${first.message} The request was sent once more.`,
    });
    return this.#deliver(tally, message, again.kind === 'new-connection');
  }

  async #deliver(
    tally: Tally,
    { method, params, tool = null, mirrored = [] }: Message,
    needsNewConnection: boolean,
  ): Promise<Delivery> {
    // The type has only four; this holds for what the type cannot see.
    if (!isMethod(method)) throw new WireFault('refused', 'Only the four methods are ever sent.');
    const id = method === 'notifications/initialized' ? null : this.#takeId();
    const isFirst = !this.#hasSent;
    this.#hasSent = true;
    const message: JsonObject = {
      jsonrpc: '2.0',
      ...(id === null ? {} : { id }),
      method,
      ...(params === undefined ? {} : { params }),
    };
    const delivery = await this.#transport.deliver({
      method,
      id,
      message,
      tool,
      mirrored,
      isFirst,
      needsNewConnection,
    });
    tally.bytes += delivery.bytes;
    tally.httpStatus = delivery.httpStatus;
    tally.breaches.push(...delivery.breaches.map((breach) => breachOf(method, tool, breach)));
    for (const note of delivery.notes) this.#note(method, note);
    return delivery;
  }

  #takeId(): number {
    this.#nextId += 1;
    return this.#nextId;
  }

  /** The outcome of a step whose last delivery was no success. */
  #conclude(step: Method, tally: Tally, delivery: Delivery): Extract<Outcome<never>, { kind: 'error' | 'failed' }> {
    if (delivery.kind === 'error')
      return { kind: 'error', error: delivery.error, transport: delivery.transport, ...this.#measure(tally) };
    if (delivery.kind === 'failed') return this.#fail(step, tally, delivery.failure, delivery.message, delivery);
    return this.#fail(step, tally, 'internal', 'The transport delivered what was not asked for.');
  }

  #fail(
    step: Method,
    tally: Tally,
    failure: Failure['class'],
    message: string,
    more: Partial<Pick<Extract<Delivery, { kind: 'failed' }>, 'challenge' | 'sessionLost'>> = {},
  ): Extract<Outcome<never>, { kind: 'failed' }> {
    const { challenge = null, sessionLost = false } = more;
    return {
      kind: 'failed',
      failure: { class: failure, step, message },
      challenge,
      sessionLost,
      ...this.#measure(tally),
    };
  }

  #begin(): Tally {
    return { startedAt: this.#world.clock.monotonic(), bytes: 0, httpStatus: null, breaches: [] };
  }

  #measure(tally: Tally): { readonly breaches: readonly Breach[]; readonly measures: StepMeasures } {
    const durationMs = this.#world.clock.monotonic() - tally.startedAt;
    return { breaches: tally.breaches, measures: { durationMs, bytes: tally.bytes, httpStatus: tally.httpStatus } };
  }

  #note(step: Method, { code, message }: WireNote): void {
    if (!this.#notes.some((known) => known.code === code && known.step === step && known.message === message))
      this.#notes.push({ code, step, message });
  }
}

const breachOf = (method: Method, tool: string | null, breach: WireBreach): Breach => ({
  code: breach.code,
  method: breach.method ?? method,
  tool: breach.method === undefined ? tool : null,
  case: null,
  pointer: null,
  evidence: breach.evidence,
  ...(breach.facts === undefined ? {} : { facts: breach.facts }),
});
