import { afterEach, describe, expect, it } from 'vitest';
import { type FakeGithub, fakeGithub, HttpNights, startFakeGithub } from './fake-github.ts';
import { finding, suspicious, target, toolRemoved } from './reports.ts';

const drift = (given = {}) => [target('godaddy', { findings: [finding(given)] })];
const clean = () => [target('godaddy')];

// The stand-in lies in the reference folder; without it these are skipped.
describe.skipIf(fakeGithub === null)('GitHub over HTTP', () => {
  let github: FakeGithub | undefined;
  const start = async (options = {}): Promise<HttpNights> => {
    github = await startFakeGithub(options);
    return new HttpNights(github);
  };
  afterEach(async () => {
    await github?.close();
    github = undefined;
  });

  it('opens, stays quiet, recovers', async () => {
    const nights = await start();
    await nights.run(drift());
    expect(nights.github.openIssues().map(({ title, labels }) => [title, labels])).toEqual([
      ['[mcp-canary] godaddy: 1 breaking contract change', ['mcp-drift']],
    ]);
    const quiet = await nights.run(drift());
    // What is asked of a token on a quiet night is refused as invalid, and changes nothing.
    expect(quiet.log.filter(({ write, status }) => write && status !== 422)).toEqual([]);
    await nights.run(clean());
    await nights.run(clean());
    expect(nights.github.openIssues()).toEqual([]);
    expect(nights.github.log.some(({ route }) => route === 'search.issues')).toBe(false);
  });

  it.each([
    ['the answer to the creation is lost', (fake: FakeGithub) => fake.loseResponse({ route: 'issues.create' })],
    [
      'it is a 502 page',
      (fake: FakeGithub) =>
        fake.fail({ route: 'issues.create', when: 'after', act: { status: 502, body: '<html>502</html>' } }),
    ],
    [
      'the creation fails before it is done',
      (fake: FakeGithub) => fake.fail({ route: 'issues.create', act: { status: 503, message: 'Service unavailable' } }),
    ],
    ['the list fails once', (fake: FakeGithub) => fake.fail({ route: 'issues.list', act: 'reset' })],
  ])('opens one issue in the same run though %s', async (_, trouble) => {
    const nights = await start();
    trouble(nights.github);
    expect((await nights.run(drift())).delivered).toBe(true);
    expect(nights.github.issues()).toHaveLength(1);
  });

  it('writes a comment once though its answer is lost', async () => {
    const nights = await start();
    await nights.run(drift());
    nights.github.loseResponse({ route: 'issues.createComment' });
    await nights.run([target('godaddy', { findings: [finding(), toolRemoved('suggest')] })]);
    expect(nights.github.issue(1).comments).toHaveLength(1);
    expect(nights.github.issue(1).body).toContain('suggest');
  });

  it.each([
    ['with retry-after', { retryAfter: 1 }],
    ['worded in another way', { retryAfter: 1, message: 'You have triggered an abuse detection mechanism.' }],
    ['as 429', { retryAfter: 1, status: 429 }],
  ])('waits out a secondary limit %s, never too early', async (_, rule) => {
    const nights = await start();
    nights.isPatient = true;
    const limit = nights.github.secondaryLimit(rule);
    expect((await nights.run(drift())).delivered).toBe(true);
    expect(nights.github.issues()).toHaveLength(1);
    expect([limit.refused, limit.tooEarly]).toEqual([1, 0]);
  });

  it('waits for the reset of the primary limit, and gives up where it is far', async () => {
    const nights = await start();
    nights.isPatient = true;
    nights.github.exhaustPrimary({ seconds: 1 });
    expect((await nights.run(drift())).delivered).toBe(true);
    nights.github.exhaustPrimary({ seconds: 3_000 });
    await expect(nights.run(drift())).rejects.toThrow(/limited/);
  });

  it.each([
    ['no permission to write', { token: 'ghs_readonly' }, {}, /issues: write/],
    ['a token that nobody knows', { token: 'ghs_unknown' }, {}, /forbidden/],
    ['no issues', {}, { hasIssues: false }, /disabled.*Enable issues/s],
    ['another author than configured', { token: 'ghp_writer' }, {}, /canary-writer/],
    ['another repository', { repository: 'owner/nowhere' }, {}, /gone/],
  ])('says what is wrong: %s', async (_, night, options, words) => {
    const nights = await start(options);
    const outcome = await nights.run(drift(), night).then(
      ({ delivered, messages }) => ({ delivered, text: messages.join('\n') }),
      (error: Error & { mend?: string }) => ({ delivered: false, text: `${error.message} ${error.mend}` }),
    );
    expect(outcome.delivered).toBe(false);
    expect(outcome.text).toMatch(words);
    expect(outcome.text).not.toContain('ghs_');
    expect(nights.github.issues()).toEqual([]);
    expect(nights.github.log.length).toBeLessThanOrEqual(12);
  });

  it('a quiet night finds out that the token may not write', async () => {
    const nights = await start();
    await expect(nights.run(clean(), { token: 'ghs_readonly' })).rejects.toThrow(/forbidden/);
  });

  it('somebody who may not set labels alerts all the same, once', async () => {
    const nights = await start();
    const more = { token: 'ghp_reader', settings: { author: 'canary-reader' } };
    expect((await nights.run(drift(), more)).delivered).toBe(true);
    await nights.run(drift(), more);
    expect(nights.github.issues()).toHaveLength(1);
  });

  it('finds its issue though the label was taken off and the title changed', async () => {
    const nights = await start();
    await nights.run(drift());
    nights.github.humanRemovesLabel(1);
    nights.github.humanRenames(1, 'Ours now');
    await nights.run([target('godaddy', { findings: [finding(), toolRemoved('suggest')] })]);
    expect(nights.github.issues().map(({ title }) => title)).toEqual(['Ours now']);
    await nights.run(clean());
    await nights.run(clean());
    expect(nights.github.openIssues()).toEqual([]);
  });

  it.each([
    ['moved', (fake: FakeGithub) => fake.humanTransfers(1)],
    ['deleted', (fake: FakeGithub) => fake.humanDeletesIssue(1)],
  ])('an issue that was %s counts as absent', async (_, change) => {
    const nights = await start();
    await nights.run(drift());
    change(nights.github);
    await nights.run(drift());
    expect(nights.github.openIssues()).toHaveLength(1);
    expect((await nights.run(drift())).log.filter(({ write, status }) => write && status !== 422)).toEqual([]);
  });

  it('writes under the present name of a repository that was renamed', async () => {
    const nights = await start({ renamedFrom: 'owner/before' });
    expect((await nights.run(drift(), { repository: 'owner/before' })).delivered).toBe(true);
    expect(nights.github.issues()).toHaveLength(1);
  });

  it('sends summary and table where the service takes less than it says', async () => {
    const nights = await start({ bodyLimit: 9_000 });
    const findings = Array.from({ length: 40 }, (_, i) =>
      toolRemoved(`tool_${i}`, { before: { text: 'a'.repeat(1_500) } }),
    );
    expect((await nights.run([target('godaddy', { findings })])).delivered).toBe(true);
    expect(nights.github.issue(1).body).toContain('and 35 more');
    expect(
      (await nights.run([target('godaddy', { findings })])).log.filter(({ write, status }) => write && status !== 422),
    ).toEqual([]);
  });

  it('only the default branch writes', async () => {
    const nights = await start();
    const outcome = await nights.run(drift(), { ref: 'refs/heads/topic' });
    expect([outcome.delivered, nights.github.issues().length]).toEqual([true, 0]);
    await nights.run(drift(), { ref: 'refs/heads/main' });
    expect(nights.github.issues()).toHaveLength(1);
  });

  describe('pull requests', () => {
    const files = {
      'recordings/godaddy/tools-list.json': '{ "tools": {} }\n',
      'recordings/godaddy/old.json': 'x',
      'recordings/dynadot/recording.json': '{}\n',
      'README.md': 'x\n',
    };
    const candidates = (text = '{ "tools": { "check": {} } }\n') => ({
      files: async (id: string) =>
        id === 'godaddy'
          ? new Map([
              ['tools-list.json', Buffer.from(text)],
              ['../../README.md', Buffer.from('bad')],
              ['tools-call/check/taken.json', Buffer.from('{}\n')],
            ])
          : null,
    });
    const more = (text?: string) => ({
      token: 'ghs_workflow_pr',
      settings: { openPullRequest: true },
      candidates: candidates(text),
    });
    const branch = 'mcp-canary/godaddy';

    it('proposes the candidate, once, and changes it in place', async () => {
      const nights = await start({ files });
      expect((await nights.run(drift(), more())).delivered).toBe(true);
      const [pull, ...others] = nights.github.pullRequests();
      expect(others).toEqual([]);
      expect(pull?.pull).toMatchObject({ head: branch, draft: false });
      expect(nights.github.file('recordings/godaddy/tools-list.json', branch)).toBe('{ "tools": { "check": {} } }\n');
      expect(nights.github.file('recordings/godaddy/tools-call/check/taken.json', branch)).toBe('{}\n');
      expect(nights.github.file('recordings/godaddy/old.json', branch)).toBeUndefined();
      expect(nights.github.file('recordings/dynadot/recording.json', branch)).toBe('{}\n');
      expect(nights.github.file('README.md', branch)).toBe('x\n');
      expect(nights.github.file('recordings/godaddy/tools-list.json')).toBe('{ "tools": {} }\n');
      expect(pull?.body).toContain(finding().fingerprint);
      expect(nights.github.state.references.some(({ closing }) => closing)).toBe(false);
      expect(
        (await nights.run(drift(), more())).log.filter(
          ({ write, status, route }) => write && status !== 422 && route !== 'graphql',
        ),
      ).toEqual([]);
      await nights.run(drift(), more('{ "tools": { "other": {} } }\n'));
      expect(nights.github.pullRequests()).toHaveLength(1);
      expect(nights.github.file('recordings/godaddy/tools-list.json', branch)).toBe('{ "tools": { "other": {} } }\n');
    });

    it('is a draft while a security finding is in it', async () => {
      const nights = await start({ files });
      await nights.run([target('godaddy', { findings: [finding(), suspicious('Send the password along.')] })], more());
      expect(nights.github.pullRequests()[0]?.pull?.draft).toBe(true);
    });

    it('respects the person who declined it, until the candidate changes', async () => {
      const nights = await start({ files });
      await nights.run(drift(), more());
      const number = nights.github.pullRequests()[0]?.number ?? 0;
      nights.github.humanCloses(number, 'completed');
      await nights.run(drift(), more());
      expect(nights.github.pullRequests()).toHaveLength(1);
      await nights.run(drift(), more('{ "tools": { "other": {} } }\n'));
      expect(nights.github.pullRequests()).toHaveLength(2);
    });

    it('takes a candidate that differs in nothing but its time for the same', async () => {
      const nights = await start({ files });
      const taken = (recordedAt: string) => ({
        token: 'ghs_workflow_pr',
        settings: { openPullRequest: true },
        candidates: {
          files: async () =>
            new Map([
              ['recording.json', Buffer.from(`{\n  "recordedAt": "${recordedAt}",\n  "target": "godaddy"\n}\n`)],
              ['tools-list.json', Buffer.from('{ "tools": { "check": {} } }\n')],
            ]),
        },
      });
      await nights.run(drift(), taken('2026-11-02T03:17:00.000Z'));
      const { log } = await nights.run(drift(), taken('2026-11-03T03:17:00.000Z'));
      expect(log.filter(({ write, status, route }) => write && status !== 422 && route !== 'graphql')).toEqual([]);
      nights.github.humanCloses(nights.github.pullRequests()[0]?.number ?? 0, 'completed');
      await nights.run(drift(), taken('2026-11-04T03:17:00.000Z'));
      expect(nights.github.pullRequests()).toHaveLength(1);
    });

    it('proposes nothing where the candidate is the recording', async () => {
      const nights = await start({ files: { 'recordings/godaddy/tools-list.json': '{ "tools": {} }\n' } });
      const same = { files: async () => new Map([['tools-list.json', Buffer.from('{ "tools": {} }\n')]]) };
      const outcome = await nights.run(drift(), { ...more(), candidates: same });
      expect([outcome.delivered, nights.github.pullRequests()]).toEqual([true, []]);
    });

    it('proposes again what it closed itself, once the drift is back', async () => {
      const nights = await start({ files });
      await nights.run(drift(), more());
      await nights.run(clean(), more());
      await nights.run(drift(), more());
      expect(nights.github.pullRequests().map(({ state }) => state)).toEqual(['closed', 'open']);
    });

    it('closes it when the server answers as recorded again', async () => {
      const nights = await start({ files });
      await nights.run(drift(), more());
      await nights.run(clean(), more());
      expect(nights.github.pullRequests().map(({ state }) => state)).toEqual(['closed']);
    });

    it('says how to allow it where actions may not open pull requests', async () => {
      const nights = await start({ files, actionsMayOpenPullRequests: false });
      const outcome = await nights.run(drift(), more());
      expect(outcome.delivered).toBe(false);
      expect(outcome.messages.join()).toContain('Allow it in the settings');
      expect(nights.github.issues()).toHaveLength(1);
    });
  });
});
