import { escapeToken } from '../../json/json-pointer.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../json/json-value.ts';

/** One step from a value to a part of it, or (a branch) to one of the forms the same value may take. */
export type Step =
  | { readonly kind: 'member'; readonly name: string }
  | { readonly kind: 'item'; readonly index: number }
  | { readonly kind: 'branch'; readonly before: JsonValue; readonly after: JsonValue };

/** A recorded value that stands at a place, and which recording it is of. */
interface Sent {
  readonly value: JsonValue;
  readonly from: number;
}

/** Where the walk is: in the schema, in a value, and what the recordings hold there. */
export interface Place {
  readonly pointer: string;
  readonly steps: readonly Step[];
  /** Schemas above. */
  readonly depth: number;
  readonly sent: readonly Sent[];
  /** Whether a recording has the object around and leaves this member out. */
  readonly isOmitted: boolean;
}

export const startPlace = (pointer: string, recorded: readonly JsonValue[]): Place => ({
  pointer,
  steps: [],
  depth: 0,
  sent: recorded.map((value, from) => ({ value, from })),
  isOmitted: false,
});

/** The pointer of a keyword at a place. */
export const keywordAt = (place: Place, ...tokens: readonly string[]): string =>
  place.pointer + tokens.map((token) => `/${escapeToken(token)}`).join('');

/** The schema of a member: `tokens` lead to it from the schema of the object. */
export function memberAt(place: Place, name: string, tokens: readonly string[] = ['properties', name]): Place {
  const holders = place.sent.filter(({ value }) => isJsonObject(value));
  const sent = holders.flatMap(({ value, from }) =>
    isJsonObject(value) && Object.hasOwn(value, name) ? [{ value: value[name] ?? null, from }] : [],
  );
  return below(place, keywordAt(place, ...tokens), { kind: 'member', name }, sent, sent.length < holders.length);
}

/** The schema of the members that `isMeant` names: additional ones, or those that match a pattern. */
export function membersAt(
  place: Place,
  tokens: readonly string[],
  example: string,
  isMeant: (name: string) => boolean,
): Place {
  const sent = place.sent.flatMap(({ value, from }) =>
    isJsonObject(value)
      ? Object.keys(value)
          .filter(isMeant)
          .map((name) => ({ value: value[name] ?? null, from }))
      : [],
  );
  return below(place, keywordAt(place, ...tokens), { kind: 'member', name: example }, sent, false);
}

/** The schema of one position of a list, or (`onwards`) of all entries from it on. */
export function itemAt(place: Place, tokens: readonly string[], index: number, onwards: boolean): Place {
  const sent = place.sent.flatMap(({ value, from }) =>
    isJsonArray(value)
      ? value.slice(index, onwards ? undefined : index + 1).map((item) => ({ value: item, from }))
      : [],
  );
  return below(place, keywordAt(place, ...tokens), { kind: 'item', index }, sent, false);
}

function below(place: Place, pointer: string, step: Step, sent: readonly Sent[], isOmitted: boolean): Place {
  return { pointer, steps: [...place.steps, step], depth: place.depth + 1, sent, isOmitted };
}

/** Another schema for the same value. */
export const inPlace = (place: Place, tokens: readonly string[], step?: Step): Place => ({
  ...place,
  pointer: keywordAt(place, ...tokens),
  steps: step === undefined ? place.steps : [...place.steps, step],
  depth: place.depth + 1,
});
