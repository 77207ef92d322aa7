import type { JsonObject } from '../json/json-value.ts';

/** Prefix of the specification's own `_meta` keys (2026-07-28). */
const metaPrefix = 'io.modelcontextprotocol/';
export const serverInfoKey = `${metaPrefix}serverInfo`;

/** What every request says of itself where there is no handshake (2026-07-28, "Request metadata"). */
export const requestMeta = (
  revision: string,
  identity: { readonly name: string; readonly version: string },
): JsonObject => ({
  [`${metaPrefix}protocolVersion`]: revision,
  [`${metaPrefix}clientCapabilities`]: {},
  [`${metaPrefix}clientInfo`]: { name: identity.name, version: identity.version },
});

/** Plain visible ASCII with inner blanks and tabs travels as it is. */
const isPlain = (text: string): boolean =>
  /^(?:[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?)?$/.test(text) && !/^=\?base64\?.*\?=$/.test(text);

/** A text as the value of an `Mcp-*` header: as it is, or base64 of its UTF-8 between markers (2026-07-28, "Header encoding"). */
export const encodeHeaderValue = (text: string): string =>
  isPlain(text) ? text : `=?base64?${Buffer.from(text, 'utf8').toString('base64')}?=`;
