import type { Levels, Probe } from './probe.ts';
import { body, both, conforms, echoesId, either, error, open, status, where } from './readings.ts';

const must: Levels = [null, null, null, null, 'MUST'];
const list = { verb: 'POST', method: 'tools/list' } as const;
const headerMismatch = both(status(400), error(-32020), echoesId);

/** Probes of 2026-07-28, "Streamable HTTP": what every request must say of itself. */
export const statelessProbes = [
  {
    // A method that was removed is one that is not implemented: 404 and -32601. A server of both eras may know it.
    id: 'initialize-gone',
    asks: 'initialize',
    transport: 'streamable-http',
    era: 'stateless',
    levels: must,
    sends: { verb: 'POST', method: 'initialize' },
    verdicts: [
      conforms(both(status(404), error(-32601))),
      open(either(body('result'), status(400)), 'a server of both eras may answer otherwise'),
    ],
  },
  {
    id: 'meta-missing',
    asks: 'no `_meta`',
    transport: 'streamable-http',
    era: 'stateless',
    levels: must,
    sends: { ...list, withoutMeta: true },
    verdicts: [
      conforms(both(status(400), error(-32602))),
      open(
        both(
          either(body('result'), status(400)),
          where(({ isStatelessOnly }) => isStatelessOnly !== true),
        ),
        'a server of both eras may read it as an older request',
      ),
    ],
  },
  {
    id: 'method-header-missing',
    asks: 'no Mcp-Method',
    transport: 'streamable-http',
    era: 'stateless',
    levels: must,
    sends: { ...list, headers: { 'Mcp-Method': null } },
    verdicts: [conforms(headerMismatch)],
  },
  {
    // Never the name of a method that does something: a gateway may route by this header alone.
    id: 'method-header-wrong',
    asks: 'Mcp-Method of another method',
    transport: 'streamable-http',
    era: 'stateless',
    levels: must,
    sends: { ...list, headers: { 'Mcp-Method': 'initialize' } },
    verdicts: [conforms(headerMismatch)],
  },
] as const satisfies readonly Probe[];
