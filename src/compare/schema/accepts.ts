import { canonicalJson } from '../../json/canonical-json.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts';
import { isEqual } from '../is-equal.ts';
import { compareNumeric, isMultipleOf, isNumeric, type Numeric } from './exact-numbers.ts';
import type { Condition, Facets, ListFacets, NumberFacets, ObjectFacets, StringFacets, Union } from './facets.ts';
import { matchesSafely } from './safe-pattern.ts';
import type { SchemaDocument } from './schema-document.ts';
import { typeOf } from './type-set.ts';
import { viewOf } from './view.ts';

/** null: not decided here (a costly pattern, a reference that leads nowhere, `unevaluated…`, or too much to look at). */
export type Answer = boolean | null;

const mostSteps = 5_000;
const mostDepth = 250;

interface Look {
  readonly document: SchemaDocument;
  steps: number;
  /** A schema that contains itself in place would be looked at for ever. */
  depth: number;
}

/**
 * Whether a schema accepts a value. For the small questions of a comparison (an enum value, a recorded argument), where
 * a validator in a worker would be too far away; the validator has the last word on every proof.
 */
export const accepts = (document: SchemaDocument, schema: JsonValue, value: JsonValue): Answer =>
  look({ document, steps: mostSteps, depth: 0 }, schema, value);

/** The same for demands that are already read. */
export const satisfies = (document: SchemaDocument, facets: Facets, value: JsonValue): Answer =>
  lookAtFacets({ document, steps: mostSteps, depth: 0 }, facets, value);

function look(at: Look, schema: JsonValue, value: JsonValue): Answer {
  if (typeof schema === 'boolean') return schema;
  at.steps -= 1;
  if (at.steps < 0 || at.depth > mostDepth) return null;
  const view = viewOf(at.document, schema);
  if (view.broken !== null || Object.keys(view.dynamic).some((key) => key.endsWith('Ref'))) return null;
  at.depth += 1;
  const answer = all([
    () => lookAtFacets(at, view.own, value),
    ...view.conjuncts.map((conjunct) => () => look(at, conjunct, value)),
  ]);
  at.depth -= 1;
  return answer;
}

/** False as soon as one is, then undecided if one is. */
function all(parts: readonly (() => Answer)[]): Answer {
  let answer: Answer = true;
  for (const part of parts) {
    const one = part();
    if (one === false) return false;
    if (one === null) answer = null;
  }
  return answer;
}

const opposite = (answer: Answer): Answer => (answer === null ? null : !answer);

function lookAtFacets(at: Look, facets: Facets, value: JsonValue): Answer {
  if ((facets.types & typeOf(value)) === 0) return false;
  if (facets.values !== null && !facets.values.some((one) => isEqual(one, value))) return false;
  return all([
    () => lookAtOwnType(at, facets, value),
    ...facets.unions.map((union) => () => lookAtUnion(at, union, value)),
    ...facets.not.map((schema) => () => opposite(look(at, schema, value))),
    ...facets.conditions.map((condition) => () => lookAtCondition(at, condition, value)),
  ]);
}

function lookAtOwnType(at: Look, facets: Facets, value: JsonValue): Answer {
  if (isNumeric(value)) return lookAtNumber(facets.numbers, value);
  if (typeof value === 'string') return lookAtString(facets.strings, value);
  if (isJsonArray(value)) return lookAtList(at, facets.list, value);
  return isJsonObject(value) ? lookAtObject(at, facets.object, value) : true;
}

function lookAtNumber({ minimum, maximum, multiples }: NumberFacets, value: Numeric): boolean {
  if (minimum !== null && compareNumeric(value, minimum.value) < (minimum.exclusive ? 1 : 0)) return false;
  if (maximum !== null && compareNumeric(value, maximum.value) > (maximum.exclusive ? -1 : 0)) return false;
  return multiples.every((step) => isMultipleOf(value, step));
}

