import { isJsonObject, type JsonObject, type JsonValue, member } from '../json/json-value.ts';

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

/** Headers that repeat arguments for proxies; null where the schema asks for what no header can be. */
export type Mirrored = readonly (readonly [name: string, value: string])[];

/**
 * The `Mcp-Param-*` headers of a call: one for each argument whose property has `x-mcp-header`, reached through
 * `properties` only. Absent and null arguments have none. null: a header name that is no token or is there twice, or a
 * value that is no string, integer or boolean; such a tool must not be called (2026-07-28, "x-mcp-header").
 */
export function mirrorArguments(inputSchema: JsonValue | undefined, args: JsonValue): Mirrored | null {
  const found = collect(inputSchema, args, 0);
  if (found === null) return null;
  const names = found.map(([name]) => name.toLowerCase());
  if (new Set(names).size !== names.length) return null;
  return found.flatMap(([name, value]) =>
    value === null ? [] : [[`Mcp-Param-${name}`, encodeHeaderValue(value)] as const],
  );
}

const deepest = 100;

function collect(
  schema: JsonValue | undefined,
  value: JsonValue | undefined,
  depth: number,
): (readonly [string, string | null])[] | null {
  const properties = member(schema, 'properties');
  if (!isJsonObject(properties) || depth > deepest) return [];
  const found: (readonly [string, string | null])[] = [];
  for (const [name, child] of Object.entries(properties)) {
    const own = member(value, name);
    const header = member(child, 'x-mcp-header');
    if (header !== undefined) {
      const text = headerText(own);
      if (typeof header !== 'string' || !/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(header) || text === undefined)
        return null;
      found.push([header, text]);
    }
    const inner = collect(child, own, depth + 1);
    if (inner === null) return null;
    found.push(...inner);
  }
  return found;
}

/** null: nothing is sent. undefined: not sendable. */
function headerText(value: JsonValue | undefined): string | null | undefined {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string' || typeof value === 'boolean') return String(value);
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : undefined;
}
