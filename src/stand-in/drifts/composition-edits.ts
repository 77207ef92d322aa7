import { isJsonArray, type JsonObject, type JsonValue, member } from '../../json/json-value.ts';
import type { ChangeSchema, SchemaEdit } from './schema-edit.ts';
import {
  dropKeyword,
  has,
  isObjectSchema,
  isPlain,
  listAt,
  optionalPair,
  propertyOf,
  without,
} from './schema-facts.ts';
import { belied } from './value-edits.ts';

const isNull = (branch: JsonValue): boolean => member(branch, 'type') === 'null';

/** One form less, where several are left that are more than null. */
const dropBranch =
  (keyword: 'anyOf' | 'oneOf'): ChangeSchema =>
  (schema) => {
    const branches = listAt(schema, keyword) ?? [];
    const last = branches.findLast((branch) => !isNull(branch));
    const left = branches.filter((branch) => branch !== last);
    return left.filter((branch) => !isNull(branch)).length === 0 ? null : { ...schema, [keyword]: left };
  };

const addBranch =
  (keyword: 'anyOf' | 'oneOf'): ChangeSchema =>
  (schema) => {
    const branches = (listAt(schema, keyword) ?? []).filter((branch) => !isNull(branch));
    const isTyped = branches.every((branch) => typeof member(branch, 'type') === 'string');
    const isFree = !branches.some((branch) => member(branch, 'type') === 'array') && !has(schema, 'type');
    if (branches.length === 0 || !isTyped || !isFree) return null;
    return { ...schema, [keyword]: [...(listAt(schema, keyword) ?? []), { type: 'array', items: { type: 'string' } }] };
  };

const unions: readonly SchemaEdit[] = [
  {
    input: 'input-anyof-branch-removed',
    output: 'output-anyof-branch-removed',
    story: '{It} has a form less.',
    needs: '{it} of several forms',
    change: dropBranch('anyOf'),
    outputOthers: belied,
  },
  {
    input: 'input-anyof-branch-added',
    output: 'output-anyof-branch-added',
    story: '{It} has a form more.',
    needs: '{it} of several forms',
    change: addBranch('anyOf'),
  },
  {
    input: 'input-oneof-branch-removed',
    output: 'output-oneof-branch-removed',
    story: '{It} has an alternative less.',
    needs: '{it} that is one of several',
    change: dropBranch('oneOf'),
    outputOthers: belied,
  },
  {
    input: 'input-oneof-branch-added',
    output: 'output-oneof-branch-added',
    story: '{It} has an alternative more.',
    needs: '{it} that is one of several',
    change: addBranch('oneOf'),
  },
  {
    input: 'input-anyof-to-oneof',
    story: 'An argument of several forms has to be of exactly one.',
    needs: 'argument of several forms',
    change: (schema) => {
      const branches = listAt(schema, 'anyOf') ?? [];
      if (has(schema, 'oneOf') || branches.filter((branch) => !isNull(branch)).length < 2) return null;
      return { ...without(schema, 'anyOf'), oneOf: branches };
    },
  },
];

const conditions: readonly SchemaEdit[] = [
  {
    input: 'input-allof-added',
    output: 'output-allof-added',
    story: '{It} has to meet a condition more.',
    needs: 'optional {it}',
    change: (schema) => {
      const name = propertyOf(schema, false);
      const isFree = isObjectSchema(schema) && !has(schema, 'allOf') && !has(schema, 'unevaluatedProperties');
      return name === undefined || !isFree ? null : { ...schema, allOf: [{ required: [name] }] };
    },
    outputOthers: belied,
  },
  {
    input: 'input-allof-removed',
    output: 'output-allof-removed',
    story: '{It} has to meet a condition less.',
    needs: '{it} that has to meet conditions',
    change: dropKeyword('allOf'),
  },
  {
    input: 'input-not-added',
    output: 'output-not-added',
    story: '{It} must not be a certain text.',
    needs: '{it} that is any text',
    change: (schema) => (isPlain(schema, 'string') ? { ...schema, not: { const: 'localhost' } } : null),
    outputOthers: belied,
  },
  {
    input: 'input-not-removed',
    output: 'output-not-removed',
    story: '{It} may be what was excluded.',
    needs: '{it} with something excluded',
    change: dropKeyword('not'),
  },
  {
    input: 'input-conditional-added',
    output: 'output-conditional-added',
    story: '{It} hangs on another one.',
    needs: 'pair of optional {its}',
    change: (schema) => {
      const pair = optionalPair(schema);
      const isFree = isObjectSchema(schema) && !has(schema, 'if') && !has(schema, 'unevaluatedProperties');
      return pair === null || !isFree ? null : { ...schema, ...conditionOf(pair[0], pair[1]) };
    },
    outputOthers: belied,
  },
  {
    input: 'input-conditional-changed',
    output: 'output-conditional-changed',
    story: '{It} hangs on another one than before.',
    needs: '{it} that hangs on another one',
    change: (schema) => (has(schema, 'if') ? { ...schema, if: { minProperties: 2 } } : null),
    outputOthers: belied,
  },
  {
    input: 'input-conditional-removed',
    output: 'output-conditional-removed',
    story: '{It} no longer hangs on another one.',
    needs: '{it} that hangs on another one',
    change: (schema) => (has(schema, 'if') ? without(schema, 'if', 'then', 'else') : null),
  },
];

const conditionOf = (given: string, demanded: string): JsonObject => ({
  if: { required: [given] },
  then: { required: [demanded] },
});

const wholes: readonly SchemaEdit[] = [
  {
    output: 'output-root-wrapped',
    story: 'The whole declared result is inside another object.',
    needs: 'declared result with fields',
    change: (schema, { isRoot }) => {
      if (!isRoot || propertyOf(schema, true) === undefined) return null;
      return {
        type: 'object',
        properties: { result: without(schema, '$defs', 'definitions', '$schema') },
        ...kept(schema),
      };
    },
    outputOthers: belied,
  },
  {
    input: 'input-ref-recursive-changed',
    output: 'output-ref-recursive-changed',
    story: '{It} excludes something else of its own kind.',
    needs: '{it} that excludes something of its own kind',
    change: (schema) => {
      const parts = listAt((member(schema, 'not') ?? {}) as JsonObject, 'allOf');
      const bounded = parts?.find((part) => typeof member(part, 'minProperties') === 'number');
      if (!isJsonArray(parts) || bounded === undefined || !parts.some((part) => member(part, '$ref') !== undefined))
        return null;
      const least = Number(member(bounded, 'minProperties')) + 1;
      return { ...schema, not: { allOf: parts.map((part) => (part === bounded ? { minProperties: least } : part)) } };
    },
    outputOthers: belied,
  },
];

/** What references of the inner schema point to stays where it was. */
const kept = (schema: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(schema).filter(([key]) => ['$defs', 'definitions', '$schema'].includes(key)));

export const compositionEdits: readonly SchemaEdit[] = [...unions, ...conditions, ...wholes];
