import { escapeToken } from '../../json/json-pointer.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts';
import { schemaKeywords, schemaListKeywords, schemaMapKeywords } from '../../json/schema-keywords.ts';
import { limits } from '../../limits.ts';
import { hasKeyword } from './dialect.ts';
import { isNumeric, isWhole } from './exact-numbers.ts';
import { compilePattern } from './safe-pattern.ts';
import type { SchemaDocument } from './schema-document.ts';
import { isTypeName } from './type-set.ts';

type Shape = (value: JsonValue) => boolean;

const isText = (value: JsonValue): boolean => typeof value === 'string';
const isNumber = (value: JsonValue): boolean => isNumeric(value);
const isFlag = (value: JsonValue): boolean => typeof value === 'boolean';
const isCount = (value: JsonValue): boolean => isNumeric(value) && isWhole(value) && value >= 0;
const isSchema = (value: JsonValue): boolean => isJsonObject(value) || typeof value === 'boolean';
const isNameList = (value: JsonValue): boolean =>
  isJsonArray(value) && value.every(isText) && new Set(value).size === value.length;
const isSchemaMap = (value: JsonValue): boolean => isJsonObject(value) && Object.values(value).every(isSchema);
const isSchemaList = (value: JsonValue): boolean => isJsonArray(value) && value.length > 0 && value.every(isSchema);

/** What the metaschemas ask of each keyword's value. Without it a validator refuses to compile. */
const shapes: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  ['type', (value) => isTypeName(value) || (isJsonArray(value) && value.length > 0 && value.every(isTypeName))],
  ['enum', (value) => isJsonArray(value)],
  ['multipleOf', (value) => isNumeric(value) && value > 0],
  ['maximum', isNumber],
  ['minimum', isNumber],
  ['exclusiveMaximum', isNumber],
  ['exclusiveMinimum', isNumber],
  ['maxLength', isCount],
  ['minLength', isCount],
  ['pattern', (value) => typeof value === 'string' && compilePattern(value) !== null],
  ['format', isText],
  ['contentEncoding', isText],
  ['contentMediaType', isText],
  ['maxItems', isCount],
  ['minItems', isCount],
  ['maxContains', isCount],
  ['minContains', isCount],
  ['uniqueItems', isFlag],
  ['maxProperties', isCount],
  ['minProperties', isCount],
  ['required', isNameList],
  ['properties', isSchemaMap],
  [
    'patternProperties',
    (value) =>
      isSchemaMap(value) && Object.keys(value as JsonObject).every((pattern) => compilePattern(pattern) !== null),
  ],
  ['dependentSchemas', isSchemaMap],
  ['dependentRequired', (value) => isJsonObject(value) && Object.values(value).every(isNameList)],
  [
    'dependencies',
    (value) => isJsonObject(value) && Object.values(value).every((item) => isSchema(item) || isNameList(item)),
  ],
  ['$defs', isSchemaMap],
  ['definitions', isSchemaMap],
  ['allOf', isSchemaList],
  ['anyOf', isSchemaList],
  ['oneOf', isSchemaList],
  ['prefixItems', isSchemaList],
  ['items', (value) => isSchema(value) || isSchemaList(value)],
  ['$ref', isText],
  ['deprecated', isFlag],
  ['readOnly', isFlag],
  ['writeOnly', isFlag],
  ...[...schemaKeywords]
    .filter((keyword) => keyword !== 'items')
    .map((keyword): [string, Shape] => [keyword, isSchema]),
]);

/** Whether a keyword's value is one the metaschema of this dialect lets stand. */
export function isWellFormed(document: SchemaDocument, keyword: string, value: JsonValue): boolean {
  if (!hasKeyword(document.dialect, keyword)) return true;
  return shapes.get(keyword)?.(value) ?? true;
}

/** A tuple in the old spelling is no schema of 2020-12; where no dialect is named it is read as what it was meant for. */
const isForeignTuple = (document: SchemaDocument, keyword: string, value: JsonValue): boolean =>
  keyword === 'items' &&
  isJsonArray(value) &&
  document.dialect === '2020-12' &&
  isJsonObject(document.root) &&
  Object.hasOwn(document.root, '$schema');

/** Pointers of keywords that make the schema invalid, in the order of the document, at most `most`. */
export function findInvalid(document: SchemaDocument, most = 20): readonly string[] {
  const found: string[] = [];
  const visit = (schema: JsonValue, pointer: string, depth: number): void => {
    if (!isJsonObject(schema) || depth > limits.schemaDepth) return;
    for (const [keyword, value] of Object.entries(schema)) {
      if (found.length >= most) return;
      const below = `${pointer}/${escapeToken(keyword)}`;
      if (!isWellFormed(document, keyword, value) || isForeignTuple(document, keyword, value)) found.push(below);
      else forEachChild(keyword, value, below, (child, at) => visit(child, at, depth + 1));
    }
  };
  if (document.beyond === null) visit(document.root, '', 0);
  return found;
}

function forEachChild(
  keyword: string,
  value: JsonValue,
  pointer: string,
  visit: (schema: JsonValue, pointer: string) => void,
): void {
  if (isJsonArray(value)) {
    if (schemaListKeywords.has(keyword)) for (const [at, item] of value.entries()) visit(item, `${pointer}/${at}`);
  } else if (schemaKeywords.has(keyword)) visit(value, pointer);
  else if (schemaMapKeywords.has(keyword) && isJsonObject(value)) {
    for (const [name, item] of Object.entries(value as JsonObject)) visit(item, `${pointer}/${escapeToken(name)}`);
  }
}
