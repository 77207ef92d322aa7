import { type JsonObject, member } from '../../json/json-value.ts';
import { type ChangeSchema, firstOf, type SchemaEdit } from './schema-edit.ts';
import { has, isOf, isPlain, numberAt, without } from './schema-facts.ts';
import { belied } from './value-edits.ts';

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

export const limitEdits: readonly SchemaEdit[] = [...limits, ...texts];
