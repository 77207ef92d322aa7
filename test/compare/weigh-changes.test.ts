import { describe, expect, it } from 'vitest';
import type { Found } from '../../src/compare/found.ts';
import { toolChange } from '../../src/compare/found.ts';
import { instancePath } from '../../src/compare/instance-path.ts';
import { weighChange } from '../../src/compare/weigh-changes.ts';
import type { JsonObject } from '../../src/json/json-value.ts';
import type { ConsumerUse } from '../../src/recording/consumer-use.ts';
import type { Pins } from '../../src/recording/pin.ts';
import { call, plainCase, useOf, watching } from './sides.ts';

const weigh = (change: Found, use: Partial<ConsumerUse> = {}, args: JsonObject | null = { domain: 'example.com' }) => {
  const { severity, impact } = weighChange(
    change,
    useOf({ tools: watching('check'), ...use }),
    args === null ? [] : [call('check', 'taken', { arguments: args })],
  );
  return `${severity} ${impact}`;
};
const pinning = (pins: Pins): Partial<ConsumerUse> => ({
  tools: new Map([['check', { calls: { taken: { ...plainCase, pins } } }]]),
});
const input = (rule: Found['rule'], path: string): Found =>
  toolChange('check', rule, { pointer: `/inputSchema${path}` });
const output = (rule: Found['rule'], path: string): Found =>
  toolChange('check', rule, { pointer: `/outputSchema${path}` });

describe('what a change is worth', () => {
  it.each<[string, string, string]>([
    [
      'a default of what is left out',
      weigh(input('input-default-changed', '/properties/years/default')),
      'breaking hits-recording',
    ],
    [
      'a default of what is sent',
      weigh(input('input-default-changed', '/properties/years/default'), {}, { years: 1 }),
      'warning unknown',
    ],
    [
      'a default inside an object that is not sent',
      weigh(input('input-default-changed', '/properties/filter/properties/max/default')),
      'warning unknown',
    ],
    [
      'a default inside an object that is sent',
      weigh(input('input-default-changed', '/properties/filter/properties/max/default'), {}, { filter: {} }),
      'breaking hits-recording',
    ],
    [
      'a default, and nothing is called',
      weigh(input('input-default-changed', '/properties/years/default'), {}, null),
      'warning unknown',
    ],
    [
      'an argument that is no longer read, and is sent',
      weigh(input('input-property-removed-open', '/properties/domain')),
      'breaking hits-recording',
    ],
    [
      'one inside a list that is sent',
      weigh(
        input('input-property-removed-open', '/properties/list/items/properties/x'),
        {},
        { list: [{ y: 1 }, { x: 1 }] },
      ),
      'breaking hits-recording',
    ],
    ['one that is not sent', weigh(input('input-property-removed-open', '/properties/years')), 'warning unknown'],
    [
      'a warning that does not rise',
      weigh(input('input-format-added', '/properties/domain/format')),
      'warning unknown',
    ],
    [
      'what a pin asserts',
      weigh(
        output('output-property-removed-optional', '/properties/price'),
        pinning({ '/structuredContent/price': { type: 'number' } }),
      ),
      'breaking hits-recording',
    ],
    [
      'what a pin asserts inside it',
      weigh(
        output('output-min-items-lowered', '/properties/list/minItems'),
        pinning({ '/structuredContent/list/0': { present: true } }),
      ),
      'breaking hits-recording',
    ],
    [
      'what a pin asserts of every item',
      weigh(
        output('output-enum-value-added', '/properties/list/items/properties/state/enum'),
        pinning({ '/structuredContent/list/*/state': { oneOf: ['a'] } }),
      ),
      'breaking hits-recording',
    ],
    [
      'what is ignored',
      weigh(
        output('output-property-removed-optional', '/properties/price'),
        pinning({ '/structuredContent/price': { ignore: true } }),
      ),
      'warning unknown',
    ],
    [
      'what another pin asserts',
      weigh(
        output('output-property-removed-optional', '/properties/price'),
        pinning({ '/structuredContent/name': { type: 'string' } }),
      ),
      'warning unknown',
    ],
    ['a tool that is gone and was called', weigh(toolChange('check', 'tool-removed')), 'breaking hits-recording'],
    [
      'a tool that is gone and was only watched',
      weigh(toolChange('check', 'tool-removed'), {}, null),
      'breaking not-recorded',
    ],
    ['a tool that nobody uses', weigh(toolChange('other', 'tool-removed')), 'info not-recorded'],
    [
      'security of a tool that nobody uses',
      weigh(toolChange('other', 'annotation-readonly-lost')),
      'security not-recorded',
    ],
    [
      'a warning about a tool that nobody uses',
      weigh(toolChange('other', 'tool-description-changed')),
      'warning not-recorded',
    ],
    [
      'what makes clients refuse the list',
      weigh(toolChange('other', 'tool-input-schema-missing')),
      'breaking not-recorded',
    ],
    ['the same from a check of schemas', weigh(toolChange('other', 'output-schema-invalid')), 'breaking not-recorded'],
    [
      'a text, for a consumer in code',
      weigh(toolChange('check', 'tool-description-changed'), { consumer: 'code' }),
      'info hits-recording',
    ],
    [
      'an override',
      weigh(toolChange('check', 'tool-description-changed'), {
        severity: new Map([['tool-description-changed', 'breaking']]),
      }),
      'breaking hits-recording',
    ],
    [
      'an override of what a check said',
      weigh(toolChange('check', 'tool-header-renamed', { severity: 'breaking' }), {
        severity: new Map([['tool-header-renamed', 'info']]),
      }),
      'info hits-recording',
    ],
    [
      'an override to info of what would rise',
      weigh(input('input-default-changed', '/properties/years/default'), {
        severity: new Map([['input-default-changed', 'info']]),
      }),
      'info hits-recording',
    ],
    [
      'an override of a tool that nobody uses',
      weigh(toolChange('other', 'tool-description-changed'), {
        severity: new Map([['tool-description-changed', 'breaking']]),
      }),
      'info not-recorded',
    ],
    [
      'what a check knows to be met',
      weigh({ ...input('input-read-only-added', ''), impact: 'hits-recording' }),
      'breaking hits-recording',
    ],
  ])('%s', (_, got, expected) => expect(got).toBe(expected));
});

describe('the place in a value', () => {
  it.each<[string, readonly string[] | null]>([
    ['/inputSchema/properties/a', ['a']],
    ['/inputSchema/properties/a/default', ['a']],
    ['/inputSchema/properties/a~1b/properties/properties/type', ['a/b', 'properties']],
    ['/inputSchema/properties/a/items/maximum', ['a', '*']],
    ['/inputSchema/properties/a/prefixItems/1/type', ['a', '1']],
    ['/inputSchema/allOf/0/properties/a', ['a']],
    ['/inputSchema/properties/a/anyOf/1/properties/b/enum', ['a', 'b']],
    ['/inputSchema/required', []],
    ['/inputSchema/$defs/X/properties/a', null],
    ['/inputSchema/properties/a/additionalProperties/type', null],
    ['/inputSchema', []],
  ])('%s', (pointer, expected) =>
    expect(instancePath(pointer)?.map((step) => (typeof step === 'symbol' ? '*' : step)) ?? null).toEqual(expected),
  );
});
