import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, isJsonEqual } from '../../src/json/canonical-json.ts';
import type { JsonValue } from '../../src/json/json-value.ts';
import { parseBytes, parseJson } from '../../src/json/parse-json.ts';
import { writeJson } from '../../src/json/write-json.ts';

const ceilings = { nodes: 1000, depth: 20 };
const value = (text: string): JsonValue => {
  const parsed = parseJson(text, ceilings);
  if (!parsed.ok) throw new Error(`${text} ${parsed.message}`);
  return parsed.value;
};
const fault = (text: string) => {
  const parsed = parseJson(text, ceilings);
  return parsed.ok ? null : parsed.fault;
};
const notes = (text: string) => {
  const parsed = parseJson(text, ceilings);
  return parsed.ok ? parsed.notes : null;
};

describe('integers beyond 2^53', () => {
  it.each([
    ['725653563933458433', 725653563933458433n],
    ['-9007199254740993', -9007199254740993n],
    ['9007199254740992', 9007199254740992n],
    ['9007199254740991', 9007199254740991],
    ['9007199254740993.0', 9007199254740993n],
    ['1e21', 10n ** 21n],
    ['1e400', 10n ** 400n],
    ['-1.5E400', -15n * 10n ** 399n],
    ['1200000000000000000e-3', 1200000000000000],
    ['1200000000000000000000e-2', 12000000000000000000n],
    ['1e-400', 0],
    ['0e9999', 0],
    ['0.1', 0.1],
    ['1E2', 100],
    ['9007199254740993.5', 9007199254740994],
  ] as const)('%s', (text, expected) => {
    expect(value(`[${text}]`)).toEqual([expected]);
    expect(value(`[${text}, 18446744073709551615]`)).toEqual([expected, 18446744073709551615n]);
  });

  it.each(['1e1001', `1${'0'.repeat(1000)}`, `${'9'.repeat(2000)}`, `${'9'.repeat(400)}.5`, '1e99999999999'])(
    '%s is too long',
    (text) => {
      expect(fault(`{"n":${text}}`)).toBe('number-too-long');
    },
  );
});

describe('what is no number', () => {
  it.each(['1e', '1.e999', '-', '1-1', '12345678901234567890.', '1e+'])('%s is malformed, not too long', (text) => {
    expect(fault(`[${text}]`)).toBe('malformed');
  });
});

