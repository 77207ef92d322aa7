import { describe, expect, it } from 'vitest';
import { findMisframing } from '../../src/client/transports/stdio-framing.ts';
import { isJsonObject, member } from '../../src/json/json-value.ts';
import { parseJson } from '../../src/json/parse-json.ts';
import { targetLimits } from '../../src/limits.ts';

const answer = { jsonrpc: '2.0', id: 7, result: { tools: [{ name: 'a"}{', inputSchema: {} }] } };
const flat = JSON.stringify(answer);
const spread = JSON.stringify(answer, null, 2).split('\n');
const options = {
  parse: (text: string) => {
    const parsed = parseJson(text, targetLimits);
    return parsed.ok ? parsed.value : null;
  },
  isAnswer: (value: Parameters<typeof member>[0]) =>
    isJsonObject(value) && member(value, 'id') === 7 && Object.hasOwn(value, 'result'),
};

describe('misframed messages', () => {
  it.each<[string, readonly string[], string | null, boolean?]>([
    ['a length header in front', ['Content-Length: 90\r', '\r', flat], 'content-length', true],
    ['a length header behind the message before', [`${flat}content-length: 12\r`], 'content-length', true],
    ['a length header alone', ['Content-Length: 90'], 'content-length', false],
    ['JSON over lines', spread, 'spread-over-lines', true],
    [
      'JSON over lines, among others and indented',
      ['starting', ...spread.map((line) => `  ${line}`), 'done'],
      'spread-over-lines',
      true,
    ],
    ['JSON over lines that was never ended', spread.slice(0, 4), 'spread-over-lines', false],
    ['a banner in front', [`Server ready${flat}`], 'glued', true],
    ['braces in front', [`{cfg} {"a": 1 ${flat}`], 'glued', true],
    ['another message in front', [`{"jsonrpc":"2.0","method":"x","params":{"a":{}}}${flat}`], 'glued', true],
    ['something behind', [`${flat} ok`], 'glued', true],
    ['a banner', ['Server v2 ready', '[INFO] {"a":1}', '{cfg}', '{"level":"info"}', '', '42'], null],
    ['our own request, logged', [`DEBUG {"jsonrpc":"2.0","id":7,"method":"tools/list"}`], null],
    ['our id in a text', ['INFO: handling {"id": 7, "result": 2', '"id":7'], null],
    ['another answer inside a log line', ['sent {"jsonrpc":"2.0","id":6,"result":{}}'], null],
    ['an object of a logger over lines', ['{', '  "id": 7,', '  "msg": "x"'], null],
    ['an answer within a whole object', [`log {"sent":${flat}}`], null],
    ['nothing', [], null],
  ])('%s', (_, lines, framing, isWhole) => {
    expect(findMisframing(lines, options)).toEqual(framing === null ? null : { framing, isWhole });
  });

  it.each([
    ['openings without end', '{"'.repeat(500_000)],
    ['small objects', '{"a":{}}'.repeat(100_000)],
    ['many lines of openings', Array.from({ length: 1_000 }, () => '{').join('\n')],
  ])('cost little: %s', (_, text) => {
    const start = performance.now();
    findMisframing(text.split('\n'), options);
    expect(performance.now() - start).toBeLessThan(2_000);
  });
});
