import { type JsonObject, type JsonValue, member } from '../../json/json-value.ts';
import { type ChangeSchema, firstOf, type SchemaEdit } from './schema-edit.ts';
import { has, isFree, isOf, isPlain, listAt, numberAt, without } from './schema-facts.ts';

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

const isNumber = (schema: JsonObject): boolean => isOf(schema, 'integer') || isOf(schema, 'number');
const isText = (schema: JsonObject): boolean => isOf(schema, 'string');

/** Moves a limit that is there. */
const move =
  (keyword: string, by: (value: number) => number): ChangeSchema =>
  (schema) => {
    const value = numberAt(schema, keyword);
    return value === undefined ? null : { ...schema, [keyword]: by(value) };
  };

/** Moves a limit, or sets one where there is none. */
const tighten =
  (keyword: string, of: (schema: JsonObject) => boolean, first: number, by: (value: number) => number): ChangeSchema =>
  (schema) =>
    of(schema) && !has(schema, 'enum') && !has(schema, 'const')
      ? {
          ...schema,
          [keyword]: numberAt(schema, keyword) === undefined ? first : by(numberAt(schema, keyword) ?? 0),
        }
      : null;

const up = (value: number): number => value + 1;
const down = (value: number): number => value - 1;

const raiseMaximum = move('maximum', up);
const lowerMaximum: ChangeSchema = (schema, place) => {
  const least = numberAt(schema, 'minimum') ?? numberAt(schema, 'exclusiveMinimum') ?? Number.NEGATIVE_INFINITY;
  return (numberAt(schema, 'maximum') ?? 0) > least + 1 ? move('maximum', down)(schema, place) : null;
};
const lengthen = move('maxLength', up);
const setLimit: ChangeSchema = (schema) =>
  isNumber(schema) &&
  !['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'enum', 'const'].some((keyword) =>
    has(schema, keyword),
  )
    ? { ...schema, maximum: 1_000_000 }
    : null;
const dropLimit: ChangeSchema = (schema) => {
  const keyword = ['maximum', 'minimum', 'exclusiveMaximum', 'exclusiveMinimum'].find((one) => has(schema, one));
  return keyword === undefined ? null : without(schema, keyword);
};
const shorten = tighten('maxLength', isText, 63, (value) => Math.max(value - 1, 0));

const limits: readonly SchemaEdit[] = [
  {
    input: 'input-minimum-raised',
    story: '{It} has a higher minimum.',
    needs: '{it} with a minimum',
    change: move('minimum', up),
  },
  {
    input: 'input-minimum-lowered',
    story: '{It} has a lower minimum.',
    needs: '{it} with a minimum',
    change: move('minimum', down),
  },
  {
    input: 'input-maximum-lowered',
    story: '{It} has a lower maximum.',
    needs: '{it} with a maximum',
    change: lowerMaximum,
  },
  {
    input: 'input-maximum-raised',
    story: '{It} has a higher maximum.',
    needs: '{it} with a maximum',
    change: raiseMaximum,
  },
  {
    input: 'input-bound-added',
    story: '{It} has a limit.',
    needs: '{it} that is a number without limits',
    change: setLimit,
  },
  { input: 'input-bound-removed', story: '{It} has a limit less.', needs: '{it} with a limit', change: dropLimit },
  {
    output: 'output-bound-widened',
    story: '{It} has a wider limit.',
    needs: '{it} with a limit',
    change: firstOf(raiseMaximum, lengthen, move('maxItems', up), dropLimit),
  },
  {
    output: 'output-bound-tightened',
    story: '{It} has a tighter limit.',
    needs: '{it} that is a text or a number',
    change: firstOf(lowerMaximum, setLimit, shorten),
    outputOthers: belied,
  },
  {
    input: 'input-multiple-of-changed',
    story: '{It} goes in coarser steps.',
    needs: '{it} that is a number',
    change: tighten('multipleOf', isNumber, 5, (value) => value * 5),
  },
  {
    input: 'input-min-length-raised',
    story: '{It} has to be longer.',
    needs: '{it} that is a text',
    change: tighten('minLength', isText, 1, up),
  },
  {
    input: 'input-max-length-lowered',
    story: '{It} has to be shorter.',
    needs: '{it} that is a text',
    change: shorten,
  },
  {
    input: 'input-min-length-lowered',
    story: '{It} may be shorter.',
    needs: '{it} with a least length',
    change: (schema) => ((numberAt(schema, 'minLength') ?? 0) > 0 ? without(schema, 'minLength') : null),
  },
  {
    input: 'input-max-length-raised',
    story: '{It} may be longer.',
    needs: '{it} with a greatest length',
    change: lengthen,
  },
];

const texts: readonly SchemaEdit[] = [
  {
    input: 'input-pattern-added',
    output: 'output-pattern-added',
    story: '{It} has to match a pattern.',
    needs: '{it} that is any text',
    change: (schema) => (isPlain(schema, 'string') ? { ...schema, pattern: '^[A-Z]{3}$' } : null),
    outputOthers: belied,
  },
  {
    input: 'input-pattern-changed',
    output: 'output-pattern-changed',
    story: '{It} has to match another pattern.',
    needs: '{it} with a pattern',
    change: (schema) => (has(schema, 'pattern') ? { ...schema, pattern: '^[A-Z]{3}$' } : null),
    outputOthers: belied,
  },
  {
    input: 'input-pattern-removed',
    output: 'output-pattern-removed',
    story: '{It} need not match a pattern.',
    needs: '{it} with a pattern',
    change: (schema) => (has(schema, 'pattern') ? without(schema, 'pattern') : null),
  },
  {
    input: 'input-format-added',
    output: 'output-format-added',
    story: '{It} has a format.',
    needs: '{it} that is any text',
    change: (schema) => (isPlain(schema, 'string') ? { ...schema, format: 'hostname' } : null),
    outputOthers: belied,
  },
  {
    input: 'input-format-changed',
    output: 'output-format-changed',
    story: '{It} has another format.',
    needs: '{it} with a format',
    change: (schema) => {
      const format = member(schema, 'format');
      return format === undefined || !isText(schema)
        ? null
        : { ...schema, format: format === 'date' ? 'date-time' : 'date' };
    },
    outputOthers: belied,
  },
  {
    input: 'input-format-removed',
    output: 'output-format-removed',
    story: '{It} has no format any more.',
    needs: '{it} with a format',
    change: (schema) => (has(schema, 'format') ? without(schema, 'format') : null),
  },
  {
    input: 'input-content-encoding-changed',
    output: 'output-content-encoding-changed',
    story: '{It} is encoded in another way.',
    needs: '{it} that is any text',
    change: firstOf(
      (schema) => (has(schema, 'contentEncoding') ? without(schema, 'contentEncoding') : null),
      (schema) => (isPlain(schema, 'string') ? { ...schema, contentEncoding: 'base64' } : null),
    ),
    outputOthers: belied,
  },
];

export const valueEdits: readonly SchemaEdit[] = [...types, ...lists, ...limits, ...texts];
