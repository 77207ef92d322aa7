import { isJsonObject, type JsonObject, member } from '../../json/json-value.ts';
import type { RuleId } from '../../rules/catalogue.ts';
import { hasWords, withTool } from './change-recording.ts';
import { type Drift, ofRecording } from './drift.ts';
import { placesIn, replaceAt } from './walk-schema.ts';

/** What an edit knows of the place it is tried at. */
export interface EditPlace {
  readonly isRoot: boolean;
  readonly isInput: boolean;
  /** The whole schema. */
  readonly root: JsonObject;
}

/** null where the schema has nothing that this could happen to. */
export type ChangeSchema = (schema: JsonObject, place: EditPlace) => JsonObject | null;

/** One change of a schema, and what it is for what we send and for what we read. */
export interface SchemaEdit {
  readonly input?: RuleId;
  readonly output?: RuleId;
  /** A sentence; `{It}` is the argument, or the field of the declared result. */
  readonly story: string;
  /** A noun without an article; `{it}` (several: `{its}`) as above, `{all}` is the list of arguments or the declared result. */
  readonly needs: string;
  /** About words: a recording that was put together from elsewhere holds no server to them. */
  readonly isWording?: boolean;
  readonly change: ChangeSchema;
  /** Beside the rule of `input`. */
  readonly inputOthers?: readonly RuleId[];
  /** Beside the rule of `output`. */
  readonly outputOthers?: readonly RuleId[];
}

/** The drifts of an edit: of the first watched tool, and the first place in its schema, that it can happen to. */
export const driftsOf = (edit: SchemaEdit): readonly Drift[] => [
  ...(edit.input === undefined ? [] : [driftOf(edit, edit.input, 'inputSchema', edit.inputOthers ?? [])]),
  ...(edit.output === undefined ? [] : [driftOf(edit, edit.output, 'outputSchema', edit.outputOthers ?? [])]),
];

function driftOf(
  { story, needs, change, isWording = false }: SchemaEdit,
  rule: RuleId,
  key: 'inputSchema' | 'outputSchema',
  others: readonly RuleId[],
): Drift {
  const isInput = key === 'inputSchema';
  const facts = {
    rule,
    story: story.replace('{It}', isInput ? 'An argument' : 'A field of the declared result'),
    needs: needs
      .replace('{its}', isInput ? 'arguments' : 'fields of a declared result')
      .replace('{it}', isInput ? 'argument' : 'field of a declared result')
      .replace('{all}', isInput ? 'list of arguments' : 'declared result'),
    others,
  };
  return ofRecording(facts, (recording, use) => {
    if (isWording && !hasWords(recording)) return null;
    return withTool(recording, use, (tool) => {
      const root = member(tool, key);
      const changed = isJsonObject(root) ? editFirst(root, change, isInput) : null;
      return changed === null ? null : { ...tool, [key]: changed };
    });
  });
}

function editFirst(root: JsonObject, change: ChangeSchema, isInput: boolean): JsonObject | null {
  for (const { path, schema } of placesIn(root)) {
    const changed = change(schema, { isRoot: path.length === 0, isInput, root });
    if (changed !== null) return replaceAt(root, path, changed) as JsonObject; // an object at the root stays one
  }
  return null;
}

/** The first of several changes that can happen. */
export const firstOf =
  (...changes: readonly ChangeSchema[]): ChangeSchema =>
  (schema, place) => {
    for (const change of changes) {
      const changed = change(schema, place);
      if (changed !== null) return changed;
    }
    return null;
  };
