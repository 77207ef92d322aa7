import { describe, expect, it } from 'vitest';
import type { RuleId } from '../../src/rules/catalogue.ts';
import { resultRules } from '../../src/rules/result.ts';
import { type Comparing, compareEndings, told } from './comparing.ts';
import { asEnding, type ResultRow, resultRows } from './rows.ts';

describe.each(Object.entries(resultRows))('%s', (rule, ofRule) => {
  it.each(ofRule.map((one) => [one.name, one] as const))('%s', async (_, { after, before, options, tells }) => {
    const changes = await compareEndings(asEnding(before), asEnding(after), options);
    expect([...told(changes)].sort()).toEqual([...tells].sort());
  });

  it('is shown to fire and to stay quiet', () => {
    const fires = (one: ResultRow) => one.tells.some((line) => line.split(' ')[0] === rule);
    expect(ofRule.some(fires)).toBe(true);
    expect(ofRule.every(fires)).toBe(false);
  });
});

it('every rule of the area has rows', () => {
  expect(Object.keys(resultRows)).toEqual(resultRules.map((rule): RuleId => rule.id));
});

it('a result compared with itself is silent', async () => {
  for (const { after, options } of Object.values(resultRows).flat()) {
    const changes = await compareEndings(asEnding(after), asEnding(after), {
      ...options,
      pins: {},
      ...sameSchema(options),
    });
    expect(told(changes)).toEqual([]);
  }
});

const sameSchema = ({ liveSchema, schema }: Comparing = {}): Comparing => {
  const one = liveSchema ?? schema;
  return one === undefined ? {} : { recordedSchema: one, liveSchema: one };
};
