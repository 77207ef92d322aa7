import { isJsonObject, type JsonObject, type JsonValue, member } from '../../json/json-value.ts';
import type { CallRecord } from '../../recording/observation.ts';
import type { Recording } from '../../recording/recording.ts';
import { isTextDigest } from '../../recording/text-digest.ts';
import { nameOf, withResult, withTools } from './change-recording.ts';
import { type Drift, ofRecording } from './drift.ts';
import { propertiesOf, requiredOf, without, withProperty, withRequired } from './schema-facts.ts';

/** Drifts in which what was recorded decides what changes: arguments that were sent, fields that came. */

const toolOf = (recording: Recording, { tool }: CallRecord): JsonObject | undefined =>
  recording.contract.list?.tools.find((one) => nameOf(one) === tool);

/** Changes a schema of the first called tool that `change` has an answer for. */
function withSchemaOfCall(
  recording: Recording,
  key: 'inputSchema' | 'outputSchema',
  change: (schema: JsonObject, call: CallRecord) => JsonObject | null,
): Recording | null {
  for (const call of recording.contract.calls) {
    const tool = toolOf(recording, call);
    const schema = member(tool, key);
    const changed = isJsonObject(schema) ? change(schema, call) : null;
    if (changed !== null)
      return withTools(recording, (tools) => tools.map((one) => (one === tool ? { ...one, [key]: changed } : one)));
  }
  return null;
}

const structuredOf = ({ outcome }: CallRecord): JsonObject | null => {
  const structured = outcome.kind === 'result' ? member(outcome.result, 'structuredContent') : undefined;
  return isJsonObject(structured) && !isTextDigest(structured) ? structured : null;
};

const isScalar = (value: JsonValue | undefined): boolean =>
  typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number';

const sent: readonly Drift[] = [
  ofRecording(
    {
      rule: 'input-recording-invalid',
      story: 'An argument that is sent, and was not listed, has to be something else.',
      needs: 'call with an argument that its schema does not list',
      others: ['input-property-optional-added'],
    },
    (recording) =>
      withSchemaOfCall(recording, 'inputSchema', (schema, { arguments: args }) => {
        const additional = member(schema, 'additionalProperties');
        const name = Object.keys(args).find((one) => !Object.hasOwn(propertiesOf(schema), one));
        return name === undefined || (additional !== undefined && additional !== true)
          ? null
          : withProperty(schema, name, { type: 'null' });
      }),
  ),
];

const promised: readonly Drift[] = [
  ofRecording(
    {
      rule: 'output-recording-invalid',
      story: 'A value that came is excluded by what is declared.',
      needs: 'structured result with a field that its tool declares',
      others: ['output-not-added', 'result-schema-violation'],
    },
    (recording) =>
      withSchemaOfCall(recording, 'outputSchema', (schema, call) => {
        const structured = structuredOf(call) ?? {};
        const name = Object.keys(propertiesOf(schema)).find(
          (one) => isScalar(structured[one]) && isJsonObject(propertiesOf(schema)[one]),
        );
        const property = name === undefined ? undefined : propertiesOf(schema)[name];
        return name === undefined || !isJsonObject(property)
          ? null
          : withProperty(schema, name, { ...property, not: { const: structured[name] ?? null } });
      }),
  ),
  ofRecording(
    {
      rule: 'result-schema-violation',
      story: 'A server declares more than it returns.',
      needs: 'structured result of a tool that declares one',
      others: ['output-bound-tightened', 'output-recording-invalid'],
    },
    (recording) =>
      withSchemaOfCall(recording, 'outputSchema', (schema, call) =>
        structuredOf(call) === null ? null : { ...schema, minProperties: 1_000 },
      ),
  ),
  ofRecording(
    {
      rule: 'result-schema-violation-recorded',
      story: 'A field is neither declared to come any more, nor does it.',
      needs: 'structured result with a field that its tool promises',
      others: ['output-property-became-optional', 'result-shape-member-removed', 'result-text-structured-mismatch'],
    },
    (recording) => {
      const missing = recording.contract.calls.find((call) => promisedField(recording, call) !== undefined);
      const name = missing === undefined ? undefined : promisedField(recording, missing);
      if (missing === undefined || name === undefined) return null;
      const declared = withSchemaOfCall(recording, 'outputSchema', (schema, call) =>
        call === missing
          ? withRequired(
              schema,
              requiredOf(schema).filter((one) => one !== name),
            )
          : null,
      );
      return declared === null ? null : withoutField(declared, missing, name);
    },
  ),
];

/** A field that is declared required and came. */
function promisedField(recording: Recording, call: CallRecord): string | undefined {
  const schema = member(toolOf(recording, call), 'outputSchema');
  const structured = structuredOf(call);
  return structured === null ? undefined : requiredOf(schema ?? null).find((name) => Object.hasOwn(structured, name));
}

const withoutField = (recording: Recording, missing: CallRecord, name: string): Recording | null =>
  withResult(recording, (result, call) => {
    const structured = structuredOf(call);
    return call.tool !== missing.tool || call.case !== missing.case || structured === null
      ? null
      : { ...result, structuredContent: without(structured, name) };
  });

export const promiseDrifts: readonly Drift[] = [...sent, ...promised];
