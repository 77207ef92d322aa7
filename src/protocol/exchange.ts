import type { JsonValue } from '../json/json-value.ts';

/** A JSON-RPC error object, as far as it is compared. */
export interface RpcError {
  readonly code: number | bigint;
  readonly message: string;
  readonly data?: JsonValue;
}

/** Facts about how one answer travelled that belong to the contract. */
export interface TransportFacts {
  /** null over stdio. */
  readonly httpStatus: number | null;
  readonly mediaType: 'json' | 'event-stream' | null;
  /** Values of the `Deprecation` (RFC 9745) and `Sunset` (RFC 8594) headers. */
  readonly deprecation: string | null;
  readonly sunset: string | null;
}

/** Of what came over no HTTP: from a child process, or from a file. */
export const noTransport: TransportFacts = { httpStatus: null, mediaType: null, deprecation: null, sunset: null };

/** The `WWW-Authenticate` challenge of a 401 or 403 (RFC 9110 11.6.1; resource metadata: RFC 9728). Nothing in it is ever fetched. */
export interface AuthChallenge {
  readonly scheme: string;
  readonly scopes: readonly string[];
  readonly resourceHost: string | null;
}
