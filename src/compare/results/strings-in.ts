import { isJsonArray, type JsonValue } from '../../json/json-value.ts';

/** Every string of a value, names of members included, in order. */
export function* stringsIn(value: JsonValue): Generator<string> {
  if (typeof value === 'string') {
    yield value;
  } else if (isJsonArray(value)) {
    for (const item of value) yield* stringsIn(item);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value)) {
      yield name;
      yield* stringsIn(inner);
    }
  }
}
