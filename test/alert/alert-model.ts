import fc from 'fast-check';
import { expect } from 'vitest';
import { readCommentToken, readMarkedBody } from '../../src/alert/marker.ts';
import type { Finding } from '../../src/findings/finding.ts';
import type { TargetReport } from '../../src/findings/report.ts';
import { Crash, type Fault, type HeldIssue } from './memory-tracker.ts';
import { Nights } from './nights.ts';
import { finding, silent, suspicious, target, toolRemoved } from './reports.ts';

type Sight =
  | { readonly kind: 'drift'; readonly which: number; readonly value: number }
  | { readonly kind: 'clean' | 'outage' | 'absent' };
type Trouble =
  | { readonly how: Fault; readonly nth: number }
  | { readonly how: 'stale' | 'twice'; readonly nth: 0 }
  | null;
type Hand = 'none' | 'not_planned' | 'completed' | 'rename' | 'unlabel' | 'lock' | 'reopen';

interface Night {
  readonly sight: Sight;
  readonly trouble: Trouble;
  /** What a person does in the morning. */
  readonly hand: Hand;
}

const night: fc.Arbitrary<Night> = fc.record({
  sight: fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('drift' as const),
        which: fc.integer({ min: 1, max: 7 }),
        value: fc.integer({ min: 0, max: 1 }),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.constantFrom<Sight>({ kind: 'clean' }, { kind: 'clean' }, { kind: 'outage' }, { kind: 'absent' }),
    },
  ),
  trouble: fc.oneof(
    { weight: 3, arbitrary: fc.constant(null) },
    {
      weight: 3,
      arbitrary: fc.record({
        how: fc.constantFrom<Fault>('crash-before', 'crash-after', 'lose', 'lose-before', 'limit'),
        nth: fc.integer({ min: 1, max: 9 }),
      }),
    },
    { weight: 1, arbitrary: fc.constantFrom<Trouble>({ how: 'stale', nth: 0 }, { how: 'twice', nth: 0 }) },
  ),
  hand: fc.oneof(
    { weight: 5, arbitrary: fc.constant<Hand>('none') },
    { weight: 3, arbitrary: fc.constantFrom<Hand>('not_planned', 'completed', 'rename', 'unlabel', 'lock', 'reopen') },
  ),
});

export const sequences = fc.array(night, { minLength: 1, maxLength: 10 });

/** The kinds of nights and mornings in a sequence; drift is another one where a night before it saw some. */
export function kindsIn(steps: readonly Night[]): ReadonlySet<string> {
  const drifts = steps.flatMap(({ sight }) => (sight.kind === 'drift' ? [`${sight.which} ${sight.value}`] : []));
  return new Set([
    ...steps.map(({ sight }) => sight.kind),
    ...steps.flatMap(({ trouble }) => trouble?.how ?? []),
    ...steps.map(({ hand }) => hand),
    ...(new Set(drifts).size > 1 ? ['other drift'] : []),
  ]);
}

const findingsOf = ({ which, value }: Extract<Sight, { kind: 'drift' }>): readonly Finding[] =>
  [finding({ after: [`value ${value}`] }), toolRemoved('suggest'), suspicious(`text ${value}`)].filter(
    (_, i) => which & (1 << i),
  );

function look(sight: Sight): readonly TargetReport[] {
  if (sight.kind === 'drift') return [target('godaddy', { findings: findingsOf(sight) }), target('dynadot')];
  if (sight.kind === 'absent') return [target('dynadot')];
  return [sight.kind === 'outage' ? silent('godaddy') : target('godaddy'), target('dynadot')];
}

const pair = ({ fingerprint, digest }: Finding): string => `${fingerprint} ${digest}`;
const isAbout =
  (words: RegExp) =>
  (issue: HeldIssue): boolean =>
    words.test(readMarkedBody(issue.body)?.state?.class ?? '');
const aboutFindings = isAbout(/security|contract/);

/** So many equal nights after which everything must have come to rest: the longest patience, and two to spare. */
const toRest = 8;

/**
 * The simple model: what people dismissed for certain (`silenced`) and perhaps (`perhaps`: told once in an issue that a
 * person closed). Whatever was seen tonight and is not perhaps dismissed must be open; what certainly is must not.
 */
class Model {
  readonly nights = new Nights({ unavailableAfter: 2 });
  readonly #silenced = new Set<string>();
  readonly #perhaps = new Set<string>();
  /** Pairs that an open issue may have told of. */
  readonly #shown = new Set<string>();
  #last: Sight = { kind: 'absent' };

