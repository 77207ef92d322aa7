import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../src/json/json-value.ts';
import { writeJson } from '../../src/json/write-json.ts';
import { createRedactor } from '../../src/recording/redact.ts';
import { Secret } from '../../src/text/secret.ts';
import { escapings, wrappings } from './wrappings.ts';

const mark = '[redacted]';
const secretsTable = [
  'cs-7Fq/Zk+9x_A.b~41-TgVw==',
  'plainlower',
  'abc%41def%2Fg',
  'back\\slash\\u0041x',
  'quo"te\'s,and<&>',
  'pässwörd-日本',
  'nnrrttnn1',
  '41414141',
  'a&amp;b&#65;c',
];
const all = Object.entries(wrappings);
const knowing = (...values: string[]) => createRedactor(values.map((value, at) => new Secret(value, `V${at}`)));

// Independent of both searches of the product: what this finds in a text, a reader could get out of it.
function readersFind(text: string, secret: string): string | null {
  const seen = new Set<string>();
  const steps: ((t: string) => string)[] = [
    (t) =>
      Buffer.from(
        t.replace(/%([0-9a-f]{2})/gi, (_, h: string) => String.fromCharCode(Number.parseInt(h, 16))),
        'latin1',
      ).toString('utf8'),
    (t) => t.replace(/\\+u([0-9a-f]{4})/gi, (_, h: string) => String.fromCharCode(Number.parseInt(h, 16))),
    (t) =>
      t
        .replace(/&#(\d+);/g, (_, n: string) => String.fromCodePoint(Number(n)))
        .replace(/&#x([0-9a-f]+);/gi, (_, n: string) => String.fromCodePoint(Number.parseInt(n, 16))),
    (t) => t.replace(/\\+[nrt]/g, ''),
    (t) => t.replace(/\s+/g, ''),
    (t) => t.replace(/[\\"',]/g, ''),
  ];
  const queue: [string, number][] = [[text, 0]];
  const wanted = [
    secret,
    [...secret].reverse().join(''),
    secret.replace(/[\s\\"',]/g, ''),
    Buffer.from(secret).toString('hex'),
  ];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const [current, depth] = next;
    if (seen.has(current)) continue;
    seen.add(current);
    for (const one of wanted) if (current.toLowerCase().includes(one.toLowerCase())) return one;
    for (const run of current.match(/[\w+/=-]{8,}/g) ?? []) {
      for (const at of [0, 1, 2, 3])
        if (
          Buffer.from(run.slice(at).replaceAll('-', '+').replaceAll('_', '/'), 'base64')
            .toString('latin1')
            .includes(Buffer.from(secret).toString('latin1'))
        )
          return `base64 ${run}`;
    }
    if (depth < 4) for (const step of steps) queue.push([step(current), depth + 1]);
  }
  return null;
}

describe('a known secret', () => {
  it.each(secretsTable.flatMap((secret) => all.map(([how, wrap]) => [secret, how, wrap] as const)))(
    '%s, %s, is taken out, and was found before',
    (secret, _, wrap) => {
      const redactor = knowing(secret);
      const text = `before ${wrap(secret)} after`;
      const clean = redactor.redactText(text);
      expect(redactor.findSecret(text)).toMatchObject({ source: 'V0' });
      expect(clean).toContain(mark);
      expect(readersFind(clean, secret)).toBeNull();
      expect(redactor.findSecret(clean)).toBeNull();
      expect(clean).toMatch(/^before .*\[redacted\].* after$/s);
    },
  );

  it.each(Object.entries(escapings))('leaves the same text whatever escapes it: %s', (_, wrap) => {
    const secret = 'cs-7Fq/Zk+9x_A.b~41-TgVw==';
    expect(knowing(secret).redactText(`a ${wrap(secret)}, b ${wrap(secret)}; c`)).toBe(`a ${mark}, b ${mark}; c`);
  });

  it('takes the whole of a base64 text: its ends give away the ends of the secret', () => {
    expect(
      knowing('cs-7Fq/Zk+9x_A').redactText(`Basic ${Buffer.from('user:cs-7Fq/Zk+9x_A').toString('base64')}.`),
    ).toBe(`Basic ${mark}.`);
  });

  it('is found and taken out whatever it is and whatever stands around it', () => {
    const characters = fc.constantFrom(...'abcXYZ0189-_.~+/=%&\\"\',;:@#$!*()[]{}<>|^`? äß日'.split(''));
    const secrets = fc
      .string({ unit: characters, minLength: 8, maxLength: 40 })
      .filter((s) => new Set(s.replace(/[\s\\"',]/g, '')).size > 5);
    const around = fc.string({ unit: fc.constantFrom(...'ab \n:{}<>.%&'.split('')), maxLength: 12 });
    fc.assert(
      fc.property(secrets, fc.constantFrom(...all), around, around, (secret, [, wrap], before, after) => {
        const redactor = knowing(secret);
        const clean = redactor.redactText(`${before} ${wrap(secret)} ${after}`);
        expect(readersFind(clean, secret)).toBeNull();
        expect(redactor.findSecret(clean)).toBeNull();
      }),
      { seed: 42, numRuns: 1000 },
    );
  });

  it.each(['CS-7FQ/ZK+9X_A.B', 'https://cs-7fq/zk%2b9x_a.b'])('is the same in another case: %s', (text) => {
    const redactor = knowing('cs-7Fq/Zk+9x_A.b');
    expect(redactor.findSecret(text)).toMatchObject({ source: 'V0' });
    expect(redactor.redactText(text)).toMatch(/^(?:https:\/\/)?\[redacted\]$/);
  });

  it('stays valid JSON where it stood in JSON', () => {
    const secret = 'cs-7Fq/Zk"9x\\A.b';
    for (const text of [
      JSON.stringify({ t: secret, u: 1 }),
      JSON.stringify({ t: JSON.stringify({ v: secret }) }),
      '{"t":"cs-7Fq\\/Zk\\"9x\\\\A.b"}',
    ]) {
      const clean = knowing(secret).redactText(text);
      expect(clean).toContain(mark);
      expect(() => JSON.parse(clean)).not.toThrow();
    }
  });

  it('does not touch what is none', () => {
    const redactor = knowing('cs-7Fq/Zk+9x_A.b~41-TgVw==');
    for (const text of ['', 'cs-7Fq', 'a\n"b", %20 &amp; \\u0041', '100 % of C:\\new\\table & more', mark])
      expect(redactor.redactText(text)).toBe(text);
    expect(createRedactor([]).redactText('anything')).toBe('anything');
  });

  it('shorter than eight characters is none, and a plain word that a server mints neither', () => {
    expect(knowing('short').redactText('a short text')).toBe('a short text');
    const redactor = knowing()
      .withSecret(new Secret('production', 'session id'))
      .withSecret(new Secret('sess-51c0ffee-9d2b', 'session id'));
    expect(redactor.redactText('production sess-51c0ffee-9d2b')).toBe(`production ${mark}`);
  });
});

describe('values', () => {
  const secret = 'cs-7Fq/Zk+9x_A.b~41-TgVw==';
  const redactor = knowing(secret, '12345678901234567890');
  it.each<[string, JsonValue, JsonValue]>([
    ['a string', secret, mark],
    ['a key', { [secret]: true, other: 1 }, { [mark]: true, other: 1 }],
    ['two keys', { [`${secret}`]: 1, [encodeURIComponent(secret)]: 2 }, { [mark]: 2, [`${mark} 2`]: 1 }],
    ['a number', { n: 12345678901234567890n, m: 12 }, { n: mark, m: 12 }],
    ['lines of an array', { lines: ['a', secret.slice(0, 9), secret.slice(9), 5] }, { lines: [mark, mark, mark, 5] }],
    [
      'a dangerous key',
      JSON.parse(`{"__proto__":"${secret}"}`) as JsonValue,
      JSON.parse(`{"__proto__":"${mark}"}`) as JsonValue,
    ],
    ['nothing', { a: [1, null, true, 'x'] }, { a: [1, null, true, 'x'] }],
  ])('%s', (_, value, clean) => {
    expect(redactor.redactJson(value)).toEqual(clean);
    expect(redactor.findSecret(writeJson(redactor.redactJson(value)))).toBeNull();
  });

  it('come back as they are where there is no secret', () => {
    const value = { a: [secret] };
    expect(createRedactor([]).redactJson(value)).toBe(value);
  });
});

describe('credentials by their look', () => {
  const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U';
  const redactor = createRedactor([]);
  it.each<[string, JsonValue, JsonValue]>([
    ['a JWT', `token ${jwt}.`, `token ${mark}.`],
    ['a bearer', 'Authorization: Bearer abcdefghijklmnopqrstuvwxyz012345', `Authorization: Bearer ${mark}`],
    ['an AWS key id', 'key AKIAIOSFODNN7EXAMPLE here', `key ${mark} here`],
    ['a GitHub token', `ghp_${'a1'.repeat(18)}`, mark],
    ['a Slack token', 'xoxb-1234567890-abcdefghij', mark],
    ['a private key', 'x\n-----BEGIN RSA PRIVATE KEY-----\nMIIB\n-----END RSA PRIVATE KEY-----\ny', `x\n${mark}\ny`],
    ['a private key without an end', '-----BEGIN PRIVATE KEY-----\nMIIB', mark],
    ['user and password of an address', 'https://user:pass@host.example/a', `https://${mark}@host.example/a`],
    ['a parameter', 'https://h.example/?access_token=abc123&page=2', `https://h.example/?access_token=${mark}&page=2`],
    [
      'a member by its name',
      { authCode: 'x1', auth_code: null, password: '', tokens: 5, name: 'n' },
      { authCode: mark, auth_code: null, password: '', tokens: 5, name: 'n' },
    ],
    ['a member of JSON in a text', '{"client_secret": "a\\"b", "x": 1}', `{"client_secret": "${mark}", "x": 1}`],
    [
      'keys that are addresses',
      { 'b@x.example': 2, 'a@x.example': 1 },
      { 'redacted-1@example.invalid': 1, 'redacted-2@example.invalid': 2 },
    ],
    [
      'prose',
      'Bearer authentication, Basic authorization, a token and a secret.',
      'Bearer authentication, Basic authorization, a token and a secret.',
    ],
    ['an address in a value', { mail: 'a@x.example' }, { mail: 'a@x.example' }],
  ])('%s', (_, value, clean) => {
    expect(redactor.redactResult(value)).toEqual(clean);
    expect(redactor.redactResult(clean)).toEqual(clean);
  });
});

describe('time', () => {
  it.each<[string, string]>([
    ['text', 'Says whether a name is taken. '.repeat(33_000)],
    ['escapes', '\\u0041%41&amp;'.repeat(60_000)],
    ['backslashes', '\\'.repeat(1_000_000)],
    ['ampersands', '&#'.repeat(500_000)],
    ['beginnings of tokens', 'eyJ-eyJ.'.repeat(200_000)],
    ['beginnings of keys', '-----BEGIN PRIVATE KEY-----'.repeat(40_000)],
    ['quotes', '"password" : "'.repeat(80_000)],
    ['near misses', 'cs-7Fq/Zk+9x_A.b~41-TgVw='.repeat(50_000)],
  ])('%s of a megabyte takes linear time', (_, text) => {
    const redactor = knowing('cs-7Fq/Zk+9x_A.b~41-TgVw==', 'another-secret-0123456789');
    const started = performance.now();
    redactor.redactResult(text);
    redactor.findSecret(text);
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});

describe('a list of secrets that many redactors share', () => {
  class Counted extends Secret {
    asked = 0;
    override reveal(): string {
      this.asked += 1;
      return super.reveal();
    }
  }

  it('is made ready once, also where some of them know one more', () => {
    const shared = [new Counted('the-first-secret', 'A'), new Counted('the-second-secret', 'B')];
    createRedactor(shared);
    const once = shared.map(({ asked }) => asked);
    const more = createRedactor(shared).withSecret(new Secret('minted-session-17', 'session'));
    expect(more.redactText('the-first-secret, the-second-secret, minted-session-17')).toBe(`${mark}, ${mark}, ${mark}`);
    expect(more.findSecret(`x ${Buffer.from('minted-session-17').toString('hex')}`)).toMatchObject({
      source: 'session',
    });
    expect(more.findSecret('x THE-SECOND-SECRET')).toMatchObject({ source: 'B' });
    expect(shared.map(({ asked }) => asked)).toEqual(once);
    expect(once.every((asked) => asked > 0)).toBe(true);
  });

  it('is another one in each list, and what one redactor learns no other one knows', () => {
    const first = [new Secret('the-first-secret', 'A')];
    createRedactor(first).withSecret(new Secret('minted-session-17', 'session'));
    expect(createRedactor(first).redactText('the-first-secret minted-session-17')).toBe(`${mark} minted-session-17`);
    expect(createRedactor([]).redactText('the-first-secret')).toBe('the-first-secret');
  });

  it('cuts out what only together with a further one is whole', () => {
    const redactor = createRedactor([new Secret('abcdefgh', 'A')]).withSecret(new Secret('12345678', 'session'));
    expect(redactor.redactText('abcd12345678efgh')).not.toMatch(/abcdefgh|12345678/);
    expect(redactor.redactText('1234abcdefgh5678')).not.toMatch(/abcdefgh|12345678/);
  });
});
