import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts';
import { accepts } from './accepts.ts';
import { effectiveMember } from './effective-member.ts';
import { exampleOf, withMember } from './example.ts';
import type { Step } from './place.ts';
import type { SchemaDocument } from './schema-document.ts';
import type { Side } from './schema-pair.ts';
import { mergedFacets, viewOf } from './view.ts';

/** Entries of a list that are made up to reach one further back. */
const mostItems = 40;

/**
 * Puts a value where `steps` lead, inside a value for `schema`: inside `around` as far as that reaches, else inside
 * made-up surroundings that the schema probably accepts.
 * @param side which schema of a branch step is meant
 */
export function embed(
  document: SchemaDocument,
  schema: JsonValue,
  steps: readonly Step[],
  value: JsonValue,
  around: JsonValue | undefined,
  side: Side,
): JsonValue {
  const [step, ...rest] = steps;
  if (step === undefined) return value;
  if (step.kind === 'branch') {
    const branch = step[side];
    const fits = around !== undefined && accepts(document, branch, around) !== false;
    if (rest.length === 0) return besides(fits ? around : exampleOf(document, branch), value);
    return embed(document, branch, rest, value, fits ? around : besideBranch(document, schema, branch), side);
  }
  const facets = mergedFacets(document, viewOf(document, schema)) ?? viewOf(document, schema).own;
  if (step.kind === 'item') {
    const list = isJsonArray(around) ? [...around] : [];
    const schemaAt = (at: number): JsonValue => facets.list.positions[at] ?? facets.list.rest;
    for (let at = list.length; at < Math.min(step.index, mostItems); at += 1)
      list.push(exampleOf(document, schemaAt(at)));
    list[step.index] = embed(document, schemaAt(step.index), rest, value, list[step.index], side);
    return list;
  }
  const object = isJsonObject(around) ? around : exampleObject(document, schema);
  const inner = Object.hasOwn(object, step.name) ? object[step.name] : undefined;
  const member = effectiveMember(facets.object, step.name).schema;
  return withMember(object, step.name, embed(document, member, rest, value, inner, side));
}

/** A value with what its branch needs beside it. */
const besides = (around: JsonValue, value: JsonValue): JsonValue =>
  isJsonObject(around) && isJsonObject(value) ? { ...around, ...value } : value;

/** A value for one branch that has what stands beside the union, too. */
function besideBranch(document: SchemaDocument, schema: JsonValue, branch: JsonValue): JsonValue {
  const [whole, inner] = [exampleOf(document, schema), exampleOf(document, branch)];
  return isJsonObject(whole) && isJsonObject(inner) ? { ...whole, ...inner } : inner;
}

function exampleObject(document: SchemaDocument, schema: JsonValue): JsonObject {
  const example = exampleOf(document, schema);
  return isJsonObject(example) ? example : {};
}