  async live(sight: Sight, trouble: Trouble): Promise<readonly unknown[] | null> {
    const { service } = this.nights;
    const options = { night: Math.floor(this.nights.night) + 1, configured: ['godaddy', 'dynadot'] };
    if (sight.kind === 'drift') for (const found of findingsOf(sight)) this.#shown.add(pair(found));
    this.#last = sight;
    if (trouble?.how === 'twice') {
      this.#hadTwoAtOnce = true;
      await Promise.all([
        this.nights.run(look(sight), { ...options, run: 'a' }),
        this.nights.run(look(sight), { ...options, run: 'b' }),
      ]);
      return null;
    }
    if (trouble?.how === 'stale') service.staleAfter = service.issues.length - 1;
    else if (trouble !== null) service.fault = { nth: trouble.nth, how: trouble.how };
    try {
      const { writes, failures } = await this.nights.run(look(sight), options);
      const isCalm = trouble === null;
      if (isCalm) expect(failures).toEqual([]);
      return isCalm ? writes : null;
    } catch (error) {
      // A crash, or a list that could not be read: the run ends there.
      if (trouble === null || !(error instanceof Crash || /\((?:lost|limited)\)/.test(String(error)))) throw error;
      return null;
    } finally {
      service.fault = null;
      service.staleAfter = null;
    }
  }

  act(hand: Hand): void {
    const { service } = this.nights;
    const issue = service.open().find(aboutFindings);
    if (hand === 'reopen') {
      const closed = service.issues.find((held) => held.state === 'closed' && aboutFindings(held));
      if (closed === undefined) return;
      this.#silenced.clear();
      service.humanReopens(closed.number);
    }
    if (issue === undefined) return;
    if (hand === 'rename') issue.title = 'A name of our own';
    if (hand === 'unlabel') issue.labels = [];
    if (hand === 'lock') issue.locked = true;
    if (hand !== 'not_planned' && hand !== 'completed') return;
    service.humanCloses(issue.number, hand);
    for (const told of this.#shown) this.#perhaps.add(told);
    // What the issue said for certain: what was seen in the night before this morning, in its body.
    if (hand === 'completed' || this.#last.kind !== 'drift') return;
    for (const found of findingsOf(this.#last))
      if (issue.body.includes(found.fingerprint) && this.#isCalm) this.#silenced.add(pair(found));
  }

  #isCalm = false;
  /** Two runs that do the same at the same moment may say the same twice. */
  #hadTwoAtOnce = false;

  async play(steps: readonly Night[]): Promise<void> {
    for (const { sight, trouble, hand } of steps) {
      const before = this.#openKeys();
      this.#isCalm = (await this.live(sight, trouble)) !== null;
      // A night that judged nothing closes nothing.
      if (sight.kind === 'outage' || sight.kind === 'absent') expect(this.#openKeys()).toEqual(before);
      if (this.#isCalm) this.check();
      this.act(hand);
    }
    let writes: readonly unknown[] | null = null;
    for (let n = 0; n < toRest; n += 1) writes = await this.live(this.#last, null);
    expect(writes).toEqual([]);
    this.check();
    this.checkRest();
  }

  /** Keys of the open issues about findings. */
  #openKeys(): ReadonlySet<string | undefined> {
    return new Set(
      this.nights.service
        .open()
        .filter(aboutFindings)
        .map(({ body }) => readMarkedBody(body)?.key),
    );
  }

  /** After every calm night. */
  check(): void {
    const open = this.nights.service.open();
    const keys = open.map(({ body }) => readMarkedBody(body)?.key);
    expect(new Set(keys).size).toBe(keys.length);
    for (const { comments } of this.nights.service.issues) {
      const tokens = comments.map(({ body }) => readCommentToken(body));
      if (!this.#hadTwoAtOnce) expect(new Set(tokens).size).toBe(tokens.length);
    }
    if (this.#last.kind !== 'drift') return;
    for (const found of findingsOf(this.#last)) {
      if (this.#perhaps.has(pair(found))) continue;
      expect(open.filter(aboutFindings).some(({ body }) => body.includes(found.fingerprint))).toBe(true);
    }
  }

  /** After enough equal nights. */
  checkRest(): void {
    const open = this.nights.service.open();
    const drift = this.#last.kind === 'drift' ? findingsOf(this.#last).map(pair) : [];
    if (this.#last.kind === 'clean') expect(open).toEqual([]);
    if (this.#last.kind === 'drift' && drift.every((told) => this.#silenced.has(told)))
      expect(open.filter(aboutFindings)).toEqual([]);
    expect(open.filter(isAbout(/availability/))).toHaveLength(
      this.#last.kind === 'outage' ? 1 : this.#last.kind === 'absent' ? open.filter(isAbout(/availability/)).length : 0,
    );
  }
}

export const playSequence = (steps: readonly Night[]): Promise<void> => new Model().play(steps);
