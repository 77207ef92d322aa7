import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readDocument } from '../../src/config/read-document.ts';
import { writeJson } from '../../src/json/write-json.ts';

/** A comment makes a text YAML that nothing else reads. */
const asYaml = (text: string): string => `# YAML\n${text}`;

const targets = (count: number): string =>
  JSON.stringify({
    targets: Object.fromEntries(Array.from({ length: count }, (_, n) => [`t${n}`, { tools: [1, 2, 3, 4, 5, 6, 7] }])),
  });

describe('a JSON text', () => {
  it('has the value that it has as YAML', () => {
    const object = fc.dictionary(fc.string({ unit: 'binary', minLength: 1 }), fc.jsonValue({ stringUnit: 'binary' }));
    fc.assert(
      fc.property(object, fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const { value: read, faults } = readDocument(text);
        expect(faults).toEqual([]);
        expect(writeJson(read)).toBe(writeJson(readDocument(asYaml(text)).value));
      }),
      { seed: 41, numRuns: 500 },
    );
  });

  it.each([
    ['an integer beyond 2^53', '{"a": 123456789012345678901234567890}'],
    ['an integer with an exponent', '{"a": 1e30}'],
    ['escapes', String.raw`{"a": "\u0041\/\ud83d\ude00\n"}`],
    ['__proto__', '{"__proto__": {"a": 1}}'],
  ])('with %s, too', (_what, text) => {
    expect(readDocument(text).value).toEqual(readDocument(asYaml(text)).value);
  });

  it('is told where a part of it stands', () => {
    const document = readDocument('{\n  "targets": {\n    "a": { "url": 1 }\n  }\n}');
    expect(document.placeOf(['targets', 'a', 'url'], 'value')).toEqual({ line: 3, column: 19 });
    expect(document.placeOf(['targets', 'a', 'url'], 'key')).toEqual({ line: 3, column: 12 });
  });

  it('may be indented with tabs', () => {
    const document = readDocument('{\n\t"a": 1\n}');
    expect(document).toMatchObject({ value: { a: 1 }, faults: [] });
    expect(document.placeOf(['a'], 'value')).toEqual({ line: 2, column: 7 });
  });

  it.each([
    ['names a member twice', '{"a": 1, "a": 2}', 'is there twice'],
    ['nests too deeply', `{"a": ${'['.repeat(120)}${']'.repeat(120)}}`, 'nests too deeply, or is too large'],
    ['is not whole', '{"a": 1', 'a quote or bracket is not closed'],
  ])('that %s is at fault as YAML is', (_what, text, problem) => {
    expect(readDocument(text).faults.map((fault) => fault.problem)).toContain(problem);
    expect(readDocument(text).faults).toEqual(
      readDocument(asYaml(text)).faults.map((fault) => ({ ...fault, line: fault.line - 1 })),
    );
  });
});

describe('a large text', () => {
  it.each([
    ['JSON', targets(24_000)],
    ['YAML', asYaml(targets(24_000))],
  ])('of %s is read whole, however many targets it has', (_what, text) => {
    const { value, faults } = readDocument(text);
    expect(faults).toEqual([]);
    expect(Object.keys((value as { targets: object }).targets)).toHaveLength(24_000);
  });

  it('that aliases blow up is not', () => {
    const levels = Array.from(
      { length: 8 },
      (_, n) => `l${n + 1}: &l${n + 1} [${Array(10).fill(`*l${n}`).join(', ')}]`,
    );
    const { faults } = readDocument(['l0: &l0 [1]', ...levels].join('\n'));
    expect(faults.map(({ problem }) => problem)).toEqual(['nests too deeply, or is too large']);
  });
});
