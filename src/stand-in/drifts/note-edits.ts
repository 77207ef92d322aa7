import { type JsonObject, member } from '../../json/json-value.ts';
import type { ChangeSchema, SchemaEdit } from './schema-edit.ts';
import { has, isObjectSchema, isOldDialect, isPlain, propertiesOf, without, withProperty } from './schema-facts.ts';
import { belied } from './value-edits.ts';

/** A value to be, of a plain type. */
function sampleOf(schema: JsonObject, other: boolean) {
  if (isPlain(schema, 'string')) return other ? 'another' : 'one';
  if (isPlain(schema, 'integer') || isPlain(schema, 'number')) return other ? 2 : 1;
  return isPlain(schema, 'boolean') ? other : undefined;
}

const isText = (schema: JsonObject, keyword: string): boolean => typeof member(schema, keyword) === 'string';
const ofValue =
  (change: ChangeSchema): ChangeSchema =>
  (schema, place) =>
    place.isRoot ? null : change(schema, place);

const notes: readonly SchemaEdit[] = [
  {
    input: 'input-default-changed',
    output: 'output-default-changed',
    story: '{It} has another default.',
    needs: '{it} with a default',
    change: (schema) => {
      const recorded = member(schema, 'default');
      if (recorded === undefined) return null;
      const other = sampleOf(schema, recorded !== true && recorded !== 2);
      return other === undefined || other === recorded ? null : { ...schema, default: other };
    },
  },
  {
    input: 'input-default-added',
    story: 'An argument has a default.',
    needs: 'argument of a plain type without a default',
    change: ofValue((schema) => {
      const value = sampleOf(schema, false);
      return value === undefined || has(schema, 'default') ? null : { ...schema, default: value };
    }),
  },
  {
    input: 'input-default-removed',
    story: 'An argument has no default any more.',
    needs: 'argument with a default',
    change: (schema) => (has(schema, 'default') ? without(schema, 'default') : null),
  },
  {
    input: 'input-read-only-added',
    story: 'An argument is said to be for reading only.',
    needs: 'argument',
    change: ofValue((schema) => ({ ...schema, readOnly: true })),
  },
  {
    output: 'output-write-only-added',
    story: 'A field of the declared result is said never to be returned.',
    needs: 'field of a declared result',
    change: ofValue((schema) => ({ ...schema, writeOnly: true })),
  },
  {
    input: 'input-deprecated-added',
    output: 'output-deprecated-added',
    story: '{It} is said to go.',
    needs: '{it}',
    change: ofValue((schema) => (member(schema, 'deprecated') === true ? null : { ...schema, deprecated: true })),
  },
];

const wording: readonly SchemaEdit[] = [
  {
    input: 'input-description-changed',
    output: 'output-description-changed',
    story: '{It} is described in other words.',
    needs: '{it} whose description was recorded live',
    isWording: true,
    change: ofValue((schema) =>
      isText(schema, 'description') ? { ...schema, description: 'What is meant by it is told elsewhere.' } : null,
    ),
  },
  {
    input: 'input-title-changed',
    story: 'An argument has another title.',
    needs: 'argument whose title was recorded live',
    isWording: true,
    change: ofValue((schema) => (isText(schema, 'title') ? { ...schema, title: 'Another title' } : null)),
  },
  {
    input: 'input-examples-changed',
    story: 'An argument has other examples.',
    needs: 'argument whose examples were recorded live',
    isWording: true,
    change: (schema) => (has(schema, 'examples') ? { ...schema, examples: ['another.example'] } : null),
  },
];

/** Moves the schema of a property to the definitions, or the reference of one to where there is nothing. */
const refer =
  (isThere: boolean): ChangeSchema =>
  (schema, { isRoot }) => {
    if (!isRoot) return null;
    const found = Object.entries(propertiesOf(schema)).find(
      ([, property]) => typeof property === 'object' && isPlain(property as JsonObject, 'string'),
    );
    if (found === undefined) return null;
    const [name, property] = found;
    const keyword = isOldDialect(schema) ? 'definitions' : '$defs';
    const definitions = (member(schema, keyword) ?? {}) as JsonObject;
    return {
      ...withProperty(schema, name, { $ref: `#/${keyword}/MovedHere` }),
      ...(isThere ? { [keyword]: { ...definitions, MovedHere: property } } : {}),
    };
  };

