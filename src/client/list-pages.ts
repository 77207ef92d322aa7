import { canonicalJson } from '../json/canonical-json.ts';
import { sha256Of } from '../json/digest.ts';
import { countValues, isJsonObject, type JsonObject, type JsonValue, member } from '../json/json-value.ts';
import { limits, type TargetLimits } from '../limits.ts';
import { noTransport, type TransportFacts } from '../protocol/exchange.ts';
import { cacheScopesOf, entriesOf, mergePages, nameOf, type ToolList } from '../protocol/tool-list.ts';
import type { Delivery, WireBreach, WireNote } from './transports/transport.ts';

/** One whole listing, or the page that made it none. */
export type Listing = { readonly notes: readonly WireNote[]; readonly listChanged: boolean } & (
  | { readonly kind: 'listed'; readonly list: ToolList; readonly entries: ReadonlyMap<string, readonly JsonObject[]> }
  /** A page failed, and the whole listing with it. */
  | { readonly kind: 'page'; readonly delivery: Delivery }
  /** Every page was answered, but they are no catalogue. */
  | {
      readonly kind: 'unusable';
      readonly failure: 'protocol' | 'too-large';
      readonly message: string;
      readonly breach: WireBreach;
    }
);

export interface ListOptions {
  /** Asks for one page; undefined: the first. */
  readonly sendPage: (cursor: string | undefined) => Promise<Delivery>;
  readonly limits: Pick<TargetLimits, 'pages' | 'tools' | 'bodyBytes' | 'nodes'>;
  /** Whether an error in answer to an empty cursor may be taken for the end: in the stateless era it is a cursor like any other. */
  readonly mayEndAtEmptyCursor: boolean;
}

/**
 * Collects every page of tools/list (spec, "Pagination"). An absent cursor ends it, and so does null (a note). An empty
 * one is asked for once: a new page goes on, a known page is the end (notes). A repeated cursor or page, and more pages
 * than the ceiling, are `tools-pagination-loop`. All pages are held until the list is whole, so their bytes and values have a
 * ceiling together, too.
 */
export async function listPages(options: ListOptions): Promise<Listing> {
  const results: JsonObject[] = [];
  const seenCursors = new Set<string>();
  const isKnownPage = createPageMemory();
  const notes: WireNote[] = [];
  let transport: TransportFacts | null = null;
  let listChanged = false;
  let tools = 0;
  let bytes = 0;
  let values = 0;
  let cursor: string | undefined;
  const end = (listing: DistributiveOmit<Listing, 'notes' | 'listChanged'>): Listing => ({
    ...listing,
    notes,
    listChanged,
  });
  const unusable = (
    code: WireBreach['code'],
    message: string,
    evidence: JsonValue,
    more: { failure?: 'too-large'; facts?: WireBreach['facts'] } = {},
  ): Listing =>
    end({
      kind: 'unusable',
      failure: more.failure ?? 'protocol',
      message,
      breach: { code, evidence, ...(more.facts ? { facts: more.facts } : {}) },
    });

  for (;;) {
    const delivery = await options.sendPage(cursor);
    listChanged ||= delivery.listChanged;
    if (
      delivery.kind === 'error' &&
      cursor === '' &&
      options.mayEndAtEmptyCursor &&
      Number(delivery.error.code) === -32602
    ) {
      notes.push({
        code: 'cursor-empty',
        message: 'The last page has an empty cursor that leads nowhere; it was taken for the end.',
      });
      break;
    }
    if (delivery.kind !== 'result') return end({ kind: 'page', delivery });
    transport ??= delivery.transport;
    const { result } = delivery;
    const entries = entriesOf(result);
    const next = member(result, 'nextCursor');
    if (entries === null)
      return unusable(
        'tools-list-malformed',
        'The answer has no array of tools.',
        { tools: kindOf(member(result, 'tools')) },
        { facts: { pointer: '/tools' } },
      );
    if (isKnownPage(entries)) {
      if (cursor !== '')
        return unusable('tools-pagination-loop', 'A page of the tool list came back again.', {
          pages: results.length,
          repeated: 'page',
        });
      notes.push({
        code: 'cursor-empty',
        message: 'An empty cursor leads back to a known page; it was taken for the end.',
      });
      break;
    }
    if (cursor === '') notes.push({ code: 'cursor-empty-used', message: 'An empty cursor led to another page.' });
    results.push(result);
    tools += entries.length;
    if (tools > options.limits.tools) {
      return unusable(
        'response-too-large',
        `The list has more than ${options.limits.tools} tools.`,
        { tools },
        { failure: 'too-large' },
      );
    }
    bytes += delivery.bytes;
    values += countValues(result);
    const { bodyBytes, nodes } = options.limits;
    if (bytes > limits.listBodies * bodyBytes || values > limits.listBodies * nodes)
      return unusable(
        'response-too-large',
        `The pages of the list have more than ${limits.listBodies * bodyBytes} bytes or ${limits.listBodies * nodes} values together.`,
        { pages: results.length, bytes, values },
        { failure: 'too-large' },
      );
    if (next === null)
      notes.push({ code: 'cursor-null', message: 'The last page has a cursor of null instead of none.' });
    if (next === undefined || next === null) break;
    if (typeof next !== 'string')
      return unusable(
        'tools-list-malformed',
        'The cursor of the next page is no string.',
        { nextCursor: kindOf(next) },
        { facts: { pointer: '/nextCursor' } },
      );
    if (seenCursors.has(next))
      return unusable('tools-pagination-loop', 'A cursor of the tool list came back again.', {
        pages: results.length,
        repeated: 'cursor',
      });
    if (results.length >= options.limits.pages)
      return unusable('tools-pagination-loop', `The list has more than ${options.limits.pages} pages.`, {
        pages: results.length,
      });
    seenCursors.add(next);
    cursor = next;
  }
  if (cacheScopesOf(results).length > 1)
    notes.push({
      code: 'cache-scope-mixed',
      message: 'The pages of one list differ in `cacheScope`; the widest was taken.',
    });
  const facts = transport ?? noTransport;
  return end({ kind: 'listed', list: mergePages(results, facts), entries: entriesByName(results) });
}

type DistributiveOmit<T, K extends keyof T> = T extends unknown ? Omit<T, K> : never;

/** Whether a page came before; the only page of most lists is not read for that. */
function createPageMemory(): (entries: readonly JsonValue[]) => boolean {
  const identities = new Set<string>();
  let first: readonly JsonValue[] | null = null;
  return (entries) => {
    if (first === null) {
      first = entries;
      return false;
    }
    if (identities.size === 0) identities.add(identityOf(first));
    const identity = identityOf(entries);
    const isKnown = entries.length > 0 && identities.has(identity);
    identities.add(identity);
    return isKnown;
  };
}

/** What a page holds, whatever the order: some servers shuffle. */
const identityOf = (entries: readonly JsonValue[]): string => sha256Of(entries.map(canonicalJson).sort().join('\n'));

const kindOf = (value: JsonValue | undefined): string =>
  value === undefined ? 'absent' : value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;

function entriesByName(results: readonly JsonObject[]): Map<string, JsonObject[]> {
  const byName = new Map<string, JsonObject[]>();
  for (const entry of results.flatMap((result) => entriesOf(result) ?? [])) {
    const name = nameOf(entry);
    if (name === null || !isJsonObject(entry)) continue;
    const known = byName.get(name);
    if (known === undefined) byName.set(name, [entry]);
    else known.push(entry);
  }
  return byName;
}
