import { isJsonArray, type JsonObject, type JsonValue } from '../../json/json-value.ts';
import type { MemberShape, ObjectShape, Shape, StringFormat } from '../../recording/result-shape.ts';
import { isFractional, tagOf } from '../../recording/shape-derive.ts';
import { hasFormat } from '../../recording/shape-format.ts';
import { asMap } from '../../recording/shape-join-value.ts';
import { type RuleId, ruleOf } from '../../rules/catalogue.ts';
import { type DeclaredPlace, declaredAt, mayDeclareMaps } from './declared-schema.ts';
import { type Drift, rankOf, stepDown } from './drift.ts';
import { wordOfFormat, wordOfShape, wordOfValue } from './type-words.ts';

export interface ShapeContext {
  /** Tokens in front of every place: where the value stands in the result. */
  readonly root: readonly string[];
  /** The live output schema, where it speaks about this value. */
  readonly schema: JsonObject | null;
  /** Whether nothing at this place (real tokens, no `*`) is to be compared. */
  isIgnored(tokens: readonly string[]): boolean;
  /** Whether a pin says that this object is keyed by data. */
  isMap(tokens: readonly string[]): boolean;
}

/** Differences that are told about one value; more say nothing more. */
const mostDrifts = 200;

/**
 * Compares a value with a learned shape: types, members and nulls, never values, order or the number of items. Each
 * difference is told once, however many items show it. What the declared schema allows is one step milder.
 */
export function compareShape(shape: Shape, value: JsonValue, context: ShapeContext): readonly Drift[] {
  const schemaHasMaps = context.schema !== null && mayDeclareMaps(context.schema);
  return walk({ context, schemaHasMaps, maps: new WeakMap() }, shape, value, null)
    .sort((a, b) => rankOf(b) - rankOf(a))
    .slice(0, mostDrifts);
}

/** A step into a value: linked, since most places are never told. */
interface Place {
  readonly parent: Place | null;
  readonly token: string;
  /** An item of a list, or a value of a map: told as `*`. */
  readonly isAny: boolean;
}

function tokensOf(place: Place | null, anyAs?: '*'): string[] {
  const tokens: string[] = [];
  for (let at = place; at !== null; at = at.parent) tokens.push(at.isAny ? (anyAs ?? at.token) : at.token);
  return tokens.reverse();
}

/** What one walk needs at every step. */
interface Walking {
  readonly context: ShapeContext;
  readonly schemaHasMaps: boolean;
  /** Objects read as maps, made once. */
  readonly maps: WeakMap<ObjectShape, Shape>;
}

const never = (): boolean => false;

function tell(
  on: Walking,
  rule: RuleId,
  place: Place | null,
  before: JsonValue,
  after: JsonValue,
  allows: (declared: DeclaredPlace) => boolean,
): Drift[] {
  const real = tokensOf(place);
  if (on.context.isIgnored([...on.context.root, ...real])) return [];
  // What may be missing is declared by the object around it, so `allows` is asked about that.
  const subject = rule === 'result-shape-member-removed' ? real.slice(0, -1) : real;
  const isAllowed = on.context.schema !== null && allows(declaredAt(on.context.schema, subject));
  const told = rule === 'result-shape-array-item-changed' ? (place?.parent ?? null) : place;
  const facts = typeof before === 'string' && typeof after === 'string' ? { facts: { from: before, to: after } } : {};
  const severity = isAllowed ? { severity: stepDown(ruleOf(rule).severity) } : {};
  return [{ rule, at: [...on.context.root, ...tokensOf(told, '*')], before, after, ...facts, ...severity }];
}

function walk(on: Walking, shape: Shape, value: JsonValue, place: Place | null): Drift[] {
  const branches = shape.kind === 'union' ? shape.of : [shape];
  const branch = branches.find((one) => one.kind === 'any' || isOfKind(one, value));
  if (branch === undefined) return mismatch(on, shape, value, place);
  switch (branch.kind) {
    case 'number':
      return branch.fractional || typeof value !== 'number' || !isFractional(value)
        ? []
        : tell(on, 'result-number-became-fractional', place, 'integer', 'number', (at) => at.allowsType('number'));
    case 'string':
      return branch.format !== null && isFormatLost(value as string, branch.format)
        ? tell(on, 'result-string-format-lost', place, branch.format, wordOfFormat(value as string), never)
        : [];
    case 'array':
      return walkItems(on, branch, value as readonly JsonValue[], place);
    case 'object':
    case 'map':
      return walkObject(on, branches, value as JsonObject, place);
    default:
      return [];
  }
}

function mismatch(on: Walking, shape: Shape, value: JsonValue, place: Place | null): Drift[] {
  const [before, after] = [wordOfShape(shape), wordOfValue(value)];
  if (shape.kind === 'null') return tell(on, 'result-shape-null-gone', place, before, after, never);
  const rule =
    value === null
      ? 'result-shape-null-new'
      : place?.isAny
        ? 'result-shape-array-item-changed'
        : 'result-shape-type-changed';
  return tell(on, rule, place, before, after, (at) => at.allowsType(after));
}

