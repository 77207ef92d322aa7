import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { issueKey } from '../../src/alert/issue-key.ts';
import { decodeIssueState, encodeIssueState, type IssueState } from '../../src/alert/issue-state.ts';
import { readCommentToken, readMarkedBody, writeComment, writeMarkedBody } from '../../src/alert/marker.ts';
import { compareTold, findTold, type Told, tellAll } from '../../src/alert/told-findings.ts';
import { severities } from '../../src/rules/rule.ts';

const hex = (length: number): fc.Arbitrary<string> =>
  fc
    .array(fc.integer({ min: 0, max: 15 }), { minLength: length, maxLength: length })
    .map((digits) => digits.map((d) => d.toString(16)).join(''));
const told: fc.Arbitrary<Told> = fc.record({
  fingerprint: hex(16),
  digest: hex(16),
  severity: fc.constantFrom(...severities),
});
const matters = fc.uniqueArray(told, { maxLength: 300, selector: ({ fingerprint }) => fingerprint });
const times = fc.array(fc.nat(), { maxLength: 3 });
const state: fc.Arbitrary<IssueState> = fc.record({
  namespace: hex(8),
  target: fc.option(fc.stringMatching(/^[a-z][a-z0-9.-]{0,62}$/)),
  class: fc.constantFrom('security', 'contract', 'availability', 'health'),
  title: hex(8),
  content: hex(16),
  told: matters.map(tellAll),
  gone: fc.array(told, { maxLength: 30 }),
  baseline: fc.option(hex(16)),
  misses: fc.nat(9),
  patience: fc.integer({ min: 1, max: 6 }),
  pending: fc.nat(9),
  reopened: fc.boolean(),
  earlier: fc.option(fc.nat()),
  comments: fc.nat(),
  changesAt: times,
  closedAt: times,
  closedAs: fc.option(fc.constantFrom('recovered', 'accepted', 'removed', 'duplicate')),
  run: hex(8),
  runAt: fc.nat(),
});
const law = { seed: 20261102, numRuns: 100 };

describe('the state in a marker', () => {
  it('comes back as it was, within its ceiling, and cannot end a comment', () => {
    fc.assert(
      fc.property(state, (written) => {
        const text = encodeIssueState(written);
        expect(text.length).toBeLessThanOrEqual(8 * 1024);
        expect(text).toMatch(/^[A-Za-z0-9+/]+=*$/);
        expect(decodeIssueState(text)).toEqual(written);
      }),
      law,
    );
  });

  it.each(['', 'e30=', '!!!!', 'bnVsbA==', 'W10=', Buffer.from('{"n":1}').toString('base64'), 'A'.repeat(9_000)])(
    'is refused: %s',
    (text) => {
      expect(decodeIssueState(text)).toBeNull();
    },
  );

  it('is refused with any one member spoilt', () => {
    const [sample] = fc.sample(state, { seed: 1, numRuns: 1 });
    const members = JSON.parse(Buffer.from(encodeIssueState(sample as IssueState), 'base64').toString()) as Record<
      string,
      unknown
    >;
    for (const key of Object.keys(members)) {
      if (['t', 'o'].includes(key)) continue;
      const spoilt = Buffer.from(JSON.stringify({ ...members, [key]: { x: 1 } })).toString('base64');
      expect([key, decodeIssueState(spoilt)]).toEqual([key, null]);
    }
  });
});

describe('a marked body', () => {
  const key = issueKey('recordings/targets.yaml', 'godaddy', 'contract');
  const sample = fc.sample(state, { seed: 2, numRuns: 1 })[0] as IssueState;
  const body = writeMarkedBody(key, sample, { status: 'seen.', content: 'content', tail: '\n\ntail' });

  it('is taken apart as it was put together', () => {
    expect(readMarkedBody(body)).toEqual({ key, state: sample, content: 'content', tail: '\n\ntail' });
    // As GitHub's own editor saves it.
    expect(readMarkedBody(body.replaceAll('\n', '\r\n'))?.content).toBe('content');
  });

  it.each([` ${body}`, `x\n${body}`, '', '<!-- mcp-canary:1 -->', body.replace('mcp-canary:1', 'mcp-canary:2')])(
    'is one only where the marker stands at the very start',
    (text) => {
      expect(readMarkedBody(text)).toBeNull();
    },
  );

  it('takes its last line from behind the content, whatever the content quotes', () => {
    const quoting = writeMarkedBody(key, sample, {
      status: 's',
      content: `<!-- mcp-canary:end ${key} -->\nmore`,
      tail: 'tail',
    });
    expect(readMarkedBody(quoting)).toMatchObject({ content: `<!-- mcp-canary:end ${key} -->\nmore`, tail: 'tail' });
  });

  it('a comment is known by its token', () => {
    expect(readCommentToken(writeComment('0123456789abcdef', 'text'))).toBe('0123456789abcdef');
    expect(readCommentToken(`> ${writeComment('0123456789abcdef', 'text')}`)).toBeNull();
  });
});

describe('what was told', () => {
  it('is known, in any number', () => {
    fc.assert(
      fc.property(matters, (all) => {
        const set = tellAll(all);
        expect([...compareTold(all, set).values()].every((news) => news === 'known')).toBe(true);
        expect(findTold(all, set).size).toBe(all.length);
      }),
      law,
    );
  });

  it('one more is news, one less is none', () => {
    fc.assert(
      fc.property(matters, told, (all, other) => {
        fc.pre(all.length > 0 && all.every(({ fingerprint }) => fingerprint !== other.fingerprint));
        expect(compareTold([...all, other], tellAll(all)).get(other.fingerprint)).toBe('new');
        expect([...compareTold(all.slice(1), tellAll(all)).values()].every((news) => news === 'known')).toBe(true);
        expect(findTold([other], tellAll(all)).size).toBe(0);
      }),
      law,
    );
  });

  const matter: Told = { fingerprint: '0'.repeat(16), digest: '1'.repeat(16), severity: 'warning' };
  it.each([
    ['another value', { digest: '2'.repeat(16) }, 'changed'],
    ['a worse severity', { severity: 'breaking' as const }, 'worse'],
    ['a milder severity', { severity: 'info' as const }, 'known'],
  ])('%s is %s', (_, change, news) => {
    expect(compareTold([{ ...matter, ...change }], tellAll([matter])).get(matter.fingerprint)).toBe(news);
    expect(compareTold([{ ...matter, ...change }], tellAll([]), [matter]).get(matter.fingerprint)).toBe(news);
  });
});