describe('the meaning of JSON.parse', () => {
  it.each([
    '{"a":1,"a":[2]}',
    '{"__proto__":{"x":1},"constructor":2}',
    '{"a":{"b":1},"a":{"b":1}}',
    '{"\\u0061":1,"a":null}',
    '[]',
    '"x"',
    ' null ',
  ])('with and without a large integer beside it: %s', (text) => {
    const plain = JSON.parse(text);
    const both = value(`[${text},12345678901234567890]`) as readonly JsonValue[];
    expect(value(text)).toEqual(plain);
    expect(both[0]).toEqual(plain);
    expect(Object.keys(Object(both[0]))).toEqual(Object.keys(Object(plain)));
  });

  it('keeps __proto__ as an own key and changes no prototype', () => {
    for (const text of ['{"__proto__":{"polluted":1}}', '{"__proto__":{"polluted":1},"n":12345678901234567890}']) {
      const parsed = value(text) as object;
      expect(Object.hasOwn(parsed, '__proto__')).toBe(true);
      expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype);
    }
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  it.each([
    '',
    ' ',
    '{',
    '[1,]',
    '{"a":1,}',
    "{'a':1}",
    'nul',
    '01',
    '1.',
    '.5',
    '"\u0001"',
    '[1 2]',
    '{"a" 1}',
    'NaN',
    '{"a":12345678901234567890,}',
    '\ufeff\ufeff{}',
    '"abc',
    '[[[[',
    '{"a":\\',
  ])('refuses %j', (text) => expect(fault(text)).toBe('malformed'));

  it('says nothing of the text in its message', () => {
    const parsed = parseJson('{"a": ::warning::x}', ceilings);
    expect(parsed).toEqual({ ok: false, fault: 'malformed', message: 'is no JSON' });
  });
});

describe('ceilings', () => {
  it('counts depth and values before it parses', () => {
    expect(fault('['.repeat(20) + ']'.repeat(20))).toBeNull();
    expect(fault('['.repeat(21) + ']'.repeat(21))).toBe('too-deep');
    expect(fault('['.repeat(100_000))).toBe('too-deep');
    expect(fault(`[${'1,'.repeat(998)}1]`)).toBeNull();
    expect(fault(`[${'1,'.repeat(999)}1]`)).toBe('too-many-nodes');
    expect(fault(`[${'{},'.repeat(999)}{}]`)).toBe('too-many-nodes');
    expect(fault(`{${Array.from({ length: 1001 }, (_, i) => `"k${i}":true`).join(',')}}`)).toBe('too-many-nodes');
    expect(fault(`["${'[{'.repeat(5000)}"]`)).toBeNull();
  });
});

describe('notes', () => {
  it('names repeated keys, however they are escaped, per object', () => {
    expect(notes('{"a":1,"b":{"a":2},"\\u0061":3}')).toEqual([{ code: 'json-duplicate-key', names: ['a'] }]);
    expect(notes('[{"a":1},{"a":1}]')).toEqual([]);
    expect(notes('{"a":"a","b":"a"}')).toEqual([]);
    expect(notes('{"a":{"x":1},"b":{"x":1}}')).toEqual([]);
  });

  it('finds a repeated name among many, in whatever object it stands', () => {
    const names = Array.from({ length: 40 }, (_, at) => `n${at}`);
    const object = (keys: readonly string[], inner = '0'): string =>
      `{${keys.map((key) => `"${key}":${key === 'n20' ? inner : '1'}`).join(',')}}`;
    expect(notes(object(names, object(names, object(names))))).toEqual([]);
    for (const repeated of ['n0', 'n15', 'n16', 'n39']) {
      const expected = [{ code: 'json-duplicate-key', names: [repeated] }];
      expect(notes(object([...names, repeated]))).toEqual(expected);
      expect(notes(`[${object(names)},${object(names, object([...names, repeated]))},${object(names)}]`)).toEqual(
        expected,
      );
    }
    // What an inner object has is no member of the outer one, and what stood in front of it still is.
    expect(notes('{"a":{"b":1,"c":{"d":2}},"d":3,"b":4,"a":5}')).toEqual([
      { code: 'json-duplicate-key', names: ['a'] },
    ]);
  });

  it('strips one byte order mark', () => {
    expect(notes('\ufeff{"a":"\ufeffb"}')).toEqual([{ code: 'json-byte-order-mark', names: [] }]);
    expect(value('\ufeff{"a":"\ufeffb"}')).toEqual({ a: '\ufeffb' });
  });
});

describe('bytes', () => {
  it('are UTF-8 or refused', () => {
    expect(parseBytes(new TextEncoder().encode('\ufeff"Привет"'), ceilings)).toMatchObject({
      ok: true,
      value: 'Привет',
    });
    expect(parseBytes(Uint8Array.of(0x22, 0xe9, 0x22), ceilings)).toMatchObject({
      ok: false,
      fault: 'malformed',
      message: 'is not UTF-8',
    });
    expect(parseBytes(Uint8Array.of(0xef, 0xbb), ceilings)).toMatchObject({ ok: false });
  });
});

const integers = fc
  .bigInt({ min: -(10n ** 40n), max: 10n ** 40n })
  .map((n) => (n >= -(2n ** 53n - 1n) && n <= 2n ** 53n - 1n ? Number(n) : n));
const { json } = fc.letrec<{ json: JsonValue }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(null, true, false),
    fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 }).map((n) => (Object.is(n, -0) ? 0 : n)),
    integers,
    fc.string({ unit: 'binary' }),
    fc.array(tie('json'), { maxLength: 4 }),
    fc
      .array(
        fc.tuple(
          fc.oneof(
            fc.string({ unit: 'binary', maxLength: 4 }),
            fc.constantFrom('__proto__', 'constructor', 'toString'),
          ),
          tie('json'),
        ),
        { maxLength: 4 },
      )
      .map((entries) => Object.fromEntries(entries)),
  ),
}));
/** JSON.parse keeps no digits beyond a double's; seen through that, both readers must agree. */
const asDoubles = (value: JsonValue): string =>
  JSON.stringify(value, (_, item) => (typeof item === 'bigint' ? Number(item) : item));
const wide = { nodes: 1_000_000, depth: 200 };

describe('laws', () => {
  it('what is written reads back, in either order and any indent', () => {
    fc.assert(
      fc.property(json, fc.constantFrom('sorted', 'kept'), fc.constantFrom(0, 2), (given, order, indent) => {
        const parsed = parseJson(
          writeJson(given, { order: order as 'sorted' | 'kept', indent, finalNewline: true }),
          wide,
        );
        expect(parsed.ok && isJsonEqual(parsed.value, given)).toBe(true);
        expect(parsed).toMatchObject({ ok: true, notes: [] });
      }),
      { seed: 20260822, numRuns: 300 },
    );
  });

  it('agrees with JSON.parse about every text without large integers', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.json(),
          fc.string(),
          fc.string({ unit: fc.constantFrom(...'[]{}",:0123456789eE.-+ \\utrfalsn\n') }),
        ),
        (text) => {
          let expected: unknown;
          try {
            expected = JSON.parse(text);
          } catch {
            expected = undefined;
          }
          const parsed = parseJson(text, wide);
          if (expected === undefined) expect(parsed.ok).toBe(false);
          else if (parsed.ok) expect(asDoubles(parsed.value)).toEqual(asDoubles(expected as JsonValue));
          else expect(parsed.fault).toBe('number-too-long');
        },
      ),
      { seed: 20260822, numRuns: 2000 },
    );
  });

  it('a canonical text is a fixed point', () => {
    fc.assert(
      fc.property(json, (given) => {
        const parsed = parseJson(canonicalJson(given), wide);
        expect(parsed.ok && canonicalJson(parsed.value)).toBe(canonicalJson(given));
      }),
      { seed: 20260822, numRuns: 300 },
    );
  });
});
