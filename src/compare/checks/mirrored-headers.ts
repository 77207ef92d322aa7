import { formatPointer } from '../../json/json-pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue, member } from '../../json/json-value.ts';
import { mapMembers } from '../../json/map-members.ts';
import type { ToolPair } from '../comparison.ts';
import { type Found, toolChange } from '../found.ts';

const keyword = 'x-mcp-header';

/**
 * Arguments that are repeated in an HTTP header (2026-07-28, Tool, `x-mcp-header`). `isEnforced`: a stateless server over
 * HTTP, which checks header against body.
 */
export function compareMirroredHeaders({ name, before, after }: ToolPair, isEnforced: boolean): readonly Found[] {
  const [from, to] = [mirrored(member(before, 'inputSchema')), mirrored(member(after, 'inputSchema'))];
  const pointers = [...new Set([...from.keys(), ...to.keys()])].sort();
  return pointers.flatMap((pointer): readonly Found[] => {
    const [was, is] = [from.get(pointer) ?? null, to.get(pointer) ?? null];
    // Names of headers know no case.
    if (was?.toLowerCase() === is?.toLowerCase()) return [];
    const change = {
      pointer,
      before: was,
      after: is,
      ...(is === null ? {} : { facts: { header: `Mcp-Param-${is}` } }),
    };
    if (was === null) return [toolChange(name, 'tool-header-mirrored', change)];
    const severity = isEnforced ? 'breaking' : 'warning';
    return [toolChange(name, is === null ? 'tool-header-unmirrored' : 'tool-header-renamed', { ...change, severity })];
  });
}

/** Headers by the pointer of the keyword. Only `properties` lead to one that counts; a removed argument takes its own along. */
function mirrored(
  schema: JsonValue | undefined,
  path: readonly string[] = ['inputSchema'],
  found = new Map<string, string>(),
): ReadonlyMap<string, string> {
  const properties = member(schema, 'properties');
  if (!isJsonObject(properties) || path.length > 200) return found;
  for (const [name, child] of Object.entries(properties)) {
    const inner = [...path, 'properties', name];
    const header = member(child, keyword);
    if (typeof header === 'string') found.set(formatPointer([...inner, keyword]), header);
    mirrored(child, inner, found);
  }
  return found;
}

/** A schema without the keyword: told by these rules, it is no constraint on the arguments. */
export function withoutMirroredHeaders(schema: JsonValue): JsonValue {
  const properties = member(schema, 'properties');
  if (!isJsonObject(schema)) return schema;
  const rest: JsonObject = Object.fromEntries(
    Object.entries(schema).filter(([key, value]) => key !== keyword || typeof value !== 'string'),
  );
  if (!isJsonObject(properties)) return rest;
  return { ...rest, properties: mapMembers(properties, withoutMirroredHeaders) };
}

export const hasMirroredHeaders = (schema: JsonValue | undefined): boolean => mirrored(schema).size > 0;
