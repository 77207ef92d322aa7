import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, member } from '../../json/json-value.ts';
import { mapMembers } from '../../json/map-members.ts';
import type { Shape } from '../../recording/result-shape.ts';
import { isTextDigest } from '../../recording/text-digest.ts';

/** undefined where the value has nothing that this could happen to. */
export type ChangeValue = (value: JsonValue, shape: Shape, at: ValuePlace) => JsonValue | undefined;

export interface ValuePlace {
  readonly path: readonly string[];
  /** What the tool declares of the value; undefined where it says nothing. */
  readonly declared: JsonValue | undefined;
  /** Whether a pin speaks of a member here, or of what is in it: another rule speaks of those. */
  isPinned(...steps: readonly string[]): boolean;
}

/** Pointers of pins as tokens, `*` for one level. */
export type PinPaths = readonly (readonly string[])[];

/** A value, with what is known of it. */
export interface KnownValue {
  readonly value: JsonValue;
  readonly shape: Shape;
  readonly path: readonly string[];
  readonly declared: JsonValue | undefined;
}

/** Changes the first value, from the outside inwards, that `change` has an answer for. */
export function editFirst(known: KnownValue, pins: PinPaths, change: ChangeValue): JsonValue | undefined {
  const { value, shape, path, declared } = known;
  const isPinned = (...steps: readonly string[]): boolean => pins.some((pin) => meets(pin, [...path, ...steps]));
  const changed = change(value, shape, { path, declared, isPinned });
  if (changed !== undefined) return changed;
  if (isJsonArray(value)) {
    const items = shape.kind === 'array' ? shape.items : null;
    const [first, ...rest] = value;
    if (items === null || first === undefined) return undefined;
    const inner = { value: first, shape: items, path: [...path, '0'], declared: member(declared, 'items') };
    const other = editFirst(inner, pins, change);
    return other === undefined ? undefined : [other, ...rest];
  }
  if (!isJsonObject(value) || isTextDigest(value)) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    const below = memberShape(shape, name);
    if (below === undefined || isPinned(name)) continue;
    const declaredInner = member(member(declared, 'properties'), name);
    const other = editFirst(
      { value: inner, shape: below, path: [...path, name], declared: declaredInner },
      pins,
      change,
    );
    if (other !== undefined) return withMember(value, name, other);
  }
  return undefined;
}

const memberShape = (shape: Shape, name: string): Shape | undefined =>
  shape.kind === 'object' ? shape.members.get(name)?.shape : shape.kind === 'map' ? shape.values : undefined;

/** One of two paths leads to the other, or past it. */
const meets = (pin: readonly string[], path: readonly string[]): boolean =>
  pin.slice(0, path.length).every((step, at) => step === '*' || path[at] === undefined || step === path[at]);

const withMember = (object: JsonObject, name: string, value: JsonValue): JsonObject =>
  mapMembers(object, (old, key) => (key === name ? value : old));
