import { canonicalJson } from '../../json/canonical-json.ts';
import { parsePointer } from '../../json/json-pointer.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, member } from '../../json/json-value.ts';
import { writeJson } from '../../json/write-json.ts';
import { type ConsumerUse, casesOf } from '../../recording/consumer-use.ts';
import type { CallRecord } from '../../recording/observation.ts';
import { caseKey, type Recording } from '../../recording/recording.ts';
import type { AnswerShape, StringFormat } from '../../recording/result-shape.ts';
import { parseWholeText } from '../../recording/shape-blocks.ts';
import { isTextDigest } from '../../recording/text-digest.ts';
import type { RuleId } from '../../rules/catalogue.ts';
import { nameOf, toolsOf, withResult } from './change-recording.ts';
import { type Drift, type DriftFacts, ofRecording } from './drift.ts';
import { type ChangeValue, editFirst, type PinPaths, type ValuePlace } from './edit-value.ts';
import { requiredOf, without } from './schema-facts.ts';

const pinsOf = (use: ConsumerUse, call: CallRecord): PinPaths =>
  Object.keys(casesOf(use, call.tool).get(call.case)?.pins ?? {}).map((pointer) => parsePointer(pointer) ?? []);

const shapeOf = (recording: Recording, call: CallRecord): AnswerShape | null =>
  recording.shapes.get(caseKey(call.tool, call.case))?.success ?? null;

/** Whether a tool declares of what type a value is: then what is of another type is told as a broken promise. */
const isDeclared = ({ declared }: ValuePlace): boolean =>
  isJsonObject(declared) && Object.keys(declared).some((keyword) => telling.has(keyword));

const telling = new Set(['type', 'enum', 'const', 'anyOf', 'oneOf', 'allOf', '$ref']);

/** What follows where a declared result no longer holds. */
const declared: readonly RuleId[] = ['result-schema-violation'];

/** Changes the structured part of a result, and the text that is its copy. */
const ofStructured = (facts: DriftFacts, change: ChangeValue): Drift =>
  ofRecording({ others: declared, ...facts }, (recording, use) =>
    withResult(recording, (result, call) => {
      const structured = member(result, 'structuredContent');
      const shape = shapeOf(recording, call)?.structured?.shape;
      if (structured === undefined || shape === undefined) return null;
      const tool = toolsOf(recording).find((one) => nameOf(one) === call.tool);
      const known = { value: structured, shape, path: ['structuredContent'], declared: member(tool, 'outputSchema') };
      const changed = editFirst(known, pinsOf(use, call), change);
      return changed === undefined ? null : withCopies({ ...result, structuredContent: changed }, structured, changed);
    }),
  );

/** The text of a result that says the same as its structured part says it after the change, too. */
function withCopies(result: JsonObject, before: JsonValue, after: JsonValue): JsonObject {
  const content = member(result, 'content');
  if (!isJsonArray(content)) return result;
  const recorded = canonicalJson(before);
  return {
    ...result,
    content: content.map((block) => {
      const text = member(block, 'text');
      const json = typeof text === 'string' ? parseWholeText(text) : null;
      return json !== null && isJsonObject(block) && canonicalJson(json) === recorded
        ? { ...block, text: writeJson(after, { indent: 0 }) }
        : block;
    }),
  };
}

/** Changes a text that is JSON. */
const ofTextJson = (facts: DriftFacts, change: ChangeValue): Drift =>
  ofRecording(facts, (recording, use) =>
    withResult(recording, (result, call) => {
      const content = member(result, 'content');
      const shape = shapeOf(recording, call)?.kinds.get('text')?.json?.shape;
      if (!isJsonArray(content) || shape === undefined) return null;
      for (const [at, block] of content.entries()) {
        const text = member(block, 'text');
        const json = typeof text === 'string' ? parseWholeText(text) : null;
        if (json === null || !isJsonObject(block)) continue;
        const known = { value: json, shape, path: ['content', String(at), 'text'], declared: undefined };
        const changed = editFirst(known, pinsOf(use, call), change);
        if (changed === undefined) continue;
        const other = { ...block, text: writeJson(changed, { indent: 0 }) };
        return { ...result, content: content.map((one, index) => (index === at ? other : one)) };
      }
      return null;
    }),
  );

const removeMember: ChangeValue = (value, shape, { isPinned, declared }) => {
  if (!isJsonObject(value) || shape.kind !== 'object' || isTextDigest(value)) return undefined;
  const promised = requiredOf(declared ?? null);
  const name = Object.keys(value).find(
    (one) => shape.members.get(one)?.optional === false && !isPinned(one) && !promised.includes(one),
  );
  return name === undefined ? undefined : without(value, name);
};

/** Where another value stands for what is there; the outermost value is left alone. */
const ofInner =
  (change: ChangeValue): ChangeValue =>
  (value, shape, place) =>
    place.path.length < 2 || place.isPinned() ? undefined : change(value, shape, place);

