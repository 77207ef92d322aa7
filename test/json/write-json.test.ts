import { describe, expect, it } from 'vitest';
import { canonicalJson, isJsonEqual } from '../../src/json/canonical-json.ts';
import { sha256Of } from '../../src/json/digest.ts';
import { writeJson } from '../../src/json/write-json.ts';

describe('writeJson', () => {
  it('sorts by code unit, indents by two, ends as told', () => {
    const value = { b: [1, { y: null }], _x: true, B: [], 'Z-1': {} };
    expect(writeJson(value, { finalNewline: true })).toBe(
      '{\n  "B": [],\n  "Z-1": {},\n  "_x": true,\n  "b": [\n    1,\n    {\n      "y": null\n    }\n  ]\n}\n',
    );
    expect(writeJson(value, { indent: 0, order: 'kept' })).toBe('{"b":[1,{"y":null}],"_x":true,"B":[],"Z-1":{}}');
  });

  it.each([
    ['a control character', '\u0007\u007f\u0085', '"\\u0007\\u007f\\u0085"'],
    ['bidirectional marks', '\u202e\u2066', '"\\u202e\\u2066"'],
    ['zero width', '\u200b\u200d\ufeff\u2060', '"\\u200b\\u200d\\ufeff\\u2060"'],
    ['line separators', '\u2028\u2029', '"\\u2028\\u2029"'],
    ['tag characters', '\u{e0041}', '"\\udb40\\udc41"'],
    ['fillers and selectors', '\u3164\ufe0f\u00ad\u034f', '"\\u3164\\ufe0f\\u00ad\\u034f"'],
    ['lone surrogates', '\ud800x', '"\\ud800x"'],
    ['what shows stays', 'Zürich 😀 日本', '"Zürich 😀 日本"'],
    ['usual escapes', '"\\\n\t', '"\\"\\\\\\n\\t"'],
  ])('writes %s', (_, text, expected) => {
    expect(writeJson(text)).toBe(expected);
    expect(writeJson({ [text]: 1 }, { indent: 0 })).toBe(`{${expected}:1}`);
  });

  it('writes large integers as bare digits', () => {
    expect(writeJson([725653563933458433n, 1e21, -0, 1e-7, 9007199254740992], { indent: 0 })).toBe(
      '[725653563933458433,1000000000000000000000,0,1e-7,9007199254740992]',
    );
  });

  it('refuses what JSON cannot say', () => {
    expect(() => writeJson(Number.NaN)).toThrow(TypeError);
  });
});

describe('canonicalJson', () => {
  it('has one text for one value', () => {
    expect(canonicalJson({ b: 1.0, a: [-0, 1e21, 10n ** 21n] })).toBe(
      '{"a":[0,1000000000000000000000,1000000000000000000000],"b":1}',
    );
    expect(canonicalJson(1n)).toBe(canonicalJson(1));
    expect(isJsonEqual({ a: 1, b: 2 }, { b: 2, a: 1 })).toBe(true);
    expect(isJsonEqual(725653563933458432n, 725653563933458433n)).toBe(false);
    expect(isJsonEqual(Object.fromEntries([['__proto__', 1]]), {})).toBe(false);
    expect(canonicalJson('\u2028\u0001é')).toBe('"\u2028\\u0001é"');
  });

  it('has a digest', () => {
    expect(sha256Of('')).toBe('sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  });
});
