/** The step whose answer a body is. */
export type Step = 'initialize' | 'tools/list' | 'tools/call';

/** Ids of a client whose randomness is `fixedRandom`, where every step takes one request. */
export const idOf: Readonly<Record<Step, number>> = {
  initialize: 500_002,
  'tools/list': 500_003,
  'tools/call': 500_004,
};

export interface CorpusBody {
  readonly name: string;
  readonly step: Step;
  /** null: no Content-Type. */
  readonly type: string | null;
  readonly text: string;
  /** What comes of the step: `answered`, `error`, or a class of failure. */
  readonly gives: string;
}

const json = 'application/json';
const sse = 'text/event-stream';

const answerTo = (step: Step, result: unknown, more: object = {}): string =>
  JSON.stringify({ jsonrpc: '2.0', id: idOf[step], result, ...more });
const errorTo = (step: Step, code: number, message: string, data?: unknown): string =>
  JSON.stringify({ jsonrpc: '2.0', id: idOf[step], error: { code, message, ...(data === undefined ? {} : { data }) } });
const notification = (method: string, params: object = {}): string =>
  JSON.stringify({ jsonrpc: '2.0', method, params });
const event = (data: string): string => `event: message\ndata: ${data}\n\n`;

const hello = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: { listChanged: false } },
  serverInfo: { name: 'zürich', version: '1.0' },
};
const echo = {
  name: 'echo',
  inputSchema: { type: 'object' },
  annotations: { readOnlyHint: true, destructiveHint: false },
};
const handshake = answerTo('initialize', hello);
const list = answerTo('tools/list', { tools: [echo] });
const prettyList = JSON.stringify(JSON.parse(list), null, 1);
const said = answerTo('tools/call', {
  content: [{ type: 'text', text: 'Zürich \u{1f600} \u2028id: x\u2028data: y \ufeff' }],
});

const nested = (depth: number): unknown => (depth === 0 ? { type: 'string' } : { items: nested(depth - 1) });
const dataLines = (text: string, end: string): string =>
  text
    .split('\n')
    .map((line) => `data: ${line}${end}`)
    .join('');

type Row = readonly [name: string, type: string | null, text: string, gives: string];

const handshakes: readonly Row[] = [
  ['a handshake', json, handshake, 'answered'],
  [
    'a handshake, pretty, CRLF, a mark in front',
    json,
    `\ufeff${JSON.stringify(JSON.parse(handshake), null, 2).replaceAll('\n', '\r\n')}\r\n`,
    'answered',
  ],
  ['a handshake in an event', sse, event(handshake), 'answered'],
  [
    'a handshake behind a priming event, CRLF',
    sse,
    `id: s1:0\r\nretry: 1000\r\ndata:\r\n\r\nid: s1:1\r\ndata: ${handshake}\r\n\r\n`,
    'answered',
  ],
  ['a handshake in a batch', json, `[${handshake}]`, 'answered'],
  ['a handshake with a digit string as id', json, handshake.replace('500002', '"500002"'), 'answered'],
  ['a handshake without jsonrpc', json, handshake.replace('"jsonrpc":"2.0",', ''), 'answered'],
  [
    'a handshake with large integers',
    json,
    answerTo('initialize', { ...hello, _meta: { at: 'N' } }).replace('"N"', '725653563933458433'),
    'answered',
  ],
  [
    'an error of the other era',
    json,
    errorTo('initialize', -32022, 'Unsupported', { supported: ['2026-07-28'] }),
    'error',
  ],
  ['an error without an id', json, '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no"}}', 'error'],
  ['a page', 'text/html', '\n<!doctype html><html><title>Sign in</title></html>', 'blocked'],
];

