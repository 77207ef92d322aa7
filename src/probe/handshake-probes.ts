import { type Probe, unknownRevision } from './probe.ts';
import { body, both, conforms, departsMildly, fact, isRefusal, open, status } from './readings.ts';

/** Probes of Streamable HTTP that only a server with a handshake can be asked. */
export const handshakeProbes = [
  {
    // "Version Negotiation": another revision that it supports, or an error. Some servers repeat whatever they are offered.
    id: 'version-offer',
    asks: 'initialize with an unknown revision',
    transport: 'streamable-http',
    era: 'handshake',
    levels: ['MUST', 'MUST', 'MUST', 'MUST', null],
    sends: { verb: 'POST', method: 'initialize', session: 'none', revision: unknownRevision },
    verdicts: [conforms(both(body('result'), fact('offers-another'))), conforms(body('error')), conforms(isRefusal)],
  },
  {
    // "Sending Messages to the Server": 202 and no body. 200 and 204 without a body are common, and clients take them.
    id: 'notification-answer',
    asks: 'the answer to a notification',
    transport: 'streamable-http',
    era: 'handshake',
    levels: [null, 'MUST', 'MUST', 'MUST', null],
    sends: null,
    verdicts: [conforms(both(status(202), body('empty'))), departsMildly(both(status(200, 204), body('empty')))],
  },
  {
    // No sentence forbids it: a server that declares `listChanged` and has no stream cannot tell anybody.
    id: 'list-changed',
    asks: '`tools.listChanged` is deliverable',
    transport: 'streamable-http',
    era: 'handshake',
    levels: [null, null, null, null, null],
    sends: null,
    verdicts: [open(both(fact('declared'), fact('undeliverable')), 'declared, but there is no stream to tell it on')],
  },
  {
    // "Session Management": servers that require an id SHOULD answer 400 where it is missing.
    id: 'session-missing',
    asks: 'no session id',
    transport: 'streamable-http',
    era: 'handshake',
    levels: [null, 'SHOULD', 'SHOULD', 'SHOULD', null],
    sends: { verb: 'POST', method: 'tools/list', session: 'none' },
    verdicts: [conforms(status(400)), open(body('result'), 'the server does without it')],
  },
] as const satisfies readonly Probe[];
