import { describe, expect, it } from 'vitest';
import { compareSchemas } from '../../src/compare/schema/compare-schemas.ts';
import { isJsonObject, type JsonObject, type JsonValue, member } from '../../src/json/json-value.ts';
import { parseJson } from '../../src/json/parse-json.ts';
import { targetLimits } from '../../src/limits.ts';
import { caseKey } from '../../src/recording/recording.ts';
import { deriveShape } from '../../src/recording/shape-derive.ts';
import { type RuleId, ruleOf, rules } from '../../src/rules/catalogue.ts';
import { exampleOfRule } from '../../src/rules/examples/example-of-rule.ts';
import { call, contract, handshake, judge, list, plainCase, type Sides } from '../compare/sides.ts';
import { createDirectValidator } from '../helpers/in-process-validator.ts';

const parsed = (text: string): JsonObject | null => {
  const read = parseJson(text, targetLimits);
  return read.ok && isJsonObject(read.value) ? read.value : null;
};

type Part = 'recording' | 'observation';

/** An error, a member of the wire, or something that only time shows: nothing two sides of a comparison hold. */
const isOfWire = (text: string): boolean => {
  const value = parsed(text);
  return value === null || value.jsonrpc !== undefined || value.result !== undefined;
};

const bare = (members: JsonObject): JsonObject => ({
  inputSchema: { type: 'object' },
  ...members,
  name: typeof members.name === 'string' ? members.name : 'check',
});
const isList = (value: JsonObject): boolean =>
  ['tools', 'ttlMs', 'cacheScope', 'nextCursor'].some((key) => key in value);

/** One side of a comparison, as an example of the area shows it. */
function sideOf(rule: RuleId, value: JsonObject): Sides[Part] {
  const { area } = ruleOf(rule);
  switch (area) {
    case 'init':
      return { contract: contract({ handshake: handshake(value, { offered: '2025-11-25' }) }) };
    case 'annotation':
      return side([bare({ description: nameOf(value), ...only(value, ['name']), annotations: hintsOf(value) })]);
    case 'list': {
      if (!isList(value)) return side([bare(value)]);
      const { tools = [], nextCursor, ...members } = value;
      const entries = (tools as readonly JsonValue[]).map((one) => (isJsonObject(one) ? bare(one) : one));
      const pages = nextCursor === undefined ? 1 : 2;
      return { contract: contract({ list: list(entries, { pages, members }), calls: [] }) };
    }
    default:
      return resultSide(value);
  }
}

const nameOf = (value: JsonObject): string => String(member(value, 'description') ?? '');
const only = (value: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([key]) => names.includes(key)));
const hintsOf = (value: JsonObject): JsonValue => member(value, 'annotations') ?? value;
const side = (tools: readonly JsonValue[]): Sides[Part] => ({ contract: contract({ list: list(tools), calls: [] }) });

/** A result, with the schema and the arguments that an example names beside it. */
function resultSide({ outputSchema, inputSchema, arguments: args, pins: _, ...result }: JsonObject): Sides[Part] {
  const error = member(result, 'error');
  const outcome = isJsonObject(error)
    ? { kind: 'error' as const, error: { code: Number(error.code), message: String(error.message) } }
    : {
        kind: 'result' as const,
        result: { ...(result.structuredContent === undefined ? {} : { content: [] }), ...result },
      };
  const tool = bare({
    ...(inputSchema === undefined ? {} : { inputSchema }),
    ...(outputSchema === undefined ? {} : { outputSchema }),
    annotations: { readOnlyHint: true, openWorldHint: false },
  });
  return {
    contract: contract({
      list: list([tool]),
      calls: [call('check', 'taken', { outcome, ...(isJsonObject(args) ? { arguments: args } : {}) })],
    }),
  };
}

function sidesOf(rule: RuleId, before: JsonObject, after: JsonObject): Sides {
  const recording = sideOf(rule, before) as NonNullable<Sides['recording']>;
  const [recorded] = recording.contract?.calls ?? [];
  const shapes =
    recorded?.outcome.kind === 'result'
      ? new Map([[caseKey(recorded.tool, recorded.case), deriveShape(recorded.outcome.result)]])
      : new Map();
  const pins = (member(before, 'pins') ?? {}) as never;
  return {
    recording: { ...recording, shapes },
    observation: sideOf(rule, after) as NonNullable<Sides['observation']>,
    use: {
      tools: new Map([
        ['check', { calls: { taken: { ...plainCase, pins } } }],
        ['whois', { calls: {} }],
      ]),
    },
  };
}

/** Schemas stand as they are, or as a member of an object. */
const rulesOfSchemas = (direction: 'input' | 'output', before: JsonValue, after: JsonValue): readonly RuleId[] =>
  [(schema: JsonValue) => schema, (p: JsonValue): JsonValue => ({ type: 'object', properties: { p } })].flatMap(
    (around) =>
      compareSchemas({
        direction,
        tool: 'check',
        before: around(before),
        after: around(after),
        dialect: { before: '2020-12', after: '2020-12' },
        recorded: [],
      }).map(({ rule }) => rule),
  );

describe('the example of each rule', () => {
  const shown = rules.map((rule) => ({ id: rule.id, ...exampleOfRule(rule.id) }));
  const comparable = shown.filter(({ before, after }) => !isOfWire(before) && !isOfWire(after));

  it.each(comparable.map((one) => [one.id, one] as const))('%s fires on it', async (id, { before, after }) => {
    const [from, to] = [parsed(before) ?? {}, parsed(after) ?? {}];
    const { area } = ruleOf(id);
    const isSchema = (area === 'input' || area === 'output') && !id.endsWith('-recording-invalid');
    const judged = isSchema ? null : await judge(sidesOf(id, from, to), createDirectValidator());
    const told =
      judged === null
        ? rulesOfSchemas(area as 'input' | 'output', from, to)
        : [...judged.findings, ...judged.canary].map(({ rule }) => rule);
    expect(told).toContain(id);
  });

  it('shows something of the wire for the others, and something else afterwards', () => {
    const others = shown.filter((one) => !comparable.includes(one));
    const areas = new Set(others.map(({ id }) => ruleOf(id).area));
    expect([...areas].sort()).toEqual(['annotation', 'init', 'list', 'result', 'run', 'transport']);
    expect(others.map(({ id }) => id).filter((id) => ['input', 'output'].includes(ruleOf(id).area))).toEqual([]);
    for (const { before, after } of shown) expect(before).not.toBe(after);
  });
});