const lists: readonly Row[] = [
  ['a list', json, list, 'answered'],
  ['a list of nothing', json, answerTo('tools/list', { tools: [] }), 'answered'],
  [
    'a list of nothing in a stream, blanks in between',
    sse,
    event(answerTo('tools/list', { tools: [] }).replace('[]', '[ ]')),
    'answered',
  ],
  ['a list in an event, LF', sse, event(list), 'answered'],
  ['a list in an event, CR', sse, event(list).replaceAll('\n', '\r'), 'answered'],
  ['a list in an event, CRLF, comments', sse, `: hi\n\n${event(list)}: bye\n\n`.replaceAll('\n', '\r\n'), 'answered'],
  ['a list in an event, all line ends', sse, `: hello\r\n\r\nevent: message\rdata:${list}\r\n\n`, 'answered'],
  ['a list on many data lines', sse, `${dataLines(prettyList, '\n')}\n`, 'answered'],
  ['a list on many data lines, CRLF', sse, `${dataLines(prettyList, '\r\n')}\r\n`, 'answered'],
  ['a list behind a mark', sse, `\ufeff${event(list)}`, 'answered'],
  ['a list in an event without its type and blank', sse, `data:${list}\n\n`, 'answered'],
  [
    'a list behind notifications',
    sse,
    `${event(notification('notifications/progress', { progress: 1 }))}${event(notification('notifications/message'))}${event(list)}`,
    'answered',
  ],
  [
    'a list behind a ping with our id',
    sse,
    `${event(JSON.stringify({ jsonrpc: '2.0', id: idOf['tools/list'], method: 'ping' }))}${event(list)}`,
    'answered',
  ],
  [
    'a list behind a request for sampling',
    sse,
    `${event('{"jsonrpc":"2.0","id":"s","method":"sampling/createMessage"}')}${event(list)}`,
    'answered',
  ],
  ['a list that changed', sse, `${event(notification('notifications/tools/list_changed'))}${event(list)}`, 'answered'],
  ['a list in an event without an end', sse, `data: ${list}`, 'answered'],
  ['a list in an event with one line end', sse, `id: e1\ndata: ${list}\r`, 'answered'],
  ['a list labelled a stream', sse, ` ${list}`, 'answered'],
  ['a stream without a label', null, event(list), 'answered'],
  ['a list with a cursor', json, answerTo('tools/list', { tools: [echo], nextCursor: 'two' }), 'answered'],
  ['a list with an empty cursor', json, answerTo('tools/list', { tools: [echo], nextCursor: '' }), 'answered'],
  ['a list with null as cursor', json, answerTo('tools/list', { tools: [echo], nextCursor: null }), 'answered'],
  [
    'a list with entries that are none',
    json,
    answerTo('tools/list', { tools: [null, 5, {}, echo, echo, { name: '' }] }),
    'answered',
  ],
  [
    'a list with names that are no data',
    json,
    list.replace('"type"', '"__proto__":{"x":1},"constructor":[],"type"'),
    'answered',
  ],
  ['a list with repeated names', json, list.replace('"name"', '"name":"other","name"'), 'answered'],
  [
    'a list with a deep schema',
    json,
    answerTo('tools/list', { tools: [{ ...echo, inputSchema: nested(30) }] }),
    'answered',
  ],
  ['a list with halves of characters', json, list.replace('"echo"', '"\\ud83decho\\u0000\\u202e"'), 'answered'],
  ['a list that is null', json, answerTo('tools/list', { tools: null }), 'protocol'],
  ['an answer to somebody else', sse, event(list.replace('500003', '7')), 'protocol'],
  [
    'an event of another type, then one that is no JSON',
    sse,
    `event: ping\ndata: 1\n\ndata: hello\n\n${event(list)}`,
    'answered',
  ],
  ['a stream of comments', sse, ': hb\n\n: hb\n\n', 'protocol'],
];

const results: readonly Row[] = [
  ['a result', json, said, 'answered'],
  ['a result in a stream with heartbeats', sse, `: hb\n\nid: 1\n${event(said)}: hb\n\n`, 'answered'],
  [
    'a result with JSON in its text',
    json,
    answerTo('tools/call', { content: [{ type: 'text', text: JSON.stringify({ a: '"\\é', tools: [] }) }] }),
    'answered',
  ],
  [
    'a result with numbers that no double holds',
    json,
    answerTo('tools/call', { content: [], structuredContent: { n: 'N' } }).replace(
      '"N"',
      '[9007199254740993,1e400,-0,1.0]',
    ),
    'answered',
  ],
  ['an error with data', json, errorTo('tools/call', -32602, 'Falsch: ü', { at: ['/x', 1] }), 'error'],
  ['a result that is cut', json, said.slice(0, 60), 'protocol'],
  ['a result that is cut in an event', sse, `id: e1\ndata: ${said.slice(0, 60)}`, 'stream-cut'],
  ['a text', 'text/plain', 'upstream connect error', 'protocol'],
];

const of = (step: Step, rows: readonly Row[]): readonly CorpusBody[] =>
  rows.map(([name, type, text, gives]) => ({ name, step, type, text, gives }));

/** Fifty answers as servers send them, right and wrong. */
export const corpus: readonly CorpusBody[] = [
  ...of('initialize', handshakes),
  ...of('tools/list', lists),
  ...of('tools/call', results),
];