function lookAtString(strings: StringFacets, value: string): Answer {
  const length = [...value].length;
  if (length < strings.minLength || length > strings.maxLength) return false;
  return all(strings.patterns.map((pattern) => () => matchesSafely(pattern, value)));
}

function lookAtList(at: Look, list: ListFacets, value: readonly JsonValue[]): Answer {
  if (value.length < list.minItems || value.length > list.maxItems) return false;
  if (list.unique && new Set(value.map(canonicalJson)).size < value.length) return false;
  const answer = all([
    ...value.map((item, index) => () => look(at, list.positions[index] ?? list.rest, item)),
    ...list.contains.map(({ schema, least, most }) => () => {
      const found = value.map((item) => look(at, schema, item));
      const sure = found.filter((one) => one === true).length;
      const possible = sure + found.filter((one) => one === null).length;
      if (possible < least || sure > most) return false;
      return sure >= least && possible <= most ? true : null;
    }),
  ]);
  return answer === true && list.unevaluated !== true && value.length > list.positions.length ? null : answer;
}

function lookAtObject(at: Look, object: ObjectFacets, value: JsonObject): Answer {
  const names = Object.keys(value);
  if (names.length < object.minProperties || names.length > object.maxProperties) return false;
  if ([...object.required].some((name) => !Object.hasOwn(value, name))) return false;
  const answer = all([
    ...names.map((name) => () => lookAtMember(at, object, name, value[name] ?? null)),
    ...names.map((name) => () => look(at, object.names, name)),
    ...[...object.dependentNames].map(
      ([name, others]) =>
        () =>
          !Object.hasOwn(value, name) || [...others].every((other) => Object.hasOwn(value, other)),
    ),
    ...[...object.dependentSchemas].map(
      ([name, schema]) =>
        () =>
          Object.hasOwn(value, name) ? look(at, schema, value) : true,
    ),
  ]);
  const isAllNamed = object.additional !== undefined || names.every((name) => object.properties.has(name));
  return answer === true && object.unevaluated !== true && !isAllNamed ? null : answer;
}

function lookAtMember(at: Look, object: ObjectFacets, name: string, value: JsonValue): Answer {
  const listed = object.properties.get(name);
  const additional = object.additional ?? true;
  const matches = [...object.patterns].map(([pattern, schema]) => ({ schema, isMatch: matchesSafely(pattern, name) }));
  const isUnlisted = listed === undefined && matches.every((match) => match.isMatch === false);
  const isListed = listed !== undefined || matches.some((match) => match.isMatch === true);
  return all([
    () => (listed === undefined ? true : look(at, listed, value)),
    ...matches
      .filter((match) => match.isMatch !== false)
      .map(
        ({ schema, isMatch }) =>
          () =>
            decideIf(isMatch, look(at, schema, value)),
      ),
    () => (isListed ? true : decideIf(isUnlisted ? true : null, look(at, additional, value))),
  ]);
}

/** An answer that counts only where something holds that may be undecided itself. */
const decideIf = (holds: Answer, answer: Answer): Answer => (holds === true || answer === true ? answer : null);

function lookAtUnion(at: Look, union: Union, value: JsonValue): Answer {
  if (union.orNull && value === null) return true;
  const answers = union.branches.map((branch) => look(at, branch, value));
  const sure = answers.filter((one) => one === true).length;
  const open = answers.some((one) => one === null);
  if (union.keyword === 'anyOf') return sure > 0 ? true : open ? null : false;
  if (sure > 1) return false;
  return open ? null : sure === 1;
}

function lookAtCondition(at: Look, condition: Condition, value: JsonValue): Answer {
  const answer = look(at, condition.if, value);
  if (answer !== null) return look(at, answer ? condition.then : condition.else, value);
  const [then, otherwise] = [look(at, condition.then, value), look(at, condition.else, value)];
  return then === otherwise ? then : null;
}