/** The last step is no index: an item of a list is told by a rule of its own. */
const isMember = (path: readonly string[]): boolean => !/^\d+$/.test(path.at(-1) ?? '');

/** A text of digits may well be another text: only its type is a contract. */
const isNumeric = (format: StringFormat): boolean => format === 'decimal' || format === 'integer';

const isText = (value: JsonValue): boolean => typeof value === 'string' || isTextDigest(value);

export const shapeDrifts: readonly Drift[] = [
  ofStructured(
    {
      rule: 'result-shape-member-removed',
      story: 'A field of a result is gone.',
      needs: 'structured result with fields that always come and are not declared to',
    },
    removeMember,
  ),
  ofStructured(
    { rule: 'result-shape-member-added', story: 'A field of a result is new.', needs: 'structured result with fields' },
    (value, shape, { isPinned, declared }) =>
      isJsonObject(value) &&
      shape.kind === 'object' &&
      !isTextDigest(value) &&
      !isPinned('rehearsal') &&
      member(declared, 'additionalProperties') === undefined
        ? { ...value, rehearsal: true }
        : undefined,
  ),
  ofStructured(
    {
      rule: 'result-shape-type-changed',
      story: 'A field of a result has another type.',
      needs: 'structured result with a number or a truth value whose type is not declared',
    },
    ofInner((value, shape, place) =>
      isMember(place.path) &&
      !isDeclared(place) &&
      (shape.kind === 'number' || shape.kind === 'boolean') &&
      value !== null
        ? String(value)
        : undefined,
    ),
  ),
  ofStructured(
    {
      rule: 'result-shape-null-new',
      story: 'A field of a result is null.',
      needs: 'structured result with a field that never was null and whose type is not declared',
    },
    ofInner((value, shape, place) =>
      isMember(place.path) &&
      !isDeclared(place) &&
      value !== null &&
      ['string', 'number', 'boolean'].includes(shape.kind)
        ? null
        : undefined,
    ),
  ),
  ofStructured(
    {
      rule: 'result-shape-null-gone',
      story: 'A field of a result that was null is filled.',
      needs: 'structured result with a field that always was null',
    },
    ofInner((value, shape) => (value === null && shape.kind === 'null' ? 'something' : undefined)),
  ),
  ofStructured(
    {
      rule: 'result-shape-array-emptied',
      story: 'A list of a result is empty.',
      needs: 'structured result with a list that never was empty',
    },
    ofInner((value, shape) =>
      isJsonArray(value) && value.length > 0 && shape.kind === 'array' && shape.min > 0 ? [] : undefined,
    ),
  ),
  ofStructured(
    {
      rule: 'result-shape-array-filled',
      story: 'A list of a result that was empty is filled.',
      needs: 'structured result with a list that always was empty',
    },
    ofInner((value, shape) =>
      isJsonArray(value) && shape.kind === 'array' && shape.items === null ? ['something'] : undefined,
    ),
  ),
  ofStructured(
    {
      rule: 'result-shape-array-item-changed',
      story: 'An entry of a list of a result is of another kind.',
      needs: 'structured result with a list of one kind of entries',
    },
    ofInner((value, shape) => {
      const kind = shape.kind === 'array' ? shape.items?.kind : undefined;
      if (!isJsonArray(value) || value.length === 0 || kind === undefined || ['any', 'union'].includes(kind))
        return undefined;
      return [...value, kind === 'boolean' ? 'true' : true];
    }),
  ),
  ofStructured(
    {
      rule: 'result-number-became-fractional',
      story: 'A number of a result has a fraction.',
      needs: 'structured result with a number that always was whole',
    },
    ofInner((value, shape, { declared }) =>
      typeof value === 'number' &&
      shape.kind === 'number' &&
      !shape.fractional &&
      member(declared, 'type') !== 'integer'
        ? value + 0.5
        : undefined,
    ),
  ),
  ofStructured(
    {
      rule: 'result-string-format-lost',
      story: 'A date, an address or the like in a result is any text.',
      needs: 'structured result with a date, an address or the like',
    },
    ofInner((value, shape) =>
      isText(value) && shape.kind === 'string' && shape.format !== null && !isNumeric(shape.format)
        ? 'on request'
        : undefined,
    ),
  ),
  ofTextJson(
    {
      rule: 'result-text-json-shape-changed',
      story: 'A field of the JSON in a text is gone.',
      needs: 'result with a text that is JSON with fields that always come',
      others: ['result-text-structured-mismatch'],
    },
    removeMember,
  ),
  ofTextJson(
    {
      rule: 'result-text-structured-mismatch',
      story: 'The text of a result says something else than its structured part.',
      needs: 'result with a text that is the copy of its structured part',
      others: ['result-text-json-shape-changed'],
    },
    (value, shape, { isPinned }) =>
      isJsonObject(value) && shape.kind === 'object' && !isPinned('rehearsal')
        ? { ...value, rehearsal: true }
        : undefined,
  ),
];
