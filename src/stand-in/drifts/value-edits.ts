import { type JsonObject, type JsonValue, member } from '../../json/json-value.ts';
import { type ChangeSchema, firstOf, type SchemaEdit } from './schema-edit.ts';
import { has, isFree, isPlain, listAt, without } from './schema-facts.ts';

/** What else is told where a promise is made that the recorded results do not keep. */
export const belied = ['result-schema-violation', 'output-recording-invalid'] as const;

const typesOf = (schema: JsonObject): readonly JsonValue[] => listAt(schema, 'type') ?? [];

const otherType: Readonly<Record<string, string>> = {
  string: 'integer',
  integer: 'string',
  number: 'string',
  boolean: 'string',
};

const changeType: ChangeSchema = (schema, { isRoot }) => {
  const type = Object.keys(otherType).find((one) => isPlain(schema, one));
  return isRoot || type === undefined ? null : { ...schema, type: otherType[type] ?? 'string' };
};

/** An enumeration with a type of its own, so that without it one is left. */
const valuesOf = (schema: JsonObject): readonly JsonValue[] | undefined =>
  has(schema, 'const') ? undefined : listAt(schema, 'enum');

const types: readonly SchemaEdit[] = [
  {
    input: 'input-type-changed',
    output: 'output-type-changed',
    story: '{It} has another type.',
    needs: '{it} of a plain type',
    change: changeType,
    outputOthers: belied,
  },
  {
    input: 'input-type-narrowed',
    output: 'output-type-narrowed',
    story: '{It} has fewer types.',
    needs: '{it} of several types, or a number',
    change: firstOf(
      (schema) => {
        const left = typesOf(schema).filter((type) => type !== 'null');
        return left.length < 2
          ? null
          : { ...schema, type: [...left.slice(0, -1), ...typesOf(schema).filter((type) => type === 'null')] };
      },
      (schema) => (isPlain(schema, 'number') ? { ...schema, type: 'integer' } : null),
    ),
    outputOthers: belied,
  },
  {
    input: 'input-type-widened',
    output: 'output-type-widened',
    story: '{It} may be of another type, too.',
    needs: '{it} of a plain type',
    change: (schema, { isRoot }) => {
      if (isRoot) return null;
      if (isPlain(schema, 'integer')) return { ...schema, type: 'number' };
      return isPlain(schema, 'string') || isPlain(schema, 'boolean')
        ? { ...schema, type: [member(schema, 'type') ?? 'string', 'number'] }
        : null;
    },
  },
  {
    input: 'input-type-added',
    output: 'output-type-added',
    story: '{It} that could be anything is a text.',
    needs: '{it} without a type',
    change: (schema, { isRoot }) => (!isRoot && isFree(schema) ? { ...schema, type: 'string' } : null),
    outputOthers: belied,
  },
  {
    input: 'input-type-dropped',
    output: 'output-type-dropped',
    story: '{It} may be anything.',
    needs: '{it} of a plain type',
    change: (schema, { isRoot }) =>
      !isRoot && Object.keys(otherType).some((type) => isPlain(schema, type)) ? without(schema, 'type') : null,
  },
  {
    input: 'input-nullable-removed',
    output: 'output-nullable-removed',
    story: '{It} may no longer be null.',
    needs: '{it} that may be null',
    change: firstOf(
      (schema) => {
        const left = typesOf(schema).filter((type) => type !== 'null');
        return left.length === typesOf(schema).length || left.length === 0
          ? null
          : { ...schema, type: left.length === 1 ? (left[0] ?? 'string') : left };
      },
      (schema) => {
        const branches = listAt(schema, 'anyOf') ?? [];
        const left = branches.filter((branch) => member(branch, 'type') !== 'null');
        return left.length === branches.length || left.length === 0 ? null : { ...schema, anyOf: left };
      },
    ),
    outputOthers: belied,
  },
  {
    input: 'input-nullable-added',
    output: 'output-nullable-added',
    story: '{It} may be null.',
    needs: '{it} of a plain type',
    change: (schema, { isRoot }) => {
      const type = ['string', 'number', 'integer', 'boolean'].find((one) => isPlain(schema, one));
      return isRoot || type === undefined ? null : { ...schema, type: [type, 'null'] };
    },
  },
];

const lists: readonly SchemaEdit[] = [
  {
    input: 'input-enum-value-removed',
    output: 'output-enum-value-removed',
    story: '{It} takes a value less.',
    needs: '{it} with a list of values',
    change: (schema) => {
      const values = valuesOf(schema) ?? [];
      return values.length < 3 ? null : { ...schema, enum: values.slice(0, -1) };
    },
    outputOthers: belied,
  },
  {
    input: 'input-enum-value-added',
    output: 'output-enum-value-added',
    story: '{It} takes a value more.',
    needs: '{it} with a list of texts',
    change: (schema) => {
      const values = valuesOf(schema) ?? [];
      return values.length > 1 && values.every((value) => typeof value === 'string')
        ? { ...schema, enum: [...values, 'on hold'] }
        : null;
    },
  },
  {
    input: 'input-enum-added',
    output: 'output-enum-added',
    story: '{It} that could be any text is one of two.',
    needs: '{it} that is any text',
    change: (schema) => (isPlain(schema, 'string') ? { ...schema, enum: ['example.com', 'example.net'] } : null),
    outputOthers: belied,
  },
  {
    input: 'input-enum-dropped',
    output: 'output-enum-dropped',
    story: '{It} that had a list of values may be any text.',
    needs: '{it} with a list of texts',
    change: (schema) => {
      const values = valuesOf(schema) ?? [];
      return values.length > 1 && values.every((value) => typeof value === 'string')
        ? { ...without(schema, 'enum'), type: 'string' }
        : null;
    },
  },
  {
    input: 'input-const-added',
    output: 'output-const-added',
    story: '{It} has one fixed value.',
    needs: '{it} that is any text',
    change: (schema) => (isPlain(schema, 'string') ? { ...schema, const: 'v2' } : null),
    outputOthers: belied,
  },
  {
    input: 'input-const-changed',
    output: 'output-const-changed',
    story: '{It} has another fixed value.',
    needs: '{it} with a fixed text',
    change: (schema) => {
      const value = member(schema, 'const');
      return typeof value === 'string' ? { ...schema, const: `${value}-2` } : null;
    },
    outputOthers: belied,
  },
  {
    input: 'input-const-dropped',
    output: 'output-const-dropped',
    story: '{It} that had a fixed value may be any text.',
    needs: '{it} with a fixed text',
    change: (schema) =>
      typeof member(schema, 'const') === 'string' ? { ...without(schema, 'const'), type: 'string' } : null,
  },
];

export const valueEdits: readonly SchemaEdit[] = [...types, ...lists];
