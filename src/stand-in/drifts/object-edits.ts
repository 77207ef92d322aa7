import { isJsonObject, type JsonObject, member } from '../../json/json-value.ts';
import { type ChangeSchema, firstOf, type SchemaEdit } from './schema-edit.ts';
import {
  dropKeyword,
  freeName,
  has,
  isObjectSchema,
  isOldDialect,
  isPlain,
  numberAt,
  optionalPair,
  propertiesOf,
  propertyOf,
  requiredOf,
  without,
  withoutProperty,
  withProperty,
  withRequired,
} from './schema-facts.ts';
import { belied } from './value-edits.ts';

const ofObject =
  (change: ChangeSchema): ChangeSchema =>
  (schema, place) =>
    isObjectSchema(schema) ? change(schema, place) : null;

const isOpen = (schema: JsonObject): boolean =>
  [undefined, true].includes(member(schema, 'additionalProperties') as true);
const isClosed = (schema: JsonObject): boolean => member(schema, 'additionalProperties') === false;
const isMap = (schema: JsonObject): boolean => isJsonObject(member(schema, 'additionalProperties'));

/** Takes away an optional property, or where there is none, a required one. */
const removeProperty =
  (mayHappen: (schema: JsonObject) => boolean): ChangeSchema =>
  (schema) => {
    const name = propertyOf(schema, false) ?? propertyOf(schema, true);
    return name === undefined || !isObjectSchema(schema) || !mayHappen(schema) ? null : withoutProperty(schema, name);
  };

const renameProperty: ChangeSchema = (schema) => {
  const name = propertyOf(schema, true);
  if (name === undefined || !isObjectSchema(schema)) return null;
  const renamed = freeName(schema, `${name}_name`);
  const properties = Object.entries(propertiesOf(schema)).map(([key, value]) => [key === name ? renamed : key, value]);
  return {
    ...schema,
    properties: Object.fromEntries(properties),
    required: requiredOf(schema).map((one) => (one === name ? renamed : one)),
  };
};

const demand: ChangeSchema = (schema) => {
  const name = propertyOf(schema, false);
  return name === undefined ? null : withRequired(schema, [...requiredOf(schema), name]);
};

const noLongerDemand: ChangeSchema = (schema) => {
  const name = propertyOf(schema, true);
  return name === undefined
    ? null
    : withRequired(
        schema,
        requiredOf(schema).filter((other) => other !== name),
      );
};

const dependOn =
  (keyword: string, demanded: (name: string) => JsonObject | readonly string[]): ChangeSchema =>
  (schema, { root }) => {
    const pair = has(schema, keyword) || has(schema, 'dependencies') ? null : optionalPair(schema);
    if (pair === null || !isObjectSchema(schema)) return null;
    return { ...schema, [isOldDialect(root) ? 'dependencies' : keyword]: { [pair[0]]: demanded(pair[1]) } };
  };

