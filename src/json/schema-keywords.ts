/** The keywords of JSON Schema by what stands below them, over every dialect we read. */

/** One schema below. */
export const schemaKeywords: ReadonlySet<string> = new Set([
  'additionalItems',
  'additionalProperties',
  'contains',
  'contentSchema',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
]);

/** A list of schemas below (`items` up to 2019-09). */
export const schemaListKeywords: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'items', 'oneOf', 'prefixItems']);

/** Schemas by name below (a list of names may stand in `dependencies`). */
export const schemaMapKeywords: ReadonlySet<string> = new Set([
  '$defs',
  'definitions',
  'dependencies',
  'dependentSchemas',
  'patternProperties',
  'properties',
]);
