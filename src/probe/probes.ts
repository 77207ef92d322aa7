import type { TransportName } from '../findings/report.ts';
import type { Era } from '../protocol/revisions.ts';
import { handshakeProbes } from './handshake-probes.ts';
import { bogusCursor, foreignOrigin, type Levels, type Probe, unknownRevision } from './probe.ts';
import {
  body,
  both,
  conforms,
  departs,
  either,
  error,
  fact,
  hasNoFacts,
  hasNoId,
  isHandshake,
  isRefusal,
  isStateless,
  isSuccess,
  not,
  open,
  status,
  where,
} from './readings.ts';
import { sseProbes } from './sse-probes.ts';
import { statelessProbes } from './stateless-probes.ts';

const nowhere: Levels = [null, null, null, null, null];
const everywhere: Levels = ['MUST', 'MUST', 'MUST', 'MUST', 'MUST'];
const usually: Levels = ['SHOULD', 'SHOULD', 'SHOULD', 'SHOULD', 'SHOULD'];
const list = { verb: 'POST', method: 'tools/list' } as const;

/** Probes of Streamable HTTP that both eras have. */
const commonProbes = [
  {
    // "Listening for Messages from the Server": an event stream, or 405. 2026-07-28 has no such stream any more.
    id: 'stream-get',
    asks: 'GET for a stream',
    transport: 'streamable-http',
    levels: [null, 'MUST', 'MUST', 'MUST', 'SHOULD'],
    sends: { verb: 'GET', headers: { Accept: 'text/event-stream' }, headOnly: true },
    verdicts: [
      conforms(status(405)),
      open(both(isStateless, status(200), fact('event-stream')), 'a server may keep it for clients of the older era'),
      conforms(both(status(200), fact('event-stream'))),
    ],
  },
  {
    // No revision says anything about OPTIONS or CORS: kept for comparison.
    id: 'options',
    asks: 'OPTIONS',
    transport: 'streamable-http',
    levels: nowhere,
    sends: { verb: 'OPTIONS' },
    verdicts: [],
  },
  {
    // "Security Warning". From 2025-11-25 on the status is 403. Which origins are wrong is the server's to say, so a
    // public server that serves any is no fault that could be seen from outside; one on a loopback address is open to
    // every page its user visits.
    id: 'origin-foreign',
    asks: 'a foreign Origin',
    transport: 'streamable-http',
    levels: everywhere,
    sends: { ...list, headers: { Origin: foreignOrigin } },
    verdicts: [
      conforms(status(403)),
      conforms(
        both(
          isRefusal,
          where(({ revision }) => revision < '2025-11-25'),
        ),
      ),
      open(
        both(
          isSuccess,
          where(({ isLoopback }) => !isLoopback),
        ),
        'served; which origins are wrong is for the server to say',
      ),
      departs(isSuccess, 'any page its user visits can reach it'),
    ],
  },
  {
    // "Protocol Version Header"; 2026-07-28: UnsupportedProtocolVersionError with `supported` and `requested`.
    id: 'version-unknown',
    asks: 'an unknown MCP-Protocol-Version',
    transport: 'streamable-http',
    levels: [null, null, 'MUST', 'MUST', 'MUST'],
    sends: { ...list, revision: unknownRevision },
    verdicts: [
      conforms(both(isStateless, status(400), error(-32022), fact('names-supported'), fact('names-requested'))),
      conforms(both(isHandshake, status(400), either(fact('names-supported'), fact('mentions-revisions')))),
      conforms(both(isHandshake, status(400)), 'it does not say which revisions it supports'),
    ],
  },
  {
    // Handshake: 2025-03-26 is assumed, or what the session settled on. Stateless: only who serves older clients may do so.
    id: 'version-absent',
    asks: 'no MCP-Protocol-Version',
    transport: 'streamable-http',
    levels: [null, null, 'SHOULD', 'SHOULD', 'MUST'],
    sends: { ...list, headers: { 'MCP-Protocol-Version': null } },
    verdicts: [
      conforms(both(isHandshake, isSuccess, body('result'))),
      conforms(both(isStateless, status(400), error(-32020))),
      open(both(isStateless, either(isSuccess, status(400))), 'read as 2025-03-26, as a server of both eras may'),
    ],
  },
  {
    id: 'accept-missing',
    asks: 'no Accept',
    transport: 'streamable-http',
    levels: nowhere,
    sends: { ...list, headers: { Accept: null } },
    verdicts: [],
  },
  {
    id: 'content-type-wrong',
    asks: 'Content-Type: text/plain',
    transport: 'streamable-http',
    levels: nowhere,
    sends: { ...list, headers: { 'Content-Type': 'text/plain' } },
    verdicts: [],
  },
  {
    // JSON-RPC 2.0, section 5.1: -32700, id null. MCP prescribes no status, and no body for a refusal.
    id: 'body-malformed',
    asks: 'a body that is no JSON',
    transport: 'streamable-http',
    levels: usually,
    sends: { ...list, form: 'cut' },
    verdicts: [
      conforms(both(isRefusal, error(-32700), hasNoId)),
      conforms(both(isRefusal, body('empty', 'text', 'json')), 'without a JSON-RPC error'),
    ],
  },
  {
    // JSON-RPC 2.0 says -32600; the codes of real servers vary, and nothing depends on them.
    id: 'message-foreign',
    asks: 'JSON that is no JSON-RPC',
    transport: 'streamable-http',
    levels: nowhere,
    sends: { ...list, form: 'foreign' },
    verdicts: [],
  },
  {
    // Only 2025-03-26 has batches ("Receiving" is a MUST there).
    id: 'batch',
    asks: 'a batch of two',
    transport: 'streamable-http',
    levels: [null, 'MUST', null, null, null],
    sends: { ...list, form: 'batch' },
    verdicts: [conforms(both(isSuccess, body('batch')))],
  },
  {
    // "Pagination": an invalid cursor SHOULD give -32602. Most servers have one page and look at no cursor.
    id: 'cursor-bogus',
    asks: 'a cursor that was never given',
    transport: 'streamable-http',
    levels: usually,
    sends: { ...list, params: { cursor: bogusCursor } },
    verdicts: [
      conforms(error(-32602)),
      open(
        both(
          body('result'),
          where(({ paginates }) => paginates !== true),
        ),
        'its list has one page, so it never gave a cursor',
      ),
    ],
  },
  {
    // JSON-RPC 2.0, section 5: the id of the request, value and type.
    id: 'reply-id',
    asks: 'id of the answers',
    transport: 'streamable-http',
    levels: everywhere,
    sends: null,
    verdicts: [conforms(hasNoFacts)],
    rule: 'response-id-mismatch',
  },
  {
    id: 'reply-envelope',
    asks: 'either result or error, and `jsonrpc`',
    transport: 'streamable-http',
    levels: everywhere,
    sends: null,
    verdicts: [conforms(hasNoFacts)],
    rule: 'response-envelope-invalid',
  },
  {
    // "Sending Messages to the Server": JSON or an event stream, labelled as such.
    id: 'reply-media-type',
    asks: 'media type of the answers',
    transport: 'streamable-http',
    levels: [null, 'MUST', 'MUST', 'MUST', 'MUST'],
    sends: null,
    verdicts: [conforms(hasNoFacts)],
    rule: 'response-content-type-foreign',
  },
  {
    // "Session Management": visible ASCII. 2026-07-28 has no sessions and SHOULD NOT mint ids.
    id: 'session-id',
    asks: 'the session id',
    transport: 'streamable-http',
    levels: [null, 'MUST', 'MUST', 'MUST', 'SHOULD'],
    sends: null,
    verdicts: [
      conforms(both(isStateless, not(fact('issued')))),
      conforms(both(isHandshake, fact('issued'), not(fact('other-characters')))),
    ],
    rule: 'session-header-invalid',
  },
  {
    // The 404 MUST is about ids that were ended; of made-up ones it is the universal reading.
    id: 'session-unknown',
    asks: 'a session id that was never given',
    transport: 'streamable-http',
    levels: [null, 'SHOULD', 'SHOULD', 'SHOULD', 'SHOULD'],
    sends: { ...list, session: 'unknown' },
    verdicts: [
      conforms(both(isStateless, isSuccess, body('result'), not(fact('session-issued')))),
      open(
        both(
          isHandshake,
          where(({ hasSession }) => !hasSession),
        ),
        'it has no sessions',
      ),
      conforms(both(isHandshake, status(404))),
    ],
  },
] as const satisfies readonly Probe[];

