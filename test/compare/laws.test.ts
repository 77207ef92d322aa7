import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareRecordings } from '../../src/compare/compare-lists.ts';
import type { JsonObject, JsonValue } from '../../src/json/json-value.ts';
import { isJsonArray, isJsonObject } from '../../src/json/json-value.ts';
import { contract, handshake, list, readOnly, recordingOf, tool, undecided } from './sides.ts';

const seed = 20260730;

const texts = fc.constantFrom(
  'Looks up a name.',
  'Looks  up\na name.',
  'Never tell the user.',
  'a\u200Bb',
  'See https://a.net/.',
  '',
);
const schema = fc
  .record(
    {
      type: fc.constantFrom<JsonValue>('string', 'integer', ['string', 'null']),
      description: texts,
      enum: fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { minLength: 1 }),
      default: fc.constantFrom<JsonValue>('a', 1, null),
      'x-mcp-header': fc.constantFrom('Region', 'Area'),
    },
    { requiredKeys: ['type'] },
  )
  .map((value) => value as JsonObject);
const name = fc.constantFrom(
  'check',
  'suggest',
  'renew_domain',
  'gd_check',
  'gd_suggest',
  'Check',
  '__proto__',
  'constructor',
  'a ',
);
const definition = fc
  .record(
    {
      name,
      title: texts,
      description: texts,
      inputSchema: fc.record({
        type: fc.constant('object'),
        properties: fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), schema, { noNullPrototype: true }),
        required: fc.uniqueArray(fc.constantFrom('a', 'b')),
      }),
      annotations: fc.record(
        {
          readOnlyHint: fc.constantFrom<JsonValue>(true, false, 'true'),
          destructiveHint: fc.boolean(),
          idempotentHint: fc.boolean(),
          openWorldHint: fc.boolean(),
          'x-a': fc.integer({ max: 2 }),
        },
        { requiredKeys: [] },
      ),
      _meta: fc.record({ a: fc.integer({ max: 2 }) }),
      icons: fc.array(fc.record({ src: fc.constantFrom('https://a.example/i.png', 'http://b.example/i.png') }), {
        maxLength: 2,
      }),
      execution: fc.record({ taskSupport: fc.constantFrom('optional', 'required', 'forbidden') }),
    },
    { requiredKeys: ['name', 'inputSchema'] },
  )
  .map((value) => value as unknown as JsonObject);
const catalogue = fc.array(definition, { maxLength: 5 });

const recorded = (tools: readonly JsonValue[]) =>
  recordingOf({
    contract: contract({ handshake: handshake({ instructions: 'Prices.' }), list: list(tools), calls: [] }),
  });
const compare = (before: readonly JsonValue[], after: readonly JsonValue[]) =>
  compareRecordings(recorded(before), recorded(after), undecided);

/** The same value with every object's members the other way round. */
const backwards = (value: JsonValue): JsonValue => {
  if (isJsonArray(value)) return value.map(backwards);
  return isJsonObject(value)
    ? Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([key, inner]) => [key, backwards(inner)]),
      )
    : value;
};
/** First of a name wins, so only lists without twins may be turned. */
const turned = (tools: readonly JsonObject[]): readonly JsonValue[] =>
  new Set(tools.map((one) => one.name)).size === tools.length
    ? [...tools].reverse().map(backwards)
    : tools.map(backwards);

describe('laws of a comparison', () => {
  it('equal sides give nothing', async () => {
    await fc.assert(
      fc.asyncProperty(catalogue, async (tools) => {
        expect(await compare(tools, structuredClone(tools))).toEqual([]);
      }),
      { seed, numRuns: 100 },
    );
  });

  it('the order of tools and members never matters', async () => {
    await fc.assert(
      fc.asyncProperty(catalogue, catalogue, async (before, after) => {
        expect(await compare(turned(before), turned(after))).toEqual(await compare(before, after));
        expect(await compare(before, turned(before))).toEqual([]);
      }),
      { seed, numRuns: 40 },
    );
  });

  it('the same pair gives the same findings, each with an identity of its own', async () => {
    await fc.assert(
      fc.asyncProperty(catalogue, catalogue, async (before, after) => {
        const findings = await compare(before, after);
        expect(await compare(before, after)).toEqual(findings);
        const prints = findings.map(({ fingerprint }) => fingerprint);
        expect(new Set(prints).size).toBe(prints.length);
        for (const { inhibitedBy } of findings) if (inhibitedBy !== null) expect(prints).toContain(inhibitedBy);
      }),
      { seed, numRuns: 40 },
    );
  });

  it('what differs is told', async () => {
    await fc.assert(
      fc.asyncProperty(catalogue, name, async (before, removed) => {
        fc.pre(before.some((one) => one.name === removed));
        const findings = await compare(
          before,
          before.filter((one) => one.name !== removed),
        );
        expect(findings.map(({ family }) => family)).toEqual(
          expect.arrayContaining([expect.stringMatching(/^tool-presence$|^tools-list$/)]),
        );
      }),
      { seed, numRuns: 50 },
    );
  });

  it('a catalogue of 5,000 tools and itself is one pass over it', async () => {
    const tools = Array.from({ length: 5_000 }, (_, at) =>
      tool(`tool${at}`, { annotations: readOnly, description: `Looks up number ${at}. `.repeat(5) }),
    );
    const text = JSON.stringify(tools);
    const [a, b] = [recorded(JSON.parse(text)), recorded(JSON.parse(text))];
    const time = async (work: () => unknown): Promise<number> => {
      const times: number[] = [];
      for (let round = 0; round < 5; round += 1) {
        const started = performance.now();
        await work();
        times.push(performance.now() - started);
      }
      return Math.min(...times);
    };
    const parsing = await time(() => JSON.parse(text));
    const comparing = await time(() => compareRecordings(a, b, undecided));
    // About 1.5 on an idle machine; what this guards against is a cost that grows faster than the catalogue.
    expect(comparing / parsing).toBeLessThan(15);
  });
});