const drafts = ['http://json-schema.org/draft-07/schema#', 'https://json-schema.org/draft/2020-12/schema'] as const;

/** More changes than one comparison tells. */
const tooMany = 600;

const documents: readonly SchemaEdit[] = [
  {
    input: 'input-ref-restructured',
    output: 'output-ref-restructured',
    story: '{It} is described at another place of the schema.',
    needs: '{it} that is any text',
    change: refer(true),
    // Of words that were left out of the recording it is not known that they are the same at another place.
    inputOthers: ['input-description-changed'],
    outputOthers: ['output-description-changed'],
  },
  {
    input: 'input-ref-unresolved',
    output: 'output-ref-unresolved',
    story: '{It} is described at a place that is not there.',
    needs: '{it} that is any text',
    change: refer(false),
    inputOthers: ['input-schema-invalid'],
    outputOthers: ['output-schema-invalid', ...belied],
  },
  {
    input: 'input-ref-remote',
    output: 'output-ref-remote',
    story: '{It} is described on another server.',
    needs: '{it} that is any text',
    change: ofValue((schema) => (isPlain(schema, 'string') ? { $ref: 'https://schemas.invalid/text.json' } : null)),
    inputOthers: ['input-schema-invalid'],
    outputOthers: ['output-schema-invalid', ...belied],
  },
  {
    input: 'input-dialect-changed',
    output: 'output-dialect-changed',
    story: 'The schema is written in another dialect.',
    needs: '{all}',
    change: (schema, { isRoot }) =>
      isRoot ? { ...schema, $schema: member(schema, '$schema') === drafts[0] ? drafts[1] : drafts[0] } : null,
  },
  {
    input: 'input-schema-impossible',
    output: 'output-schema-impossible',
    story: '{It} has to be two things at once.',
    needs: '{it} that is any text',
    change: ofValue((schema) =>
      isPlain(schema, 'string') ? { ...schema, allOf: [{ const: 'one' }, { const: 'another' }] } : null,
    ),
    outputOthers: belied,
  },
  {
    input: 'input-schema-invalid',
    output: 'output-schema-invalid',
    story: 'The schema is none.',
    needs: '{all}',
    change: (schema) => (isObjectSchema(schema) ? { ...schema, required: 'all of them' } : null),
    outputOthers: belied,
  },
  {
    input: 'input-schema-oversize',
    output: 'output-schema-oversize',
    story: 'The schema has grown out of hand.',
    needs: '{all}',
    change: (schema) => {
      const added = Array.from({ length: tooMany }, (_, at) => [`field_${at}`, { type: 'string' }] as const);
      return isObjectSchema(schema)
        ? { ...schema, properties: { ...propertiesOf(schema), ...Object.fromEntries(added) } }
        : null;
    },
    inputOthers: ['input-property-optional-added', 'tool-text-grew'],
    outputOthers: ['output-property-added', 'tool-text-grew'],
  },
  {
    input: 'input-unclassified',
    output: 'output-unclassified',
    story: '{It} has a keyword that is not understood.',
    needs: '{it} of a plain type',
    change: ofValue((schema) => (sampleOf(schema, true) === undefined ? null : { ...schema, $dynamicRef: '#node' })),
    inputOthers: ['input-schema-invalid', 'input-recording-invalid'],
    outputOthers: ['output-schema-invalid', ...belied],
  },
];

/** What is known of a value that was sent or that came is in the recording, not in its schema: see `recorded-edits.ts`. */
export const noteEdits: readonly SchemaEdit[] = [...notes, ...wording, ...documents];