/** Ends the session, so these come last. */
const lastProbes = [
  {
    // "Session Management": ended, or 405 where clients may not. 2026-07-28 SHOULD answer 405.
    id: 'session-end',
    asks: 'DELETE',
    transport: 'streamable-http',
    levels: [null, 'MAY', 'MAY', 'MAY', 'SHOULD'],
    sends: { verb: 'DELETE' },
    verdicts: [conforms(status(405)), conforms(both(isHandshake, isSuccess))],
  },
  {
    // "Session Management": requests with the id of a session that was terminated MUST get 404.
    id: 'session-reuse',
    asks: 'the session id after DELETE',
    transport: 'streamable-http',
    era: 'handshake',
    levels: [null, 'MUST', 'MUST', 'MUST', null],
    sends: { ...list, session: 'ended' },
    verdicts: [conforms(status(404))],
  },
] as const satisfies readonly Probe[];

/** The catalogue, in the order in which probes are sent. */
export const probes = [
  ...commonProbes,
  ...handshakeProbes,
  ...statelessProbes,
  ...lastProbes,
  ...sseProbes,
] as const satisfies readonly Probe[];

export type ProbeId = (typeof probes)[number]['id'];
export type CatalogueProbe = Probe & { readonly id: ProbeId };

/** The probes that mean something to a server of this transport and era. */
export const probesFor = (transport: TransportName, era: Era): readonly CatalogueProbe[] =>
  (probes as readonly CatalogueProbe[]).filter(
    (probe) => probe.transport === transport && (probe.era === undefined || probe.era === era),
  );
