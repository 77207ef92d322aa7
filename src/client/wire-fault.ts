import type { FailureClass } from '../findings/failure.ts';

/**
 * Why an exchange did not come to its end. Thrown through the guards and the body reader, turned into a failure by the
 * transport. The message is ours and holds no text of the server.
 */
export class WireFault extends Error {
  readonly failure: FailureClass;

  constructor(failure: FailureClass, message: string) {
    super(message);
    this.name = 'WireFault';
    this.failure = failure;
  }
}

/**
 * What an error of the platform's fetch or of undici means.
 * @param phase whether the head of an answer had come
 */
export function faultOf(error: unknown, phase: 'no-answer' | 'body'): WireFault {
  if (error instanceof WireFault) return error;
  const codes = codesOf(error);
  const named = codes.length === 0 ? '' : ` (${codes.join(', ')})`;
  const has = (pattern: RegExp): boolean => codes.some((code) => pattern.test(code));
  if (has(certificateCodes)) return new WireFault('tls', `The certificate of the server is not valid${named}.`);
  if (has(/^(?:UND_ERR_CONNECT_TIMEOUT|UND_ERR_HEADERS_TIMEOUT|UND_ERR_BODY_TIMEOUT|ETIMEDOUT)$/)) {
    return new WireFault('timeout', `The server could not be reached in time${named}.`);
  }
  if (has(/^(?:UND_ERR_(?:INVALID_ARG|NOT_SUPPORTED)|ERR_INVALID_)/))
    return new WireFault('internal', `The request could not be made${named}.`);
  if (has(/HEADERS?_OVERFLOW/))
    return new WireFault('too-large', `The headers of the answer are over the ceiling${named}.`);
  if (has(/^(?:HPE_|Z_|ERR__ERROR_|ERR_BROTLI|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)/)) {
    return new WireFault('undecodable', `The answer is not framed or encoded as it says${named}.`);
  }
  return phase === 'no-answer'
    ? new WireFault('unreachable', `The server could not be reached, or hung up before it answered${named}.`)
    : new WireFault('stream-cut', `The connection broke off in the middle of the answer${named}.`);
}

/** Node's names for a certificate that does not hold (X.509 verification and host name check). */
const certificateCodes =
  /^(?:CERT_|ERR_TLS_CERT_|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_|UNABLE_TO_(?:GET|VERIFY|DECRYPT|DECODE)_|CRL_|HOSTNAME_MISMATCH|INVALID_(?:CA|PURPOSE)|PATH_LENGTH_EXCEEDED|ERROR_IN_CERT_)/;

/** The codes of an error, its causes and its parts (a connect to several addresses fails as one AggregateError). */
function codesOf(error: unknown, seen: Set<unknown> = new Set()): readonly string[] {
  if (typeof error !== 'object' || error === null || seen.has(error) || seen.size > 16) return [];
  seen.add(error);
  const own =
    'code' in error && typeof error.code === 'string' && /^[A-Z][A-Z0-9_]{1,60}$/.test(error.code) ? [error.code] : [];
  // undici's parser error has no code where the version of HTTP is not legible.
  if (own.length === 0 && 'name' in error && error.name === 'HTTPParserError') own.push('HPE_INVALID');
  const cause = 'cause' in error ? codesOf(error.cause, seen) : [];
  const parts =
    'errors' in error && Array.isArray(error.errors) ? error.errors.flatMap((part) => codesOf(part, seen)) : [];
  return [...new Set([...own, ...cause, ...parts])];
}
