import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isJsonObject, type JsonObject, type JsonValue, member } from '../../src/json/json-value.ts';
import { deriveShape } from '../../src/recording/shape-derive.ts';
import { shapeFromJson, shapeToJson } from '../../src/recording/shape-json.ts';
import { reference } from '../helpers/reference.ts';
import { compareResults, loud, told } from './comparing.ts';

const registrars = ['domainsearch', 'godaddy', 'hostinger', 'instantdomainsearch', 'namecom', 'porkbun', 'vercel'];

/** The results of tools/call among the exchanges of a registrar, as they stood on the wire. */
function resultsOf(registrar: string): readonly JsonObject[] {
  const file = reference(`registrars/${registrar}/exchanges.json`);
  if (file === null) return [];
  const exchanges = JSON.parse(readFileSync(file, 'utf8')) as JsonObject[];
  return exchanges.flatMap((exchange) => {
    if (member(member(member(exchange, 'request'), 'body'), 'method') !== 'tools/call') return [];
    const body = String(member(member(exchange, 'response'), 'body'));
    const data = /^data: (.*)$/m.exec(body)?.[1] ?? body;
    const result = data.startsWith('{') ? member(JSON.parse(data) as JsonObject, 'result') : undefined;
    return isJsonObject(result) ? [result] : [];
  });
}

const isThere = reference('registrars/godaddy/exchanges.json') !== null;

describe.skipIf(!isThere)('results of registrars (needs the reference folder)', () => {
  it.each(registrars)('%s: equal to themselves, and their shapes survive the way to disk', async (registrar) => {
    for (const result of resultsOf(registrar)) {
      expect(told(await compareResults(result, structuredClone(result)))).toEqual([]);
      const json = shapeToJson(deriveShape(result));
      expect(shapeToJson(shapeFromJson(JSON.parse(JSON.stringify(json)) as JsonValue))).toEqual(json);
    }
  });

  it.each(['hostinger', 'porkbun'])('%s: an available and a taken domain have one shape', async (registrar) => {
    const [available, taken] = resultsOf(registrar) as [JsonObject, JsonObject];
    expect(loud(await compareResults(available, taken))).toEqual([]);
    expect(loud(await compareResults(taken, available))).toEqual([]);
  });
});

describe.skipIf(!isThere)('GoDaddy (needs the reference folder)', () => {
  const [available, taken, premium] = resultsOf('godaddy') as [JsonObject, JsonObject, JsonObject];
  const change = (edit: (data: Record<string, unknown>, result: Record<string, unknown>) => void): JsonObject => {
    const result = structuredClone(available) as unknown as Record<string, unknown>;
    edit(result.structuredContent as Record<string, unknown>, result);
    return result as unknown as JsonObject;
  };
  const suggestions = (data: Record<string, unknown>) => data.domains as Record<string, unknown>[];

  it('is silent over other suggestions, totals, keys and a new build of the widget', async () => {
    const tonight = change((data, result) => {
      data.domains = suggestions(data)
        .reverse()
        .slice(0, 23)
        .map((one, at) => ({
          ...one,
          name: `other-${at}.net`,
          tld: 'net',
          inventoryType: at % 3 ? 'Auction' : 'Premium',
        }));
      data.totalResults = 23;
      data.searchKeywords = 'another-name.com';
      const meta = result._meta as Record<string, unknown>;
      meta['openai/outputTemplate'] = 'ui://widget/domains-search.html?v=99999ff';
      const [block] = result.content as Record<string, unknown>[];
      if (block)
        block.text = String(block.text)
          .replaceAll('titlesearch-nx-7c41e9', 'another-name')
          .replaceAll('gd_mcp_server', 'gd_mcp_2');
    });
    expect(told(await compareResults(available, tonight))).toEqual([]);
  });

  it('is silent over another answer of the same kind', async () => {
    expect(loud(await compareResults(available, premium))).toEqual([]);
  });

  it('tells a missing isAvailable', async () => {
    const tonight = change((data) => delete data.isAvailable);
    expect(told(await compareResults(available, tonight))).toEqual([
      'result-shape-member-removed breaking /structuredContent/isAvailable',
    ]);
  });

  it('tells an inventoryType that became a number', async () => {
    const tonight = change((data) => {
      for (const one of suggestions(data)) one.inventoryType = 3;
    });
    expect(told(await compareResults(available, tonight))).toEqual([
      'result-shape-type-changed breaking /structuredContent/domains/*/inventoryType',
    ]);
  });

  it('tells structured content that is gone, and a pinned availability', async () => {
    const { structuredContent: _, ...prose } = available;
    expect(loud(await compareResults(available, prose))).toEqual([
      'result-structured-missing breaking /structuredContent',
    ]);
    const pins = { '/structuredContent/isAvailable': { equals: false } };
    expect(loud(await compareResults(taken, available, { pins }))).toContain(
      'result-pinned-value-changed breaking /structuredContent/isAvailable',
    );
  });
});
