import type { core, ZodType } from 'zod';
import { isJsonArray, isJsonObject, type JsonValue, member } from '../json/json-value.ts';
import type { ConfigPath, DraftFault } from './config-fault.ts';
import { suggestName } from './nearest-name.ts';

/** What the schema has against a value, in our words. Values are never repeated: one may be a secret. */
export const faultsOfIssues = (issues: readonly core.$ZodIssue[], schema: ZodType, root: JsonValue): DraftFault[] =>
  issues.flatMap((issue) => faultsOf(issue, schema, root));

function faultsOf(issue: core.$ZodIssue, schema: ZodType, root: JsonValue): DraftFault[] {
  const path = issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step));
  const value = valueAt(root, path);
  const say = (problem: string, mend: string): DraftFault[] => [{ path, at: 'value', problem, mend }];
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => unknownKey(path, key, knownKeys(schema, path)));
  if (issue.code === 'invalid_key') return [{ path, at: 'key', ...split(issue.issues[0]?.message ?? '') }];
  if (value === undefined) return say('is missing', missingMend(issue));
  switch (issue.code) {
    case 'invalid_type':
      return say(`must be ${wordOf(issue.expected)}, but is ${kindOf(value)}`, typeMend(issue.expected, value));
    case 'invalid_value':
      return say(
        'is none of the known values',
        typeof value === 'string'
          ? suggestValue(value, issue.values)
          : `Write one of: ${issue.values.map(String).join(', ')}.`,
      );
    case 'too_small':
      return issue.origin === 'string' || issue.origin === 'array'
        ? say('is empty', 'Write something, or leave it out.')
        : say(`must be ${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum}`, 'Raise it.');
    case 'too_big':
      return say(
        `must be at most ${issue.maximum}`,
        path.includes('limits') ? 'A limit can be lowered, never raised above the built-in one.' : 'Lower it.',
      );
    default:
      return [{ path, at: 'value', ...split(issue.message) }];
  }
}

/** Words from a closed list near what was written; the text itself is not repeated. */
function suggestValue(value: string, values: readonly unknown[]): string {
  const known = values.map(String);
  const suggestion = suggestName(value, known);
  return suggestion.startsWith('Did') ? suggestion : `Write one of: ${known.join(', ')}.`;
}

function unknownKey(parent: ConfigPath, key: string, known: readonly string[]): DraftFault {
  // A token that was written as a name is still a token.
  const isSafe = !parent.includes('credentials') || /^[A-Za-z-]{1,24}$/.test(key);
  if (!isSafe)
    return {
      path: parent,
      at: 'value',
      problem: 'has a name that is not known',
      mend: `Known here: ${known.join(', ')}.`,
    };
  return { path: [...parent, key], at: 'key', problem: 'is not known', mend: suggestName(key, known) };
}

/** The problem and the mend of a fault that the schema words itself (`faultText`). */
function split(message: string): { readonly problem: string; readonly mend: string } {
  const [problem = '', mend = ''] = message.split('\n');
  return { problem, mend };
}

const missingMend = (issue: core.$ZodIssue): string =>
  issue.code === 'invalid_value' ? `Write one of: ${issue.values.map(String).join(', ')}.` : 'Add it.';

const words: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'a mapping',
  record: 'a mapping',
  array: 'a list',
};
const wordOf = (expected: string): string => words[expected] ?? expected;

export function kindOf(value: JsonValue): string {
  if (value === null) return 'empty';
  if (isJsonArray(value)) return 'a list';
  if (isJsonObject(value)) return 'a mapping';
  if (typeof value === 'string') return value === '' ? 'an empty text' : 'text';
  if (typeof value === 'boolean') return 'true or false';
  return Number.isInteger(Number(value)) ? 'a number' : 'a number with a fraction';
}

function typeMend(expected: string, value: JsonValue): string {
  const isScalar = typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint';
  if (expected === 'string' && isScalar) return 'Put it in quotes.';
  if (expected === 'array') return 'Write [one, two], or one line with a dash for each.';
  if (expected === 'object' || expected === 'record') return 'Write names and values, one a line.';
  if (expected === 'int' && typeof value === 'bigint') return 'Write a smaller number.';
  return `Write ${wordOf(expected)}${typeof value === 'string' ? ', without quotes' : ''}.`;
}

function valueAt(root: JsonValue, path: ConfigPath): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>(
    (value, step) => (typeof step === 'number' && isJsonArray(value) ? value[step] : member(value, String(step))),
    root,
  );
}

/** The names that the schema knows at a path. */
function knownKeys(schema: ZodType, path: ConfigPath): string[] {
  let at: unknown = schema;
  for (const step of path) at = childSchema(at, step);
  const def = defOf(at);
  return def?.shape ? Object.keys(def.shape).sort() : [];
}

interface SchemaDef {
  readonly type: string;
  readonly shape?: Readonly<Record<string, unknown>>;
  readonly innerType?: unknown;
  readonly valueType?: unknown;
  readonly element?: unknown;
}

/** The definition under `optional` and `nullable`. */
function defOf(schema: unknown): SchemaDef | undefined {
  let def = (schema as { readonly def?: SchemaDef } | undefined)?.def;
  while (def?.innerType !== undefined) def = (def.innerType as { readonly def?: SchemaDef }).def;
  return def;
}

function childSchema(schema: unknown, step: string | number): unknown {
  const def = defOf(schema);
  if (def?.shape) return Object.hasOwn(def.shape, step) ? def.shape[step] : undefined;
  return def?.valueType ?? def?.element;
}
