import type { Change } from '../../findings/finding.ts';
import { isJsonObject, type JsonObject, type JsonValue, member } from '../../json/json-value.ts';
import type { SchemaValidator } from '../../schemas/schema-validator.ts';
import { type Comparison, nameOfTool, type ToolPair } from '../comparison.ts';
import { type Found, orNull, pick, toolChange } from '../found.ts';
import { isEqual } from '../is-equal.ts';
import { findInvalid } from '../schema/check-structure.ts';
import { compareSchemas, proveSchemaChanges, type SchemaPair } from '../schema/compare-schemas.ts';
import { openDocument } from '../schema/schema-document.ts';
import { unmarkedDialect } from '../unmarked-dialect.ts';
import { hasMirroredHeaders, withoutMirroredHeaders } from './mirrored-headers.ts';

/** Both schemas of a tool: whether they are there, and what their difference means for callers and readers. */
export async function compareToolSchemas(
  pair: ToolPair,
  comparison: Comparison,
  validator: SchemaValidator,
): Promise<readonly Found[]> {
  return [...(await compareInput(pair, comparison, validator)), ...(await compareOutput(pair, comparison, validator))];
}

async function compareInput(
  { name, before, after }: ToolPair,
  comparison: Comparison,
  validator: SchemaValidator,
): Promise<readonly Found[]> {
  const [from, to] = [member(before, 'inputSchema'), member(after, 'inputSchema')];
  if (isEqual(from, to)) return [];
  const missing = isObjectRoot(to) || !isObjectRoot(from) ? [] : [missingInput(name, from, to)];
  if (!isSchema(from) || !isSchema(to)) return missing;
  const recorded = comparison.recording.contract.calls
    .filter((call) => call.tool === name)
    .map((call) => call.arguments);
  return [...missing, ...(await compareDirection('input', name, [from, to], recorded, comparison, validator))];
}

async function compareOutput(
  { name, before, after }: ToolPair,
  comparison: Comparison,
  validator: SchemaValidator,
): Promise<readonly Found[]> {
  const [from, to] = [member(before, 'outputSchema'), member(after, 'outputSchema')];
  if (isEqual(from, to)) return [];
  const change = { pointer: '/outputSchema', before: orNull(from), after: orNull(to) };
  const root = judgeOutputRoot(name, from, to, comparison);
  // A library that begins to describe results does so for every tool, each with words of its own: one cause.
  if (!isThere(from))
    return isThere(to) ? [...root, toolChange(name, 'tool-output-schema-added', { ...change, kin: 'added' })] : [];
  if (!isThere(to)) return [toolChange(name, 'tool-output-schema-removed', { ...change, kin: 'removed' })];
  if (!isSchema(from) || !isSchema(to)) return root;
  return [
    ...root,
    ...(await compareDirection('output', name, [from, to], recordedResults(name, comparison), comparison, validator)),
  ];
}

/** `structuredContent` of the recorded successes: what a reader has come to expect. */
const recordedResults = (name: string, { recording }: Comparison): readonly JsonValue[] =>
  recording.contract.calls.flatMap(({ tool, outcome }) => {
    if (tool !== name || outcome.kind !== 'result' || member(outcome.result, 'isError') === true) return [];
    const structured = member(outcome.result, 'structuredContent');
    return structured === undefined ? [] : [structured];
  });

async function compareDirection(
  direction: 'input' | 'output',
  tool: string,
  [from, to]: readonly [JsonValue, JsonValue],
  recorded: readonly JsonValue[],
  { budget }: Comparison,
  validator: SchemaValidator,
): Promise<readonly Found[]> {
  const bare = (schema: JsonValue): JsonValue => (hasMirroredHeaders(schema) ? withoutMirroredHeaders(schema) : schema);
  const pair: SchemaPair = {
    direction,
    tool,
    before: bare(from),
    after: bare(to),
    dialect: unmarkedDialect,
    recorded,
    budget,
  };
  const changes: readonly Change[] = compareSchemas(pair);
  return proveSchemaChanges(pair, changes, validator);
}

/** What a tool that was not there before does to clients that read the whole list. */
export function judgeNewSchemas(tool: JsonObject, comparison: Comparison): readonly Found[] {
  const name = nameOfTool(tool);
  const [input, output] = [member(tool, 'inputSchema'), member(tool, 'outputSchema')];
  return [
    ...(isObjectRoot(input) ? [] : [missingInput(name, undefined, input)]),
    ...judgeOutputRoot(name, undefined, output, comparison),
    ...invalidParts(name, 'input', input),
    ...invalidParts(name, 'output', output),
  ];
}

function invalidParts(name: string, direction: 'input' | 'output', schema: JsonValue | undefined): readonly Found[] {
  if (!isSchema(schema)) return [];
  return findInvalid(openDocument(schema, unmarkedDialect.after), 1).map((pointer) =>
    toolChange(name, `${direction}-schema-invalid`, {
      pointer: `/${direction}Schema${pointer}`,
      after: orNull(partAt(schema, pointer)),
    }),
  );
}

const partAt = (schema: JsonValue, pointer: string): JsonValue | undefined =>
  pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<JsonValue | undefined>(
      (value, token) => (Array.isArray(value) ? value[Number(token)] : member(value, token)),
      schema,
    );

const missingInput = (name: string, before: JsonValue | undefined, after: JsonValue | undefined): Found =>
  toolChange(name, 'tool-input-schema-missing', {
    pointer: '/inputSchema',
    before: rootOf(before),
    after: rootOf(after),
  });

/** What a schema says about its root, so that one fault of a library on many tools is one change. */
const rootOf = (schema: JsonValue | undefined): JsonValue =>
  isJsonObject(schema) ? pick(schema, ['$schema', 'type']) : orNull(schema);

/** Handshake revisions that know `outputSchema` want an object at its root; SDK clients refuse the list otherwise. */
function judgeOutputRoot(
  name: string,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  { observation }: Comparison,
): readonly Found[] {
  if (
    observation.era !== 'handshake' ||
    !isThere(after) ||
    isObjectRoot(after) ||
    (isThere(before) && !isObjectRoot(before))
  )
    return [];
  return [
    toolChange(name, 'tool-output-schema-root', {
      pointer: '/outputSchema',
      before: orNull(before),
      after: orNull(after),
    }),
  ];
}

const isThere = (schema: JsonValue | undefined): schema is JsonValue => schema !== undefined && schema !== null;
const isSchema = (schema: JsonValue | undefined): schema is JsonValue =>
  isJsonObject(schema) || typeof schema === 'boolean';
const isObjectRoot = (schema: JsonValue | undefined): boolean =>
  isJsonObject(schema) && member(schema, 'type') === 'object';
