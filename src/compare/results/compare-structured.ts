import { childOf, parsePointer } from '../../json/json-pointer.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../json/json-value.ts';
import type { SchemaValidator, Verdict } from '../../schemas/schema-validator.ts';
import { isEqual } from '../is-equal.ts';
import { compareShape } from './compare-shape.ts';
import type { Drift } from './drift.ts';
import type { ResultPair } from './result-pair.ts';
import { shapeContext } from './shape-context.ts';
import { wordOfValue } from './type-words.ts';

const root = ['structuredContent'] as const;

/** Whether structured content is there, and has its recorded shape. */
export function compareStructured(pair: ResultPair): readonly Drift[] {
  const { live, shape } = pair;
  if (live.structured === undefined) return isMissing(pair) ? [missing] : [];
  if (shape.structured === null) {
    return [{ rule: 'result-structured-added', at: root, before: null, after: wordOfValue(live.structured) }];
  }
  return compareShape(shape.structured.shape, live.structured, shapeContext(pair, root, pair.schemas.live));
}

const missing: Drift = { rule: 'result-structured-missing', at: root, before: 'structured content', after: null };

/** It was always there, or tonight's output schema promises it; a promise that was broken when recorded is no drift. */
function isMissing({ live, recorded, schemas, shape }: ResultPair): boolean {
  const { structured } = shape;
  if (structured !== null && !structured.optional) return true;
  if (live.isError || schemas.live === null) return false;
  const wasBroken =
    schemas.recorded !== null &&
    (structured?.optional === true || (recorded !== null && recorded.structured === undefined));
  return !wasBroken;
}

/**
 * Judges structured content by the declared schemas, the live one first: a server that breaks its own promise. What the
 * recorded result broke in the same way is no drift. Errors are not validated (2025-06-18, "Output Schema").
 */
export async function compareDeclared(pair: ResultPair, validator: SchemaValidator): Promise<readonly Drift[]> {
  const { live, recorded, schemas } = pair;
  if (live.isError || live.structured === undefined) return [];
  const value = live.structured;
  const before = recorded?.structured;
  if (schemas.live !== null) {
    const verdict = await validator.validate(schemas.live, value);
    if (verdict.kind === 'refused') {
      const isOld =
        before !== undefined &&
        schemas.recorded !== null &&
        isSameRefusal(verdict, value, await validator.validate(schemas.recorded, before), before);
      return isOld ? [] : [violation('result-schema-violation', verdict, value)];
    }
    if (verdict.kind === 'unknown') return [];
  }
  if (schemas.recorded === null || isEqual(schemas.recorded, schemas.live ?? undefined)) return [];
  const verdict = await validator.validate(schemas.recorded, value);
  if (verdict.kind !== 'refused') return [];
  const wasAccepted = before === undefined || (await validator.validate(schemas.recorded, before)).kind === 'accepted';
  return wasAccepted ? [violation('result-schema-violation-recorded', verdict, value)] : [];
}

type Refusal = Extract<Verdict, { kind: 'refused' }>;

function isSameRefusal(live: Refusal, liveValue: JsonValue, recorded: Verdict, recordedValue: JsonValue): boolean {
  if (recorded.kind !== 'refused' || recorded.keyword !== live.keyword) return false;
  return placeOf(live.pointer, liveValue).join('/') === placeOf(recorded.pointer, recordedValue).join('/');
}

function violation(rule: Drift['rule'], { keyword, pointer }: Refusal, value: JsonValue): Drift {
  const refused = (parsePointer(pointer) ?? []).reduce<JsonValue | undefined>(childOf, value);
  const after = refused === undefined ? null : wordOfValue(refused);
  return { rule, at: [...root, ...placeOf(pointer, value)], before: keyword, after, confidence: 'proven', keyword };
}

/** The tokens of a pointer, `*` for the items of a list: which item it was changes with the data. */
function placeOf(pointer: string, value: JsonValue): readonly string[] {
  const place: string[] = [];
  let at: JsonValue | undefined = value;
  for (const token of parsePointer(pointer) ?? []) {
    place.push(isJsonArray(at) ? '*' : token);
    at = isJsonArray(at) || isJsonObject(at) ? childOf(at, token) : undefined;
  }
  return place;
}
