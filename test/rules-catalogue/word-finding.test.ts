import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rules } from '../../src/rules/catalogue.ts';
import { factNames, propertyPath, wordFinding } from '../../src/rules/word-finding.ts';
import { hostileTexts } from '../text/hostile-texts.ts';

const at = { tool: 'check', case: null, pointer: null } as const;

describe('the wording of a finding', () => {
  it.each([
    [{ ...at, rule: 'tool-removed' }, 'The tool "check" disappeared from the list.'],
    [{ ...at, rule: 'tool-removed', tool: null, places: 3 }, '3 tools disappeared from the list.'],
    [{ ...at, rule: 'tool-added-write-capable' }, 'The tool "check" is new, and it may change things.'],
    [{ ...at, rule: 'tool-added-write-capable', tool: null, places: 3 }, '3 tools are new, and may change things.'],
    [
      { ...at, rule: 'tool-removed', tool: null, places: [{ tool: 'a' }, { tool: 'b' }, { tool: 'b' }] },
      '2 tools disappeared from the list.',
    ],
    [
      { ...at, rule: 'tool-text-suspicious', tool: null, places: [{ tool: 'a' }, { tool: 'a' }] },
      'A text of the tool "a" now holds something that does not belong there.',
    ],
    [
      { ...at, rule: 'input-property-became-required', pointer: '/inputSchema/properties/filter/items/properties/min' },
      'The argument "filter[].min" of the tool "check" used to be optional and is now required.',
    ],
    [
      { ...at, rule: 'input-additional-closed', pointer: '/inputSchema/additionalProperties' },
      'The arguments object of the tool "check" no longer takes members beyond the listed ones.',
    ],
    [
      {
        ...at,
        rule: 'output-type-changed',
        pointer: '/outputSchema/properties/price/type',
        before: 'number',
        after: 'string',
      },
      'The field "price" of the tool "check" now has another type: "string" instead of "number".',
    ],
    [
      {
        ...at,
        rule: 'output-type-changed',
        pointer: '/outputSchema/properties/price/type',
        before: ['number'],
        after: 'string',
      },
      'The field "price" of the tool "check" now has another type.',
    ],
    [
      { ...at, rule: 'input-maximum-lowered', pointer: '/inputSchema/properties/years/maximum', before: 10, after: 5n },
      'The argument "years" of the tool "check" now has a lower maximum: 5 instead of 10.',
    ],
    [
      { ...at, rule: 'tools-list-failed', tool: null, facts: { code: -32603 } },
      'Asked for its tools, the server answered with an error (code -32603).',
    ],
    [{ ...at, rule: 'tools-list-failed', tool: null }, 'Asked for its tools, the server answered with an error.'],
    [
      { ...at, rule: 'result-shape-member-removed', case: 'taken', pointer: '/structuredContent/price' },
      '"/structuredContent/price" is missing from the result of the call "taken" of the tool "check".',
    ],
  ] as const)('%#: %o', (finding, sentence) => expect(wordFinding(finding)).toBe(sentence));

  it('lets the writer quote names in its own way', () => {
    expect(wordFinding({ ...at, rule: 'tool-removed' }, (name) => `\`${name}\``)).toBe(
      'The tool `check` disappeared from the list.',
    );
  });

  it('is one visible line whatever the names hold, and fills nothing from a name', () => {
    const text = fc.constantFrom(...Object.values(hostileTexts));
    fc.assert(
      fc.property(
        fc.constantFrom(...rules),
        text,
        text,
        fc.dictionary(fc.constantFrom(...factNames), fc.oneof(text, fc.integer())),
        (rule, tool, pointer, facts) => {
          const sentence = wordFinding({
            rule: rule.id,
            tool,
            case: 'taken',
            pointer,
            before: tool,
            after: pointer,
            facts,
          });
          expect(sentence).not.toMatch(/[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u);
          expect(sentence.length).toBeLessThan(1_500);
        },
      ),
      { seed: 7, numRuns: 500 },
    );
    expect(wordFinding({ ...at, rule: 'tool-removed', tool: '{case} [x]' })).toBe(
      'The tool "{case} [x]" disappeared from the list.',
    );
  });

  it.each(rules.map((rule) => rule.id))('%s reads well with nothing known', (rule) => {
    const sentence = wordFinding({ rule, tool: null, case: null, pointer: null });
    expect(sentence).toMatch(/^[A-Z][^{}[\]]+\.$/);
    expect(sentence).not.toMatch(/ {2}| [.,:]|undefined|null\b(?! |\.)/);
  });
});

it.each([
  ['/inputSchema', ''],
  ['/inputSchema/properties/a', 'a'],
  ['/inputSchema/properties/a~1b/type', 'a/b'],
  ['/inputSchema/properties/properties/properties/items/items/enum', 'properties.items[]'],
  ['/outputSchema/anyOf/0/properties/price/maximum', 'price'],
])('the property behind %s is %j', (pointer, path) => expect(propertyPath(pointer)).toBe(path));
