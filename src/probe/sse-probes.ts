import { foreignOrigin, type Levels, type Probe } from './probe.ts';
import { both, conforms, departs, fact, isRefusal, isSuccess, not, open, status, where } from './readings.ts';

const must: Levels = ['MUST', null, null, null, null];
const stream = { Accept: 'text/event-stream' };

/** Probes of the transport of 2024-11-05, "HTTP with SSE". Its messages travel on two connections; only GET is asked. */
export const sseProbes = [
  {
    // The first event is `endpoint`; an address of another origin is never posted to.
    id: 'sse-endpoint',
    asks: 'GET opens the stream with an endpoint',
    transport: 'sse',
    levels: must,
    sends: { verb: 'GET', headers: stream },
    verdicts: [
      conforms(both(status(200), fact('event-stream'), fact('endpoint-event'), not(fact('endpoint-elsewhere')))),
    ],
  },
  {
    id: 'sse-origin',
    asks: 'GET with a foreign Origin',
    transport: 'sse',
    levels: must,
    sends: { verb: 'GET', headers: { ...stream, Origin: foreignOrigin }, headOnly: true },
    verdicts: [
      conforms(isRefusal),
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
    id: 'sse-options',
    asks: 'OPTIONS',
    transport: 'sse',
    levels: [null, null, null, null, null],
    sends: { verb: 'OPTIONS' },
    verdicts: [],
  },
] as const satisfies readonly Probe[];
