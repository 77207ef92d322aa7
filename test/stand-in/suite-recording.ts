import type { JsonObject } from '../../src/json/json-value.ts';
import type { CallRecord } from '../../src/recording/observation.ts';
import type { Recording } from '../../src/recording/recording.ts';
import { overJson, recordingOf } from './recordings.ts';

/** The tools that the official conformance suite asks a server for, as far as they need nothing but `tools/call`. */

const S = { type: 'string' };
const text = (words: string): JsonObject => ({ type: 'text', text: words });
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const silence = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';
const image: JsonObject = { type: 'image', data: pixel, mimeType: 'image/png' };
const embedded = (words: string): JsonObject => ({
  type: 'resource',
  resource: { uri: 'test://embedded-resource', mimeType: 'text/plain', text: words },
});

const results: Readonly<Record<string, JsonObject>> = {
  test_simple_text: { content: [text('Some text.')] },
  test_image_content: { content: [image] },
  test_audio_content: { content: [{ type: 'audio', data: silence, mimeType: 'audio/wav' }] },
  test_embedded_resource: { content: [embedded('What is in it.')] },
  test_multiple_content_types: { content: [text('Several kinds:'), image, embedded('{"test":"data","value":123}')] },
  test_error_handling: { content: [text('It always fails.')], isError: true },
  test_structured: { content: [text('{"free":true}')], structuredContent: { free: true } },
};

/** What the suite wants to see kept of a schema. */
const keptSchema: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: { $anchor: 'addressDef', type: 'object', properties: { street: S, city: S } },
  },
  properties: {
    name: S,
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: S,
    email: S,
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

const tools: readonly JsonObject[] = [
  ...Object.keys(results).map((name) => ({
    name,
    description: `Answers ${name.slice(5).replaceAll('_', ' ')}.`,
    inputSchema: { type: 'object', properties: {} },
    annotations: { readOnlyHint: true },
    ...(name === 'test_structured'
      ? { outputSchema: { type: 'object', properties: { free: { type: 'boolean' } }, required: ['free'] } }
      : {}),
  })),
  { name: 'json_schema_2020_12_tool', description: 'Has a schema of many words.', inputSchema: keptSchema },
  {
    name: 'test_custom_header',
    description: 'Has an argument that is repeated in a header.',
    inputSchema: { type: 'object', properties: { region: { ...S, 'x-mcp-header': 'Region' } }, required: ['region'] },
  },
];

const call = (tool: string, name: string, args: JsonObject, result: JsonObject): CallRecord => ({
  tool,
  case: name,
  arguments: args,
  outcome: { kind: 'result', result },
  transport: overJson,
});

/** What the suite sends in an argument that a header repeats: plain, and what only looks like base64. */
const regions = ['Hello', 'SGVsbG8=', '=?base64?SGVsbG8='];

const calls: readonly CallRecord[] = [
  ...Object.entries(results).map(([tool, result]) => call(tool, 'plain', {}, result)),
  call('json_schema_2020_12_tool', 'plain', {}, { content: [text('Nothing was given.')] }),
  ...regions.map((region, at) => call('test_custom_header', `region-${at}`, { region }, { content: [text(region)] })),
];

const plain = recordingOf({ target: 'suite', revision: '2025-11-25' }, calls);

export const suiteRecording: Recording = {
  ...plain,
  contract: {
    handshake: plain.contract.handshake && {
      ...plain.contract.handshake,
      offered: '2025-11-25',
      result: {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: 'suite-server', version: '1.0.0' },
      },
    },
    list: plain.contract.list && { ...plain.contract.list, tools },
    calls,
  },
};
