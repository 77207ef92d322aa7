import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { isRuleId, ruleOf, rules } from '../../src/rules/catalogue.ts';
import { factNames, placeNames } from '../../src/rules/word-finding.ts';
import { reference } from '../helpers/reference.ts';

const released = readFileSync(path.join(import.meta.dirname, 'released-ids.txt'), 'utf8')
  .trim()
  .split('\n');
const columns = reference('rules.json');

describe('the catalogue of rules', () => {
  it('has every id once', () => {
    expect(new Set(rules.map((rule) => rule.id)).size).toBe(rules.length);
  });

  it('keeps every id that was released', () => {
    expect(released.filter((id) => !isRuleId(id))).toEqual([]);
    expect(
      rules.map((rule) => rule.id).filter((id) => !released.includes(id)),
      'add new ids to released-ids.txt',
    ).toEqual([]);
  });

  it.skipIf(columns === null)('has the columns of the reference (skipped without the reference folder)', () => {
    const wanted = (JSON.parse(readFileSync(columns ?? '', 'utf8')) as { rules: { id: string }[] }).rules;
    const ours = rules.map(({ wording, why, remedy, ...rule }) => {
      void [wording, why, remedy];
      return rule;
    });
    const byId = (list: readonly { id: string }[]) => new Map(list.map((rule) => [rule.id, rule]));
    expect(byId(ours)).toEqual(byId(wanted));
  });

  it('knows its ids', () => {
    expect(ruleOf('tool-removed').family).toBe('tool-presence');
    for (const id of ['', 'tool', 'Tool-Removed', '__proto__', 'constructor', 'toString'])
      expect(isRuleId(id)).toBe(false);
  });
});

describe.each(rules.map((rule) => [rule.id, rule] as const))('%s', (id, rule) => {
  it('explains itself', () => {
    expect(id).toMatch(/^[a-z]+(-[a-z]+)+$/);
    expect(rule.wording, 'one sentence').toMatch(/^[A-Z{][^\n]{10,}\.$/);
    expect(rule.why).toMatch(/^[A-Z`][^\n]{10,}[.]$/);
    expect(rule.remedy).toMatch(/^[A-Z`][^\n]{5,}[.]$/);
    expect(new Set([rule.wording, rule.why, rule.remedy]).size).toBe(3);
  });

  it('uses placeholders that exist, in brackets that close', () => {
    const known: readonly string[] = [...factNames, ...placeNames];
    // Of `{one/several}` both are words.
    const wording = rule.wording.replaceAll(/\{([^{}/]*)\/([^{}/]*)\}/g, '$1 $2');
    const used = [...wording.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name ?? '');
    expect(used.filter((name) => !known.includes(name))).toEqual([]);
    expect(wording.replaceAll(/\{\w+\}/g, '').replaceAll(/\[[^[\]]*\]/g, '')).not.toMatch(/[{}[\]]/);
    // A fact may be missing, so it stands in brackets.
    const outside = [...wording.replaceAll(/\[[^\]]*\]/g, '').matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(
      outside.filter(
        (name) => !['tool', 'case', 'pointer', 'property', 'step', 'before', 'after'].includes(name ?? ''),
      ),
    ).toEqual([]);
  });
});

it('says different things about different rules', () => {
  // The area chooses the noun: an argument, a field.
  const wordings = rules.map((rule) => `${rule.area}: ${rule.wording}`);
  expect(wordings.filter((wording, i) => wordings.indexOf(wording) !== i)).toEqual([]);
});