function walkItems(
  on: Walking,
  shape: Extract<Shape, { kind: 'array' }>,
  items: readonly JsonValue[],
  place: Place | null,
): Drift[] {
  const { items: item, min, max } = shape;
  if (items.length === 0) {
    return min === 0 ? [] : tell(on, 'result-shape-array-emptied', place, { max, min }, 0, (at) => at.allowsEmpty());
  }
  if (item === null) return tell(on, 'result-shape-array-filled', place, 0, 'items', never);
  return eachOnce(items.map((one, at) => () => walk(on, item, one, { parent: place, token: String(at), isAny: true })));
}

function walkObject(on: Walking, branches: readonly Shape[], value: JsonObject, place: Place | null): Drift[] {
  const objects = branches.filter((one) => one.kind === 'object');
  const map = branches.find((one) => one.kind === 'map') ?? forcedMap(on, objects, place);
  if (map?.kind === 'map') return walkMap(on, map.keys, map.values, value, place);
  const tag = tagOf(value);
  const named = objects.find(
    (one) => one.tag !== null && one.tag !== 'merged' && one.tag.member === tag?.member && one.tag.value === tag.value,
  );
  if (named !== undefined) return walkMembers(on, named, value, place);
  // No branch is named, so the closest one is what the value was meant to be: only its differences are told.
  const tries = objects
    .map((one) => walkMembers(on, one, value, place))
    .map((drifts) => ({ drifts, cost: costOf(drifts) }));
  return tries.reduce((best, one) => (one.cost < best.cost ? one : best), tries[0] ?? { drifts: [], cost: 0 }).drifts;
}

function forcedMap(on: Walking, objects: readonly ObjectShape[], place: Place | null): Shape | undefined {
  const [object] = objects;
  if (object === undefined || object.members.size === 0) return undefined;
  const real = tokensOf(place);
  const isForced =
    on.context.isMap([...on.context.root, ...real]) ||
    (on.schemaHasMaps && on.context.schema !== null && declaredAt(on.context.schema, real).isMap());
  if (!isForced) return undefined;
  const known = on.maps.get(object);
  if (known !== undefined) return known;
  const map = asMap(object);
  on.maps.set(object, map);
  return map;
}

function walkMap(
  on: Walking,
  keys: StringFormat | null,
  values: Shape,
  object: JsonObject,
  place: Place | null,
): Drift[] {
  const names = Object.keys(object);
  const lost =
    keys !== null && names.length > 0 && !names.some((name) => hasFormat(name, keys))
      ? tell(
          on,
          'result-string-format-lost',
          { parent: place, token: names[0] ?? '', isAny: true },
          keys,
          'string',
          never,
        )
      : [];
  const inside = Object.entries(object).map(
    ([name, one]) =>
      () =>
        walk(on, values, one, { parent: place, token: name, isAny: true }),
  );
  return [...lost, ...eachOnce(inside)];
}

function walkMembers(on: Walking, shape: ObjectShape, object: JsonObject, place: Place | null): Drift[] {
  const known = [...shape.members].flatMap(([name, one]) =>
    walkMember(on, name, one, object, { parent: place, token: name, isAny: false }),
  );
  const added = Object.entries(object)
    .filter(([name]) => !shape.members.has(name))
    .flatMap(([name, one]) =>
      tell(
        on,
        'result-shape-member-added',
        { parent: place, token: name, isAny: false },
        null,
        wordOfValue(one),
        never,
      ),
    );
  return [...known, ...added];
}

function walkMember(
  on: Walking,
  name: string,
  { optional, shape }: MemberShape,
  object: JsonObject,
  place: Place,
): Drift[] {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  if (value !== undefined) return walk(on, shape, value, place);
  if (optional) return [];
  return tell(on, 'result-shape-member-removed', place, wordOfShape(shape), null, (around) => around.isOptional(name));
}

const isOfKind = (shape: Shape, value: JsonValue): boolean => {
  switch (shape.kind) {
    case 'null':
      return value === null;
    case 'number':
      return typeof value === 'number' || typeof value === 'bigint';
    case 'array':
      return isJsonArray(value);
    case 'object':
    case 'map':
      return typeof value === 'object' && value !== null && !isJsonArray(value);
    default:
      return typeof value === shape.kind;
  }
};

/** The same difference on many items is one; the first item shows it. */
function eachOnce(walks: readonly (() => Drift[])[]): Drift[] {
  const found = new Map<string, Drift>();
  for (const walk of walks) {
    for (const drift of walk()) {
      const key = `${drift.rule} ${JSON.stringify(drift.at)}`;
      if (!found.has(key)) found.set(key, drift);
    }
  }
  return [...found.values()];
}

const costs = [1, 10, 100, 100];
const costOf = (drifts: readonly Drift[]): number =>
  drifts.reduce((sum, drift) => sum + (costs[rankOf(drift)] ?? 0), 0);

// Numbers written as text are left out: an id, a version or a price in words moves without meaning anything.
const addresses = new Set<StringFormat>(['ipv4', 'ipv6']);

function isFormatLost(text: string, format: StringFormat): boolean {
  if (format === 'decimal' || format === 'integer') return false;
  return addresses.has(format) ? ![...addresses].some((one) => hasFormat(text, one)) : !hasFormat(text, format);
}
