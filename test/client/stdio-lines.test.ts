import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLineReader, type OutputLine } from '../../src/client/transports/stdio-lines.ts';

const text = (line: OutputLine): string => (line.kind === 'line' ? Buffer.from(line.bytes).toString() : '<too long>');
const readAll = (ceiling: number, ...chunks: readonly string[]): string[] => {
  const reader = createLineReader(ceiling);
  const lines = chunks.flatMap((chunk) => reader.feed(Buffer.from(chunk)).map(text));
  const last = Buffer.from(reader.unfinished()).toString();
  return last === '' ? lines : [...lines, `…${last}`];
};

describe('lines of an output', () => {
  it.each<[string, number, string[], string[]]>([
    ['one a chunk', 100, ['a\n', 'b\n'], ['a', 'b']],
    ['several in one chunk', 100, ['a\nb\n\nc'], ['a', 'b', '', '…c']],
    ['one in several chunks', 100, ['a', 'b', 'c\nd'], ['abc', '…d']],
    ['a carriage return stays for the reader of the line', 100, ['a\r\nb\r\n'], ['a\r', 'b\r']],
    ['over the ceiling: told once, dropped to its end', 3, ['abcd', 'efgh', 'ij\nk\n'], ['<too long>', 'k']],
    ['over the ceiling in one chunk', 3, ['abcdefg\nk\nmnopq'], ['<too long>', 'k', '<too long>']],
  ])('%s', (_, ceiling, chunks, lines) => {
    expect(readAll(ceiling, ...chunks)).toEqual(lines);
  });

  it('are the same wherever the chunks begin', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', '\n', '\r', 'ü'), maxLength: 40 }),
        fc.array(fc.nat(40)),
        (all, cuts) => {
          const bytes = Buffer.from(all);
          const borders = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length];
          const reader = createLineReader(1_000);
          const lines = borders
            .slice(1)
            .flatMap((to, at) => reader.feed(bytes.subarray(borders[at] ?? 0, to)).map(text));
          expect([...lines, Buffer.from(reader.unfinished()).toString()]).toEqual(all.split('\n'));
        },
      ),
      { seed: 20_260_727, numRuns: 300 },
    );
  });

  it.each<[string, string, string[]]>([
    ['its end comes late', '\nb\n', ['b']],
    ['its end comes late, with a carriage return', '\r\nb\n', ['b']],
    ['something else follows in the same line', 'b\n', ['ab']],
  ])('one that was taken unfinished: %s', (_, rest, lines) => {
    const reader = createLineReader(100);
    reader.feed(Buffer.from('a'));
    reader.takeUnfinished();
    expect(reader.unfinished()).toHaveLength(0);
    expect(reader.feed(Buffer.from(rest)).map(text)).toEqual(lines);
  });

  it('a dropped line is dropped to its end', () => {
    const reader = createLineReader(100);
    reader.feed(Buffer.from('abc'));
    reader.drop();
    expect(reader.feed(Buffer.from('def\ng\n')).map(text)).toEqual(['g']);
  });
});
