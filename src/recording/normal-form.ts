import { canonicalJson } from '../json/canonical-json.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, member } from '../json/json-value.ts';
import { mapItems, mapMembers } from '../json/map-members.ts';
import { schemaKeywords, schemaListKeywords, schemaMapKeywords } from '../json/schema-keywords.ts';
import type { ToolList } from '../protocol/tool-list.ts';
import { byCodeUnit } from '../text/by-code-unit.ts';
import type { Contract } from './observation.ts';

/**
 * The normal form of a contract: whatever a server may send in any order without meaning anything by it stands in one
 * order. Values are left as they are (a carriage return inside a text is content); the order of members and the escaping
 * of hidden characters is `writeJson`'s. Idempotent.
 */
export const normaliseContract = (contract: Contract): Contract => ({
  handshake: contract.handshake,
  list: contract.list === null ? null : normaliseToolList(contract.list),
  calls: [...contract.calls].sort((a, b) => byCodeUnit(a.tool, b.tool) || byCodeUnit(a.case, b.case)),
});

export const normaliseToolList = (list: ToolList): ToolList => ({
  ...list,
  tools: list.tools.map(normaliseTool).sort((a, b) => byCodeUnit(nameOf(a), nameOf(b))),
  duplicates: [...list.duplicates].sort(byCodeUnit),
  ...(list.twins === undefined ? {} : { twins: list.twins.map(normaliseTool) }),
  beyondFirstPage: [...list.beyondFirstPage].sort(byCodeUnit),
});

export const normaliseTool = (tool: JsonObject): JsonObject =>
  mapMembers(tool, (value, key) => (key === 'inputSchema' || key === 'outputSchema' ? normaliseSchema(value) : value));

export const nameOf = (tool: JsonObject): string => {
  const name = member(tool, 'name');
  return typeof name === 'string' ? name : '';
};

const setLike = new Set(['required', 'enum', 'type']);

/**
 * One order for the arrays of a JSON Schema that are sets (`required`, `enum`, `type`, the lists of `dependentRequired`).
 * Only where a schema stands: an `enum` member of a `default`, or of an unknown keyword, is data and keeps its order.
 */
export function normaliseSchema(schema: JsonValue): JsonValue {
  if (!isJsonObject(schema)) return schema;
  return mapMembers(schema, (value, key) => {
    if (setLike.has(key)) return sortSet(value);
    if (key === 'dependentRequired' && isJsonObject(value)) return mapMembers(value, sortSet);
    if (isJsonArray(value)) return schemaListKeywords.has(key) ? mapItems(value, normaliseSchema) : value;
    if (schemaKeywords.has(key)) return normaliseSchema(value);
    if (schemaMapKeywords.has(key) && isJsonObject(value)) {
      return mapMembers(value, (inner) => (isJsonArray(inner) ? sortSet(inner) : normaliseSchema(inner)));
    }
    return value;
  });
}

/** By canonical text, so that numbers, strings and null have one order among them. */
function sortSet(value: JsonValue): JsonValue {
  if (!isJsonArray(value) || value.length < 2) return value;
  const sorted = value
    .map((item) => ({ item, text: canonicalJson(item) }))
    .sort((a, b) => byCodeUnit(a.text, b.text))
    .map(({ item }) => item);
  return sorted.every((item, at) => item === value[at]) ? value : sorted;
}
