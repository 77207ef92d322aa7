import { isJsonArray, isJsonObject, member } from '../json/json-value.ts';
import type { Breach } from '../protocol/breach.ts';
import type { RpcError } from '../protocol/exchange.ts';
import { eraOf, isRevision } from '../protocol/revisions.ts';
import type { ToolList } from '../protocol/tool-list.ts';

/** -32022 UnsupportedProtocolVersion, -32020 HeaderMismatch, -32021 MissingRequiredClientCapability (2026-07-28 error codes). */
const modernCodes: readonly number[] = [-32022, -32020, -32021];

/**
 * What a JSON-RPC error in answer to `initialize` or `tools/list` means.
 *
 * A server of the other era says so by its error: to `initialize`, one of the codes that only 2026-07-28 has, or "no
 * such method" (404 with -32601 there); to a stateless `tools/list`, anything that is none of those codes.
 */
export function refusalBreach(
  step: 'initialize' | 'tools/list' | 'stateless tools/list',
  error: RpcError,
  httpStatus: number | null,
): Breach {
  const method = step === 'initialize' ? 'initialize' : 'tools/list';
  const evidence = {
    code: error.code,
    message: error.message,
    ...(error.data === undefined ? {} : { data: error.data }),
    httpStatus,
  };
  const breach = (code: Breach['code']): Breach => ({
    code,
    method,
    tool: null,
    case: null,
    pointer: null,
    evidence,
    facts: { code: String(error.code) },
  });
  if (step === 'initialize')
    return breach(refusesHandshake(error, httpStatus) ? 'init-era-stateless-only' : 'init-failed');
  if (step === 'stateless tools/list' && speaksHandshakeOnly(error)) return breach('init-era-handshake-only');
  return breach('tools-list-failed');
}

/**
 * A stateless answer to tools/list must say `resultType: complete`. None at all is a server of the handshake era that
 * ignored the envelope; any other value is no list (input_required is forbidden here).
 */
export function statelessListBreach(list: ToolList): Breach | null {
  const resultType = member(list.members, 'resultType');
  if (resultType === 'complete') return null;
  const breach = {
    method: 'tools/list',
    tool: null,
    case: null,
    pointer: '/resultType',
    evidence: resultType ?? null,
  } as const;
  return resultType === undefined
    ? { code: 'init-era-handshake-only', ...breach }
    : { code: 'tools-list-malformed', ...breach };
}

function refusesHandshake(error: RpcError, httpStatus: number | null): boolean {
  const code = Number(error.code);
  if (code === -32022) {
    const supported = supportedRevisions(error);
    return supported === null || !isHandshakeOnly(supported);
  }
  return modernCodes.includes(code) || (code === -32601 && (httpStatus === 404 || httpStatus === null));
}

/** A stateless server refuses with its own codes (or -32602 about `_meta`, -32603); what else refuses does not know the era. */
function speaksHandshakeOnly(error: RpcError): boolean {
  const code = Number(error.code);
  if (code === -32022) {
    const supported = supportedRevisions(error);
    return supported !== null && isHandshakeOnly(supported);
  }
  return code === -32601 || code === -32600 || (code <= -32000 && code > -32020);
}

/** A revision that we do not know is a newer one, so its server is no older one. */
const isHandshakeOnly = (supported: readonly string[]): boolean =>
  supported.length > 0 && supported.every((revision) => isRevision(revision) && eraOf(revision) === 'handshake');

/** `data.supported` of -32022, where it is a list of strings. */
function supportedRevisions(error: RpcError): readonly string[] | null {
  const supported = isJsonObject(error.data) ? member(error.data, 'supported') : undefined;
  if (!isJsonArray(supported)) return null;
  return supported.filter((entry) => typeof entry === 'string');
}
