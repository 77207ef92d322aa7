import { type Revision, revisions } from './revisions.ts';

/** One thing that a revision changed for a client of the four methods. */
export interface RevisionChange {
  /** The revision that brought it. */
  readonly revision: Revision;
  readonly topic:
    | 'handshake'
    | 'transport'
    | 'session'
    | 'headers'
    | 'messages'
    | 'tools/list'
    | 'tools/call'
    | 'schemas'
    | 'errors'
    | 'sign-in';
  readonly change: string;
  /** What a client that moves to this revision does about it. */
  readonly todo: string;
}

const change = (revision: Revision, topic: RevisionChange['topic'], what: string, todo: string): RevisionChange => ({
  revision,
  topic,
  change: what,
  todo,
});

/** In the order of the revisions. Sources: the pages and the schema of each revision. */
const changes: readonly RevisionChange[] = [
  change(
    '2025-03-26',
    'transport',
    'One endpoint takes POST and GET (Streamable HTTP); the two-address HTTP+SSE transport is deprecated.',
    'POST every message to the one address and accept both `application/json` and `text/event-stream` in reply.',
  ),
  change(
    '2025-03-26',
    'session',
    'A server may issue `Mcp-Session-Id` with its answer to initialize.',
    'Send it with every later request, start over without it on 404, and end it with DELETE.',
  ),
  change(
    '2025-03-26',
    'messages',
    'Servers must accept JSON-RPC batches, and a reply may be an array.',
    'Look for the answer inside an array, too.',
  ),
  change(
    '2025-03-26',
    'tools/list',
    'Tools may carry `annotations`: readOnlyHint, destructiveHint, idempotentHint, openWorldHint, title.',
    'Apply the defaults (false, true, false, true) where a hint is absent; treat them as claims, not as proof.',
  ),
  change(
    '2025-03-26',
    'tools/call',
    'Content may be `audio`.',
    'Ignore content kinds you do not know instead of failing.',
  ),
  change(
    '2025-03-26',
    'sign-in',
    'OAuth is described for HTTP; a request without a good token is answered 401.',
    'Read `WWW-Authenticate` and send the token with every request.',
  ),
  change(
    '2025-06-18',
    'headers',
    'Every request after initialize carries `MCP-Protocol-Version` with the negotiated revision.',
    'Send the header; an unsupported value is answered 400.',
  ),
  change('2025-06-18', 'messages', 'Batches are gone.', 'Send one message a request.'),
  change(
    '2025-06-18',
    'tools/list',
    'Tools may carry `title`, `outputSchema` and `_meta`.',
    'Show `title` before `annotations.title` before `name`; keep unknown members.',
  ),
  change(
    '2025-06-18',
    'tools/call',
    'Results may carry `structuredContent` (an object); a tool with an `outputSchema` must return what conforms to it.',
    'Read and validate `structuredContent` where there is an `outputSchema`, but not where `isError` is true.',
  ),
  change(
    '2025-06-18',
    'tools/call',
    'Content may be `resource_link`, and blocks may carry `_meta`.',
    'Treat a link as a reference; do not fetch it unasked.',
  ),
  change(
    '2025-06-18',
    'sign-in',
    'Servers are OAuth resource servers; a 401 names its `resource_metadata`, and tokens are bound to one resource.',
    'Ask for a token for this very server and never forward one meant for another.',
  ),
  change(
    '2025-11-25',
    'transport',
    'A server may send an event with an id and no data first, close the stream, and ask with `retry` to be polled.',
    'Skip events without data; wait, then GET with `Last-Event-ID`.',
  ),
  change(
    '2025-11-25',
    'transport',
    'A present and unacceptable `Origin` must be answered 403.',
    'Send no Origin from a program that is no browser.',
  ),
  change(
    '2025-11-25',
    'tools/list',
    'Tools may carry `icons` and, as an experiment, `execution.taskSupport`.',
    'Do not call a tool whose taskSupport is `required` without a task.',
  ),
  change(
    '2025-11-25',
    'tools/list',
    'Names should keep to 1-128 letters, digits, `_`, `-` and `.`.',
    'Do not choke on a name that breaks the advice.',
  ),
  change(
    '2025-11-25',
    'schemas',
    'A schema without `$schema` is JSON Schema 2020-12.',
    'Validate by the declared dialect, else as 2020-12.',
  ),
  change(
    '2025-11-25',
    'errors',
    'Arguments that fail the input schema are reported as a result with `isError: true`, no longer as a JSON-RPC error.',
    'Look at `isError` before you read the content.',
  ),
  change(
    '2025-11-25',
    'errors',
    'The id of an error may be absent where the request could not be read.',
    'Take an error without id for the answer to the one request under way.',
  ),
  change(
    '2026-07-28',
    'handshake',
    '`initialize` and `notifications/initialized` are gone: every request says its revision, capabilities and client in `_meta`.',
    'Send `_meta` with `io.modelcontextprotocol/protocolVersion`, `…/clientCapabilities` and `…/clientInfo`; drop the handshake.',
  ),
  change(
    '2026-07-28',
    'handshake',
    'A server that does not speak the revision answers 400 with -32022 and the list it supports.',
    'Choose from `data.supported`; do not fall back on any other error.',
  ),
  change(
    '2026-07-28',
    'session',
    'There is no session: no `Mcp-Session-Id`, no GET, no DELETE.',
    'Neither keep nor send a session id.',
  ),
  change(
    '2026-07-28',
    'headers',
    "`Mcp-Method` is due on every request, `Mcp-Name` on tools/call, and `Mcp-Param-*` where the tool's schema asks with `x-mcp-header`.",
    'Send them, equal to the body; what is not plain ASCII goes as `=?base64?…?=`. A mismatch is answered 400 with -32020.',
  ),
  change(
    '2026-07-28',
    'transport',
    'Streams cannot be resumed, and closing one cancels its request.',
    'Ask again with a new id after a broken stream; do not repeat a call that may have had an effect.',
  ),
  change(
    '2026-07-28',
    'messages',
    'Servers send no requests any more, and `ping` is gone; what they need they ask in a result.',
    'Answer nothing on the side; see `input_required`.',
  ),
  change(
    '2026-07-28',
    'messages',
    'Every result has a `resultType`: `complete`, or `input_required` on tools/call.',
    'Treat an absent one as complete, an unknown one as invalid, and do not read the content of `input_required`.',
  ),
  change(
    '2026-07-28',
    'tools/list',
    'The result says how long it may be kept (`ttlMs`) and by whom (`cacheScope`).',
    'Keep a `private` list per credential; ask again when it is stale.',
  ),
  change(
    '2026-07-28',
    'tools/list',
    'An empty cursor is a cursor, and only an absent one ends the list; the order should be stable.',
    'Page until `nextCursor` is absent.',
  ),
  change('2026-07-28', 'tools/list', '`execution.taskSupport` has left the core.', 'Do not expect it.'),
  change(
    '2026-07-28',
    'tools/call',
    '`structuredContent` may be any JSON value, null included.',
    'Test whether the member is there, not whether it is truthy.',
  ),
  change(
    '2026-07-28',
    'schemas',
    "`outputSchema` may be any JSON Schema, not only an object's; remote references must not be fetched.",
    'Do not insist on `type: object` at the root of an output schema.',
  ),
  change(
    '2026-07-28',
    'errors',
    "Unknown methods are answered 404 with -32601; -32020 to -32022 are the specification's own.",
    'Read the body before you take a 404 for a wrong address.',
  ),
];

/**
 * What a client meets that moves from one revision to another, oldest first. Backwards, it is what the client has to undo,
 * newest first. Absent: from the oldest, to the newest.
 */
export function changesBetween(from: Revision = revisions[0], to: Revision = newest): readonly RevisionChange[] {
  const [low, high] = from <= to ? [from, to] : [to, from];
  const between = changes.filter(({ revision }) => revision > low && revision <= high);
  return from <= to ? between : between.toReversed();
}

const newest: Revision = revisions[revisions.length - 1] ?? revisions[0];
