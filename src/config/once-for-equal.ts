import type { JsonValue } from '../json/json-value.ts';
import { writeJson } from '../json/write-json.ts';

/** Makes equal things once: of thousands of targets most have the same calls and limits, and what they share is held once. */
export function onceForEqual<Source, Made>(make: (source: Source | undefined) => Made): typeof make {
  const made = new Map<string, Made>();
  return (source) => {
    // A part of the config file, which is JSON.
    const key = source === undefined ? '' : writeJson(source as JsonValue, { indent: 0 });
    const known = made.get(key);
    if (known !== undefined) return known;
    const fresh = make(source);
    made.set(key, fresh);
    return fresh;
  };
}
