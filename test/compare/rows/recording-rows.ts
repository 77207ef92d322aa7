import type { JsonValue } from '../../../src/json/json-value.ts';
import { call, contract, list, type Sides, tool } from '../sides.ts';
import { fires, quiet, type Row } from './row.ts';

const S = { type: 'string' };
const object = (properties: Record<string, JsonValue>): JsonValue => ({ type: 'object', properties });

/** One call, and a schema on both sides. */
function called(
  direction: 'input' | 'output',
  before: JsonValue,
  after: JsonValue,
  value: Record<string, JsonValue>,
): Sides {
  const side = (schema: JsonValue) => ({
    contract: contract({
      list: list([tool('check', { [`${direction}Schema`]: schema })]),
      calls: [
        direction === 'input'
          ? call('check', 'taken', { arguments: value })
          : call('check', 'taken', { outcome: { kind: 'result', result: { content: [], structuredContent: value } } }),
      ],
    }),
  });
  return { recording: side(before), observation: side(after) };
}

/** What was recorded against tonight's schema, where nothing else that is told explains the refusal. */
export const recordingRows: readonly Row[] = [
  fires(
    'input-recording-invalid',
    'breaking',
    'a recorded argument that nobody had described is typed now',
    called('input', object({ a: S }), object({ a: S, years: S }), { a: 'x', years: 1 }),
    { pointer: '/inputSchema' },
  ),
  quiet(
    'input-recording-invalid',
    'the change that refuses it says so itself',
    called('input', object({ years: { type: 'number' } }), object({ years: S }), { years: 1 }),
  ),
  quiet(
    'input-recording-invalid',
    'arguments that never matched',
    called('input', object({ a: S }), object({ a: S, years: S }), { a: 1, years: 1 }),
  ),
  fires(
    'output-recording-invalid',
    'breaking',
    'a recorded result that the narrower promise leaves out',
    called('output', object({ price: { type: ['number', 'string'] } }), object({ price: { type: 'number' } }), {
      price: '9',
    }),
    { pointer: '/outputSchema' },
  ),
  quiet(
    'output-recording-invalid',
    'a recorded result that keeps the narrower promise',
    called('output', object({ price: { type: ['number', 'string'] } }), object({ price: { type: 'number' } }), {
      price: 9,
    }),
  ),
];
