import { Ajv, type ErrorObject, MissingRefError, type Options, type ValidateFunction } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import type { JsonValue } from '../json/json-value.ts';
import { isJsonObject, member } from '../json/json-value.ts';
import { keepNewest } from '../keep-newest.ts';
import { convertForAjv, holdsLarge } from './convert-for-ajv.ts';
import { withLoneReferences } from './lone-references.ts';
import type { Formats, Verdict } from './schema-validator.ts';

type Dialect = 'draft-07' | '2019-09' | '2020-12';

const marks: readonly (readonly [RegExp, Dialect])[] = [
  [/^https?:\/\/json-schema\.org\/draft-07\/schema#?$/, 'draft-07'],
  [/^https?:\/\/json-schema\.org\/draft\/2019-09\/schema#?$/, '2019-09'],
  [/^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/, '2020-12'],
];

/** Many published patterns escape more than Unicode mode allows; they are read without it then. */
const tolerantRegExp = (pattern: string, flags: string): RegExp => {
  try {
    return new RegExp(pattern, flags);
  } catch {
    return new RegExp(pattern);
  }
};

/** `ownProperties`: `constructor` is no member of every object. No defaults, no coercion: a value is never touched. */
const options: Options = {
  strict: false,
  addUsedSchema: false,
  logger: false,
  ownProperties: true,
  validateSchema: true,
  allErrors: false,
  code: { regExp: Object.assign(tolerantRegExp, { code: 'new RegExp' }) },
};

const engines = new Map<string, Ajv>();

function engineOf(dialect: Dialect, formats: Formats): Ajv {
  const key = `${dialect} ${formats}`;
  const known = engines.get(key);
  if (known !== undefined) return known;
  const all = { ...options, validateFormats: formats === 'asserted' };
  const engine = dialect === 'draft-07' ? new Ajv(all) : dialect === '2019-09' ? new Ajv2019(all) : new Ajv2020(all);
  if (formats === 'asserted') ajvFormats.default(engine);
  engines.set(key, engine);
  return engine;
}

/** The dialect a schema is validated in: its own mark, else the given one; null where it names one we do not carry. */
function dialectOf(schema: JsonValue, unmarked: 'draft-07' | '2020-12'): Dialect | null {
  const mark = member(schema, '$schema');
  if (mark === undefined) return unmarked;
  return typeof mark === 'string' ? (marks.find(([pattern]) => pattern.test(mark))?.[1] ?? null) : null;
}

export interface InProcessValidator {
  validate(schema: JsonValue, value: JsonValue, dialect?: 'draft-07' | '2020-12', formats?: Formats): Verdict;
  check(schema: JsonValue, dialect?: 'draft-07' | '2020-12'): Verdict;
}

type Compiled =
  | { readonly validate: ValidateFunction; readonly schema: JsonValue; readonly holdsLarge: boolean }
  | { readonly verdict: Verdict };

/**
 * Ajv in the calling thread, without a deadline: a hostile pattern hangs it. `worker-validator.ts` runs this where it can
 * be stopped. References are never fetched; a schema with one that leads out does not compile.
 * @param mostKept compiled schemas that are kept for the next question
 */
export function createInProcessValidator(mostKept = 64): InProcessValidator {
  const kept = new Map<JsonValue, Map<string, Compiled>>();
  const compile = (schema: JsonValue, unmarked: 'draft-07' | '2020-12', formats: Formats): Compiled => {
    const bySetting = kept.get(schema) ?? new Map<string, Compiled>();
    const key = `${unmarked} ${formats}`;
    const known = bySetting.get(key);
    if (known !== undefined) return known;
    const compiled = compileSchema(schema, unmarked, formats);
    keepNewest(kept, schema, bySetting.set(key, compiled), mostKept);
    return compiled;
  };
  return {
    validate: (schema, value, dialect = '2020-12', formats = 'ignored') => {
      const compiled = compile(schema, dialect, formats);
      return 'verdict' in compiled ? asDoubt(compiled.verdict) : run(compiled, value);
    },
    check: (schema, dialect = '2020-12') => {
      const compiled = compile(schema, dialect, 'ignored');
      return 'verdict' in compiled ? compiled.verdict : { kind: 'accepted' };
    },
  };
}

/** A schema that is refused says nothing about a value. */
const asDoubt = (verdict: Verdict): Verdict =>
  verdict.kind === 'refused'
    ? { kind: 'unknown', reason: 'schema-invalid', detail: `${verdict.pointer} ${verdict.keyword}`.trim() }
    : verdict;

const unknown = (reason: 'dialect' | 'schema-invalid' | 'too-large', detail: string): Verdict => ({
  kind: 'unknown',
  reason,
  detail: detail.slice(0, 200),
});

function compileSchema(schema: JsonValue, unmarked: 'draft-07' | '2020-12', formats: Formats): Compiled {
  if (typeof schema !== 'boolean' && !isJsonObject(schema)) {
    return { verdict: { kind: 'refused', pointer: '', keyword: 'type' } };
  }
  const dialect = dialectOf(schema, unmarked);
  if (dialect === null) return { verdict: unknown('dialect', 'a dialect that is not carried') };
  // Ajv answers such a schema with a promise.
  if (member(schema, '$async') !== undefined) return { verdict: unknown('schema-invalid', '$async') };
  const converted = convertForAjv(schema, null);
  if (converted === null) return { verdict: unknown('too-large', 'numbers that doubles cannot tell apart') };
  const engine = engineOf(dialect, formats);
  const read = dialect === 'draft-07' ? withLoneReferences(converted.schema as JsonValue) : converted.schema;
  const plain = read as object | boolean; // looked at above
  try {
    if (engine.validateSchema(plain) !== true) return { verdict: refusal(engine.errors) };
    return { validate: engine.compile(plain), schema, holdsLarge: holdsLarge(schema) };
  } catch (error) {
    if (error instanceof RangeError) return { verdict: unknown('too-large', 'nested too deeply') };
    if (error instanceof MissingRefError) return { verdict: unknown('schema-invalid', error.message) };
    return { verdict: { kind: 'refused', pointer: '', keyword: 'compile' } };
  } finally {
    if (typeof plain === 'object') engine.removeSchema(plain);
  }
}

function run(compiled: Extract<Compiled, { readonly validate: unknown }>, value: JsonValue): Verdict {
  const { validate, schema } = compiled;
  const isPlain = !compiled.holdsLarge && !holdsLarge(value);
  const plain = isPlain ? value : convertForAjv(schema, value)?.value;
  if (plain === undefined) return unknown('too-large', 'numbers that doubles cannot tell apart');
  try {
    return validate(plain) === true ? { kind: 'accepted' } : refusal(validate.errors);
  } catch (error) {
    return unknown('schema-invalid', error instanceof Error ? error.message : 'the validator failed');
  }
}

function refusal(errors: readonly ErrorObject[] | null | undefined): Verdict {
  const [first] = errors ?? [];
  return { kind: 'refused', pointer: first?.instancePath ?? '', keyword: first?.keyword ?? '' };
}
