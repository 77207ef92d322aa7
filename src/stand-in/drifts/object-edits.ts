import type { JsonObject } from '../../json/json-value.ts';
import { isClosed, isMap, isOpen, ofObject } from './leftover-edits.ts';
import { type ChangeSchema, firstOf, type SchemaEdit } from './schema-edit.ts';
import {
  dropKeyword,
  freeName,
  has,
  isObjectSchema,
  isOldDialect,
  numberAt,
  optionalPair,
  propertiesOf,
  propertyOf,
  requiredOf,
  withoutProperty,
  withProperty,
  withRequired,
} from './schema-facts.ts';
import { belied } from './value-edits.ts';

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
    inputOthers: ['tool-header-unmirrored'],
  },
  {
    input: 'input-property-removed-open',
    story: 'An argument is gone, and will be ignored.',
    needs: 'argument of an open list',
    change: removeProperty(isOpen),
    inputOthers: ['tool-header-unmirrored'],
  },
  {
    input: 'input-property-removed-schema-ap',
    story: 'An argument is gone, and has to be what any other one must be.',
    needs: 'argument beside a schema for all others',
    change: removeProperty(isMap),
    inputOthers: ['tool-header-unmirrored'],
  },
  {
    input: 'input-property-renamed',
    output: 'output-property-renamed',
    story: '{It} has a new name.',
    needs: 'required {it}',
    change: renameProperty,
    inputOthers: ['tool-header-mirrored', 'tool-header-unmirrored'],
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

export const objectEdits: readonly SchemaEdit[] = [...properties, ...counts, ...dependencies];