const properties: readonly SchemaEdit[] = [
  {
    input: 'input-property-required-added',
    story: 'A new argument is required.',
    needs: 'list of arguments',
    change: ofObject((schema) => {
      const name = freeName(schema, 'years');
      const added = withProperty(schema, name, { type: 'integer', minimum: 1 });
      return withRequired(added, [...requiredOf(schema), name]);
    }),
  },
  {
    input: 'input-property-became-required',
    output: 'output-property-became-required',
    story: '{It} that was optional is required.',
    needs: 'optional {it}',
    change: ofObject(demand),
    outputOthers: belied,
  },
  {
    input: 'input-property-became-optional',
    output: 'output-property-became-optional',
    story: '{It} that was required is optional.',
    needs: 'required {it}',
    change: ofObject(noLongerDemand),
  },
  {
    input: 'input-property-optional-added',
    output: 'output-property-added',
    story: '{It} is new.',
    needs: '{all}',
    change: ofObject((schema) => withProperty(schema, freeName(schema, 'remark'), { type: 'string' })),
  },
  {
    input: 'input-property-removed-closed',
    story: 'An argument is gone, and what is not listed is refused.',
    needs: 'argument of a closed list',
    change: removeProperty(isClosed),
  },
  {
    input: 'input-property-removed-open',
    story: 'An argument is gone, and will be ignored.',
    needs: 'argument of an open list',
    change: removeProperty(isOpen),
  },
  {
    input: 'input-property-removed-schema-ap',
    story: 'An argument is gone, and has to be what any other one must be.',
    needs: 'argument beside a schema for all others',
    change: removeProperty(isMap),
  },
  {
    input: 'input-property-renamed',
    output: 'output-property-renamed',
    story: '{It} has a new name.',
    needs: 'required {it}',
    change: renameProperty,
    outputOthers: belied,
  },
  {
    output: 'output-property-removed-required',
    story: '{It} that was promised is gone.',
    needs: 'required {it}',
    change: ofObject((schema) => {
      const name = propertyOf(schema, true);
      return name === undefined ? null : withoutProperty(schema, name);
    }),
    outputOthers: belied,
  },
  {
    output: 'output-property-removed-optional',
    story: '{It} that could come is gone.',
    needs: 'optional {it}',
    change: ofObject((schema) => {
      const name = propertyOf(schema, false);
      return name === undefined ? null : withoutProperty(schema, name);
    }),
    outputOthers: belied,
  },
];

const leftovers: readonly SchemaEdit[] = [
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

const counts: readonly SchemaEdit[] = [
  {
    input: 'input-min-properties-raised',
    story: 'More arguments have to come.',
    needs: 'list of arguments',
    change: ofObject((schema) => ({
      ...schema,
      minProperties: Math.max(numberAt(schema, 'minProperties') ?? 0, requiredOf(schema).length) + 1,
    })),
  },
  {
    input: 'input-max-properties-lowered',
    story: 'Fewer arguments may come.',
    needs: 'list of arguments with several optional ones',
    change: ofObject((schema) => {
      const most = numberAt(schema, 'maxProperties') ?? Object.keys(propertiesOf(schema)).length;
      return most - 1 > requiredOf(schema).length ? { ...schema, maxProperties: most - 1 } : null;
    }),
  },
  {
    input: 'input-min-properties-lowered',
    story: 'Fewer arguments need to come.',
    needs: 'least number of arguments',
    change: ofObject(dropKeyword('minProperties')),
  },
  {
    input: 'input-max-properties-raised',
    story: 'More arguments may come.',
    needs: 'greatest number of arguments',
    change: ofObject(dropKeyword('maxProperties')),
  },
];

const dependencies: readonly SchemaEdit[] = [
  {
    input: 'input-dependent-required-added',
    output: 'output-dependent-added',
    story: '{It} demands another one.',
    needs: 'pair of optional {its}',
    change: dependOn('dependentRequired', (name) => [name]),
    outputOthers: belied,
  },
  {
    input: 'input-dependent-required-removed',
    output: 'output-dependent-removed',
    story: '{It} no longer demands another one.',
    needs: '{it} that demands another one',
    change: firstOf(dropKeyword('dependentRequired'), (schema, place) =>
      place.isInput ? null : dropKeyword('dependentSchemas')(schema, place),
    ),
  },
  {
    input: 'input-dependent-schema-added',
    story: 'An argument brings conditions with it.',
    needs: 'pair of optional arguments',
    change: dependOn('dependentSchemas', (name) => ({ required: [name] })),
  },
  {
    input: 'input-dependent-schema-removed',
    story: 'An argument no longer brings conditions with it.',
    needs: 'argument that brings conditions with it',
    change: dropKeyword('dependentSchemas'),
  },
];

export const objectEdits: readonly SchemaEdit[] = [...properties, ...leftovers, ...counts, ...dependencies];
