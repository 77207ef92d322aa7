import { createHttpClient } from '../../../src/client/http-client.ts';
import type { FetchLike, FetchResponse } from '../../../src/ports.ts';
import { fixedRandom, settingsFor } from '../scripted-server.ts';
import { stoppedClock } from '../stopped-clock.ts';
import { type MadeUpCatalogue, type MadeUpList, type MadeUpTool, madeUpCatalogue } from './catalogue.ts';

interface Asked {
  readonly method?: string;
  readonly id?: unknown;
  readonly params?: { readonly name?: string; readonly cursor?: string };
}

const encoder = new TextEncoder();
const respond = (status: number, type: string, text: string): FetchResponse => ({
  status,
  headers: { get: (name) => (name === 'content-type' ? type : null), forEach: () => undefined },
  body: text === '' ? null : once(encoder.encode(text)),
  isRaw: true,
});
async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** A server that goes through its lists, and remembers what it was asked and what it had said by then. */
class Server {
  readonly #lists: MadeUpCatalogue['lists'];
  #at = 0;
  /** Everything that the listing under way, or the last one, has said. */
  said: readonly MadeUpTool[] = [];
  isWhole = false;
  readonly called: string[] = [];

  constructor(lists: MadeUpCatalogue['lists']) {
    this.#lists = lists;
  }

  /** A new listing begins with another state of the list. */
  next(): void {
    this.#at = Math.min(this.#at + 1, this.#lists.length - 1);
  }

  readonly fetch: FetchLike = async (_, { body }) => {
    const message = JSON.parse(body ?? '{}') as Asked;
    if (message.method === 'notifications/initialized') return respond(202, '', '');
    if (message.method === 'tools/list') return this.#list(message);
    if (message.method === 'tools/call') this.called.push(String(message.params?.name));
    const result =
      message.method === 'initialize'
        ? '{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"}}'
        : '{"content":[],"resultType":"complete"}';
    return respond(200, 'application/json', `{"jsonrpc":"2.0","id":${String(message.id)},"result":${result}}`);
  };

  #list({ id, params }: Asked): FetchResponse {
    const page = params?.cursor === undefined ? 0 : Number(params.cursor.slice(1));
    const list: MadeUpList = this.#lists[this.#at] ?? this.#lists[0];
    const tools = list.pages[page] ?? [];
    const isLast = page + 1 >= list.pages.length;
    this.said = page === 0 ? tools : [...this.said, ...tools];
    this.isWhole = isLast && list.failsAt !== page;
    if (list.failsAt === page) return respond(502, 'text/plain', '');
    const entries = tools.map(
      ({ name, annotations }) =>
        `{"name":${JSON.stringify(name)},"inputSchema":{"type":"object"}${annotations === null ? '' : `,"annotations":${annotations}`}}`,
    );
    const next = isLast ? '' : `,"nextCursor":"p${page + 1}"`;
    const answer = `{"jsonrpc":"2.0","id":${String(id)},"result":{"tools":[${entries.join(',')}]${next},"resultType":"complete"}}`;
    if (list.changesAt !== page) return respond(200, 'application/json', answer);
    this.next();
    const changed = '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}';
    return respond(200, 'text/event-stream', `data: ${changed}\n\ndata: ${answer}\n\n`);
  }
}

/** What the server itself says about a call: by the texts it sent and by what its names were made of. */
function isHarmless(server: Server, callable: ReadonlySet<string>, tool: string): boolean {
  const entries = server.said.filter(({ name }) => name === tool);
  return (
    callable.has(tool) &&
    server.isWhole &&
    entries.length > 0 &&
    entries.every(({ isWrite }) => !isWrite) &&
    entries.every(({ annotations }) => saysReadOnly(annotations))
  );
}

/** Read from the text: an object in braces whose last `readOnlyHint` is `true`, and whose last `destructiveHint` is not. */
function saysReadOnly(annotations: string | null): boolean {
  if (annotations === null || !annotations.startsWith('{') || annotations.includes('__proto__')) return false;
  const last = (name: string): string | undefined =>
    [...annotations.matchAll(new RegExp(`"${name}":([^,}]+)`, 'g'))].map((found) => found[1]).pop();
  return last('readOnlyHint') === 'true' && last('destructiveHint') !== 'true';
}

export interface CatalogueVerdict {
  /** What is wrong; null: nothing. */
  readonly fault: string | null;
  readonly sent: number;
  readonly refused: number;
}

/** Lists and calls as a run does, and holds each call to what the server knows. */
export async function judgeCatalogue(number: number): Promise<CatalogueVerdict> {
  const catalogue = madeUpCatalogue(number);
  const server = new Server(catalogue.lists);
  const client = createHttpClient(
    settingsFor('http://127.0.0.1:1/mcp', {
      era: catalogue.era,
      revision: catalogue.era === 'handshake' ? '2025-11-25' : '2026-07-28',
      callable: catalogue.callable,
    }),
    { fetch: server.fetch, clock: stoppedClock, random: fixedRandom },
  );
  let [sent, refused] = [0, 0];
  const call = async (tool: string): Promise<string | null> => {
    const before = server.called.length;
    const outcome = await client.callTool(tool, {});
    const wasSent = server.called.length > before;
    if (wasSent) sent += 1;
    else refused += 1;
    const mayBeSent = isHarmless(server, catalogue.callable, tool);
    if (wasSent === mayBeSent && wasSent === (outcome.kind !== 'blocked')) return null;
    return `Catalogue ${number}: the call of ${JSON.stringify(tool)} was ${wasSent ? '' : 'not '}sent (${JSON.stringify(outcome)}): ${JSON.stringify(server.said.filter(({ name }) => name === tool))}`;
  };
  // Nothing is known before the first list.
  const faults = [...(await Promise.all(catalogue.calls.slice(0, 2).map(call)))];
  if (catalogue.era === 'handshake') await client.initialize();
  for (let listing = 0; listing < catalogue.listings; listing += 1) {
    await client.listTools();
    for (const tool of catalogue.calls) faults.push(await call(tool));
    server.next();
  }
  await client.close();
  return { fault: faults.find((fault) => fault !== null) ?? null, sent, refused };
}
