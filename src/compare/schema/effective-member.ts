import type { JsonValue } from '../../json/json-value.ts';
import type { ObjectFacets } from './facets.ts';
import { conjoin } from './merge-facets.ts';
import { matchesSafely } from './safe-pattern.ts';

/** What an object asks of a member of one name. */
export interface EffectiveMember {
  readonly schema: JsonValue;
  /** Nothing is asked of it: it is neither listed nor covered by anything. */
  readonly isOpen: boolean;
  /** Whether a pattern covers it could not be told. */
  readonly isDoubtful: boolean;
}

const made = new WeakMap<ObjectFacets, Map<string, JsonValue>>();

/** Its own schema; else that of the patterns that match it; else that of additional members. */
export function effectiveMember(object: ObjectFacets, name: string): EffectiveMember {
  const listed = object.properties.get(name);
  if (listed !== undefined) return { schema: listed, isOpen: false, isDoubtful: false };
  const matches = [...object.patterns].map(([pattern, schema]) => ({ schema, isMatch: matchesSafely(pattern, name) }));
  const meant = matches.filter((match) => match.isMatch !== false);
  const isDoubtful = meant.some((match) => match.isMatch === null);
  if (meant.length > 0) {
    const known = made.get(object) ?? new Map<string, JsonValue>();
    made.set(object, known);
    // Kept, so that the same question meets the same schema again.
    const schema = known.get(name) ?? meant.reduce((all: JsonValue, match) => conjoin(all, match.schema), true);
    known.set(name, schema);
    return { schema, isOpen: false, isDoubtful };
  }
  const additional = object.additional ?? true;
  return { schema: additional, isOpen: isOpenSchema(additional), isDoubtful };
}

export const isOpenSchema = (schema: JsonValue): boolean =>
  schema === true || (typeof schema === 'object' && schema !== null && Object.keys(schema).length === 0);
