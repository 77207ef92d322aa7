import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../src/json/json-value.ts';
import {
  digestedMembers,
  digestMembers,
  digestText,
  isTextDigest,
  normaliseText,
  revealContract,
  revealDigests,
  wordedMembers,
} from '../../src/recording/text-digest.ts';
import { contractOf, lookupTool, priceTool } from './sample-recording.ts';

const words = 'Says whether a name is taken.';
const digest = digestText(words);

describe('a digest', () => {
  it.each([
    'Says  whether a\r\nname is taken.',
    ' Says whether a name is taken.\n',
    'Says\twhether\u00a0a name is taken.',
  ])('is the same for %j', (text) => {
    expect(digestText(text)).toEqual(digest);
  });

  it('is the same however a letter is composed, and another for other words', () => {
    expect(digestText('Pru\u0308fung')).toEqual(digestText('Pr\u00fcfung'));
    expect(digestText('Says whether a name is free.')).not.toEqual(digest);
    expect(digest.length).toBe(words.length);
  });

  it.each<[JsonValue, boolean]>([
    [{ ...digest }, true],
    [{ digest: 'sha256:12', length: 1 }, false],
    [{ ...digest, more: 1 }, false],
    [{ digest: digest.digest, length: -1 }, false],
    [{ digest: digest.digest, length: 1.5 }, false],
    [digest.digest, false],
    [null, false],
  ])('%j: %s', (value, expected) => {
    expect(isTextDigest(value)).toBe(expected);
  });

  it('of a normalised text is that of the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(digestText(normaliseText(text))).toEqual(digestText(text));
        expect(normaliseText(normaliseText(text))).toBe(normaliseText(text));
      }),
      { seed: 42, numRuns: 300 },
    );
  });
});

describe('revealing', () => {
  it.each<[string, JsonValue, JsonValue, JsonValue]>([
    ['the same words', { a: { ...digest }, b: 1 }, { a: words, b: 2 }, { a: words, b: 1 }],
    [
      'words that differ by blanks, as the server gives them',
      { a: { ...digest } },
      { a: `${words}\n` },
      { a: `${words}\n` },
    ],
    ['other words stay left out', { a: { ...digest } }, { a: 'Other.' }, { a: { ...digest } }],
    ['words that are gone', { a: { ...digest } }, {}, { a: { ...digest } }],
    ['in arrays', [1, { ...digest }], [0, words], [1, words]],
    ['not in another place', { a: { ...digest } }, { b: words }, { a: { ...digest } }],
  ])('%s', (_, recorded, live, revealed) => {
    expect(revealDigests(recorded, live)).toEqual(revealed);
  });

  it('finds tools by name', () => {
    const list = contractOf().list;
    if (list === null) throw new Error('the sample has a list');
    const recorded = contractOf({
      list: { ...list, tools: list.tools.map((tool) => digestMembers(tool, wordedMembers)) },
    });
    const live = contractOf({ list: { ...list, tools: [priceTool(), lookupTool({ description: 'Other.' })] } });
    const revealed = revealContract(recorded, live).list?.tools;
    expect(revealed?.find((tool) => tool.name === 'price')?.description).toBe(priceTool().description);
    expect(revealed?.find((tool) => tool.name === 'lookup')?.description).toEqual(digest);
  });
});

it('the members whose words were left out are known by name', () => {
  const left = digestMembers(
    { description: words, title: 'T', deep: [{ instructions: words, other: words }] },
    new Set(['description', 'instructions']),
  );
  expect(digestedMembers(left)).toEqual(new Set(['description', 'instructions']));
  expect(left).toEqual({
    description: { ...digest },
    title: 'T',
    deep: [{ instructions: { ...digest }, other: words }],
  });
});
