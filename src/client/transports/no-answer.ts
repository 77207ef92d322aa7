import type { JsonValue } from '../../json/json-value.ts';
import { limits } from '../../limits.ts';
import type { WireFault } from '../wire-fault.ts';
import type { Delivery, WireBreach } from './transport.ts';

/** What a fault before the head of any answer means. Only an unreachable server is worth a second attempt. */
export function noAnswer(fault: WireFault): Delivery {
  const reason: JsonValue = /\(([A-Z0-9_, ]+)\)/.exec(fault.message)?.[1] ?? null;
  const breaches: WireBreach[] =
    fault.failure === 'tls'
      ? [{ code: 'tls-invalid', evidence: { reason }, ...(reason === null ? {} : { facts: { reason } }) }]
      : fault.failure === 'too-large'
        ? [{ code: 'response-too-large', evidence: { part: 'headers' }, facts: { limit: limits.headerBytes } }]
        : [];
  return {
    kind: 'failed',
    failure: fault.failure,
    message: fault.message,
    challenge: null,
    sessionLost: false,
    again: fault.failure === 'unreachable' ? { kind: 'new-connection' } : null,
    breaches,
    notes: [],
    listChanged: false,
    bytes: 0,
    httpStatus: null,
  };
}
