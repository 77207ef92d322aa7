import { isJsonObject, type JsonObject, member } from '../../json/json-value.ts';
import type { ChangeSchema, SchemaEdit } from './schema-edit.ts';
import { dropKeyword, has, isObjectSchema, isOldDialect, isPlain, without } from './schema-facts.ts';
import { belied } from './value-edits.ts';

export const ofObject =
  (change: ChangeSchema): ChangeSchema =>
  (schema, place) =>
    isObjectSchema(schema) ? change(schema, place) : null;

export const isOpen = (schema: JsonObject): boolean =>
  [undefined, true].includes(member(schema, 'additionalProperties') as true);
export const isClosed = (schema: JsonObject): boolean => member(schema, 'additionalProperties') === false;
export const isMap = (schema: JsonObject): boolean => isJsonObject(member(schema, 'additionalProperties'));

/** What may stand beside the listed properties, and under which names. */
export const leftoverEdits: readonly SchemaEdit[] = [
  {
    input: 'input-additional-closed',
    output: 'output-additional-closed',
    story: 'What is not listed is refused.',
    needs: 'open {all}',
    change: ofObject((schema) =>
      isOpen(schema) && !has(schema, 'unevaluatedProperties') ? { ...schema, additionalProperties: false } : null,
    ),
    outputOthers: belied,
  },
  {
    input: 'input-additional-opened',
    output: 'output-additional-opened',
    story: 'What is not listed is taken, too.',
    needs: 'closed {all}',
    change: ofObject((schema) => (isClosed(schema) ? without(schema, 'additionalProperties') : null)),
  },
  {
    input: 'input-additional-constrained',
    output: 'output-additional-constrained',
    story: 'What is not listed has to be a text.',
    needs: 'open {all}',
    change: ofObject((schema) =>
      isOpen(schema) && !has(schema, 'unevaluatedProperties')
        ? { ...schema, additionalProperties: { type: 'string' } }
        : null,
    ),
    outputOthers: belied,
  },
  {
    input: 'input-additional-relaxed',
    output: 'output-additional-relaxed',
    story: 'What is not listed may be anything.',
    needs: '{all} with a schema for what is not listed',
    change: ofObject((schema) => (isMap(schema) ? without(schema, 'additionalProperties') : null)),
  },
  {
    output: 'output-map-value-widened',
    story: 'The values under any name may be something else, too.',
    needs: 'declared map of values',
    change: ofObject((schema) => {
      const values = member(schema, 'additionalProperties');
      if (!isJsonObject(values) || !['string', 'number', 'integer'].some((type) => isPlain(values, type))) return null;
      return { ...schema, additionalProperties: { ...values, type: [member(values, 'type') ?? 'string', 'boolean'] } };
    }),
  },
  {
    input: 'input-unevaluated-closed',
    output: 'output-unevaluated-closed',
    story: 'What no part of the schema speaks of is refused.',
    needs: 'open {all}',
    change: ofObject((schema, { root }) =>
      isOpen(schema) && !isOldDialect(root) && !has(schema, 'unevaluatedProperties')
        ? { ...schema, unevaluatedProperties: false }
        : null,
    ),
    inputOthers: ['input-recording-invalid'],
    outputOthers: belied,
  },
  {
    input: 'input-unevaluated-opened',
    output: 'output-unevaluated-opened',
    story: 'What no part of the schema speaks of is taken, too.',
    needs: '{all} that refuses what none of its parts speaks of',
    change: ofObject((schema) =>
      member(schema, 'unevaluatedProperties') === false ? without(schema, 'unevaluatedProperties') : null,
    ),
  },
  {
    input: 'input-pattern-property-added',
    output: 'output-pattern-property-added',
    story: 'Names of a pattern have to be texts.',
    needs: 'open {all} without patterns of names',
    change: ofObject((schema) =>
      isOpen(schema) && !has(schema, 'patternProperties') && !has(schema, 'unevaluatedProperties')
        ? { ...schema, patternProperties: { '^x-': { type: 'string' } } }
        : null,
    ),
    outputOthers: belied,
  },
  {
    input: 'input-pattern-property-removed',
    output: 'output-pattern-property-removed',
    story: 'Names of a pattern are no longer spoken of.',
    needs: 'open {all} with a pattern of names',
    change: ofObject((schema) =>
      isOpen(schema) && has(schema, 'patternProperties') ? without(schema, 'patternProperties') : null,
    ),
  },
  {
    input: 'input-property-names-constrained',
    output: 'output-property-names-constrained',
    story: 'Names follow a pattern.',
    needs: '{all} without rules for names',
    change: ofObject((schema) =>
      has(schema, 'propertyNames') ? null : { ...schema, propertyNames: { maxLength: 64 } },
    ),
    outputOthers: belied,
  },
  {
    input: 'input-property-names-relaxed',
    output: 'output-property-names-relaxed',
    story: 'Names are free.',
    needs: '{all} with rules for names',
    change: ofObject(dropKeyword('propertyNames')),
  },
];
