import { isJsonObject, type JsonObject, type JsonValue, member } from '../json/json-value.ts';
import { mirrorArguments } from '../protocol/mirrored-arguments.ts';
import { quoteName } from '../text/quote-name.ts';
import { type Answer, refusal } from './answer-method.ts';
import { rpcCodes } from './rpc-message.ts';
import { argumentsOf, type ServedCatalogue } from './served-catalogue.ts';

const metaKeys = {
  version: 'io.modelcontextprotocol/protocolVersion',
  capabilities: 'io.modelcontextprotocol/clientCapabilities',
} as const;

/** The revision a request says of itself in `_meta`; undefined where it says none. */
export const metaRevision = (params: JsonObject): unknown => member(member(params, '_meta'), metaKeys.version);

export interface StatelessRequest {
  readonly method: string;
  readonly params: JsonObject;
  readonly headers: ReadonlyMap<string, string>;
}

/**
 * Why a request without a handshake is refused, or null (2026-07-28, "Request Headers" and "Request Metadata"): headers
 * must repeat what the body says, and `_meta` must say who speaks what. The revision itself is judged elsewhere.
 */
export function statelessRefusal(
  { method, params, headers }: StatelessRequest,
  catalogue: ServedCatalogue,
): Answer | null {
  if (headers.get('mcp-protocol-version') === undefined) return mismatch('MCP-Protocol-Version is missing');
  const meta = member(params, '_meta');
  const refused = metaRefusal(meta);
  if (refused !== null) return refused;
  if (headers.get('mcp-protocol-version') !== member(meta, metaKeys.version))
    return mismatch('MCP-Protocol-Version is not what _meta says');
  if (headers.get('mcp-method') !== method) return mismatch('Mcp-Method is not the method of the body');
  return method === 'tools/call' ? callRefusal(params, headers, catalogue) : null;
}

/** Why the `_meta` of a request is refused, or null. */
export function metaRefusal(meta: JsonValue | undefined): Answer | null {
  const missing = Object.values(metaKeys).find((key) => member(meta, key) === undefined);
  return missing === undefined ? null : refusal(rpcCodes.invalidParams, `Invalid params: _meta lacks ${missing}`, 400);
}

const mismatch = (problem: string): Answer => refusal(rpcCodes.headerMismatch, `Header mismatch: ${problem}`, 400);

function callRefusal(
  params: JsonObject,
  headers: ReadonlyMap<string, string>,
  catalogue: ServedCatalogue,
): Answer | null {
  const name = member(params, 'name');
  if (decodeHeader(headers.get('mcp-name')) !== name) return mismatch('Mcp-Name is not the name of the body');
  const tool = typeof name === 'string' ? catalogue.tools.get(name) : undefined;
  const args = argumentsOf(params);
  if (!tool || args === null || !isJsonObject(tool)) return null;
  const mirrored = new Map(
    (mirrorArguments(member(tool, 'inputSchema'), args) ?? []).map(([header, value]) => [header.toLowerCase(), value]),
  );
  const sent = [...headers.keys()].filter((header) => header.startsWith('mcp-param-'));
  for (const header of new Set([...mirrored.keys(), ...sent])) {
    if (decodeHeader(headers.get(header)) !== decodeHeader(mirrored.get(header)))
      return mismatch(`${quoteName(header)} is not what the arguments say`);
  }
  return null;
}

/** What a header says: as it is, or base64 of UTF-8 between markers; null where that is no base64. */
function decodeHeader(text: string | undefined): string | null | undefined {
  const encoded = /^=\?base64\?(.*)\?=$/.exec(text ?? '')?.[1];
  if (encoded === undefined) return text;
  const bytes = Buffer.from(encoded, 'base64');
  return bytes.toString('base64') === encoded ? bytes.toString('utf8') : null;
}
