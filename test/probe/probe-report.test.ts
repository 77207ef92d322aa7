import { describe, expect, it } from 'vitest';
import { describeAnswer } from '../../src/probe/describe-answer.ts';
import { gradeAnswer } from '../../src/probe/grade-answer.ts';
import type { Circumstances, SeenProbe } from '../../src/probe/probe.ts';
import {
  isLoud,
  isWhole,
  judgeProbes,
  notesOfProbes,
  type ProbedTarget,
  recordOf,
  weightOf,
} from '../../src/probe/probe-report.ts';
import { type CatalogueProbe, type ProbeId, probes, probesFor } from '../../src/probe/probes.ts';
import type { ProbedServer } from '../../src/probe/send-probes.ts';
import { writeProbeJson } from '../../src/probe/write-probe-json.ts';
import { writeProbeTables } from '../../src/probe/write-probe-table.ts';
import { candidateOf } from '../../src/recording/candidate.ts';
import { filesToRecording, readRecordingFiles } from '../../src/recording/parse-recording.ts';
import type { ProbeAnswer, ProbeRecord } from '../../src/recording/probes.ts';
import { recordingToFiles } from '../../src/recording/serialise-recording.ts';
import { recordingOf } from '../stand-in/recordings.ts';

const answer = (status: number | null, more: Partial<ProbeAnswer> = {}): ProbeAnswer => ({
  status,
  body: null,
  code: null,
  facts: [],
  ...more,
});
const probeOf = (id: ProbeId): CatalogueProbe => {
  const found = (probes as readonly CatalogueProbe[]).find((one) => one.id === id);
  if (found === undefined) throw new Error(id);
  return found;
};
const circumstances: Circumstances = {
  era: 'handshake',
  revision: '2025-11-25',
  transport: 'streamable-http',
  isLoopback: false,
  hasSession: true,
  paginates: false,
  isStatelessOnly: null,
};
const seen = (one: ProbeAnswer) => ({ kind: 'answered' as const, answer: one });

/** A server of which these answers came; the rest was as it should be. */
function judged(
  answers: Partial<Record<ProbeId, ProbeAnswer>>,
  recorded: ProbeRecord | null = null,
  more: Partial<ProbedServer> = {},
): ProbedTarget {
  const rows = probesFor('streamable-http', 'handshake').map(
    ({ id }) => [id, { kind: 'not-sent', why: 'not asked here' } as const] as const,
  );
  const came = Object.entries(answers).map(([id, one]) => [id as ProbeId, seen(one)] as const);
  const { revision, ...around } = circumstances;
  const server: ProbedServer = {
    offered: revision,
    revision,
    seen: new Map<ProbeId, SeenProbe>([...rows, ...came]),
    circumstances: around,
    failure: null,
    ...more,
  };
  return judgeProbes(
    { target: 'case', registrar: 'Registrar', transport: 'streamable-http', era: 'handshake' },
    server,
    recorded,
  );
}

const record = (answers: Partial<Record<ProbeId, ProbeAnswer>>, revision = '2025-11-25'): ProbeRecord => ({
  revision,
  answers: new Map(Object.entries(answers)),
});
const row = (target: ProbedTarget, id: ProbeId) => target.rows.find((one) => one.id === id);

describe('a grade', () => {
  it('leaves to a public server which origins it serves, not to one on loopback', () => {
    const served = seen(answer(200, { body: 'result' }));
    expect(gradeAnswer(probeOf('origin-foreign'), served, circumstances)).toMatchObject({ grade: 'not-defined' });
    expect(gradeAnswer(probeOf('origin-foreign'), served, { ...circumstances, isLoopback: true })).toMatchObject({
      grade: 'departs-must',
    });
  });

  it.each([401, 403, 429, 502, 503, 504])('is withheld from %d, which says nothing about the question', (status) => {
    for (const one of probesFor('streamable-http', 'handshake').filter(({ id }) => id !== 'origin-foreign'))
      expect(gradeAnswer(one, seen(answer(status, { body: 'empty' })), circumstances)).toMatchObject({
        grade: 'could-not-look',
      });
  });

  it('follows the level of the revision', () => {
    const repeated = seen(answer(200, { body: 'result' }));
    const inRevision = (revision: Circumstances['revision']) =>
      gradeAnswer(probeOf('version-unknown'), repeated, { ...circumstances, revision });
    expect(inRevision('2025-03-26')).toEqual({ level: null, grade: 'not-defined', remark: null });
    expect(inRevision('2025-06-18')).toMatchObject({ level: 'MUST', grade: 'departs-must' });
  });
});

describe('beside what was recorded', () => {
  const departing = answer(404, { body: 'unread' });

  it('a departure counts until it is accepted, and again when it is another one', () => {
    expect(isLoud(judged({ 'stream-get': departing }), 'breaking')).toBe(true);
    expect(isLoud(judged({ 'stream-get': departing }, record({ 'stream-get': departing })), 'info')).toBe(false);
    const other = judged({ 'stream-get': departing }, record({ 'stream-get': answer(406, { body: 'unread' }) }));
    expect(isLoud(other, 'breaking')).toBe(true);
  });

  it('a change within the rules is info', () => {
    const target = judged(
      { 'stream-get': answer(405) },
      record({ 'stream-get': answer(200, { facts: ['event-stream'] }) }),
    );
    const changed = row(target, 'stream-get');
    expect(changed).toMatchObject({ isChanged: true, grade: 'conforms' });
    expect(changed && weightOf(changed)).toBe('info');
    expect([isLoud(target, 'info'), isLoud(target, 'warning')]).toEqual([true, false]);
  });

  it('facts are a set', () => {
    const now = answer(204, { facts: ['allows-post', 'allows-get'] });
    const target = judged({ options: now }, record({ options: { ...now, facts: ['allows-get', 'allows-post'] } }));
    expect(row(target, 'options')).toMatchObject({ isChanged: false });
  });

  it('what could not be looked at is neither changed nor forgotten', () => {
    const before = record({ 'stream-get': answer(405), batch: answer(400, { body: 'empty' }) });
    const target = judged({ 'stream-get': answer(503), batch: answer(400, { body: 'text' }) }, before);
    expect(row(target, 'stream-get')).toMatchObject({ isChanged: false, grade: 'could-not-look' });
    expect(isWhole(target)).toBe(false);
    expect(recordOf(target, before)).toEqual({
      revision: '2025-11-25',
      answers: new Map([
        ['stream-get', answer(405)],
        ['batch', answer(400, { body: 'text' })],
      ]),
    });
  });

  it('notes tell each change in a sentence, and that there is nothing to compare with', () => {
    const before = record({ 'stream-get': answer(405), options: answer(204, { body: 'empty' }) });
    const changed = judged({ 'stream-get': departing, options: answer(204, { body: 'empty' }) }, before);
    expect(notesOfProbes(changed)).toEqual([
      {
        code: 'probe-changed',
        step: 'probe',
        message: 'Probe stream-get (GET for a stream): 404 instead of 405; that departs from a MUST.',
      },
    ]);
    expect(notesOfProbes(judged({})).map(({ code }) => code)).toEqual(['probe-unrecorded']);
    expect(notesOfProbes(judged({}, record({}, '2025-06-18'))).map(({ code }) => code)).toEqual(['probe-revision']);
    expect(notesOfProbes(judged({ options: answer(503) }, record({}))).map(({ code }) => code)).toEqual([
      'probe-unanswered',
    ]);
    const failure = { class: 'timeout', step: 'probe', message: 'late' } as const;
    expect(notesOfProbes(judged({}, null, { failure }))).toEqual([
      { code: 'probe-failed', step: 'probe', message: 'The probes could not all be sent: late' },
    ]);
  });
});

describe('probes.json', () => {
  const probesOf: ProbeRecord = record({
    'stream-get': answer(405, { body: 'unread' }),
    'cursor-bogus': answer(200, { body: 'error', code: 12345678901234567890n, facts: ['id-null', 'allows-get'] }),
    'reply-id': answer(null),
  });

  it('comes back as it was written, in one order', () => {
    const files = recordingToFiles(recordingOf({ probes: probesOf }));
    const again = filesToRecording(files);
    expect(again.probes).toEqual({
      ...probesOf,
      answers: new Map([...probesOf.answers].map(([id, one]) => [id, { ...one, facts: [...one.facts].sort() }])),
    });
    expect([...recordingToFiles(again)]).toEqual([...files]);
    expect(readRecordingFiles(files).edited()).toEqual([]);
    expect(files.get('probes.json')).toBe(`{
  "answers": {
    "cursor-bogus": {
      "body": "error",
      "code": 12345678901234567890,
      "facts": [
        "allows-get",
        "id-null"
      ],
      "status": 200
    },
    "reply-id": {
      "body": null,
      "code": null,
      "facts": [],
      "status": null
    },
    "stream-get": {
      "body": "unread",
      "code": null,
      "facts": [],
      "status": 405
    }
  },
  "revision": "2025-11-25"
}
`);
  });

  it('is not there where none were taken', () => {
    const files = recordingToFiles(recordingOf());
    expect(files.has('probes.json')).toBe(false);
    expect(Object.hasOwn(filesToRecording(files), 'probes')).toBe(false);
  });

  it.each([
    ['an unknown member', { revision: 'x', answers: {}, when: 1 }, /unknown member "when"/],
    ['a body that is none', { revision: 'x', answers: { a: { ...answer(200), body: 'poem' } } }, /answers\/a\/body/],
    ['a fact that is prose', { revision: 'x', answers: { a: { ...answer(200), facts: ['<b>hi</b>'] } } }, /is no fact/],
    ['an id that is prose', { revision: 'x', answers: { 'A B': answer(200) } }, /probes\.json/],
  ])('%s is refused', (_, value, says) => {
    const files = new Map([...recordingToFiles(recordingOf()), ['probes.json', JSON.stringify(value)]]);
    expect(() => filesToRecording(files)).toThrow(says);
  });

  it('outlives a replay, which does not ask for it', () => {
    const previous = recordingOf({ probes: probesOf });
    const observation = {
      target: 'registrar',
      era: 'handshake',
      revision: '2025-06-18',
      contract: { ...previous.contract, list: previous.contract.list && { ...previous.contract.list, tools: [] } },
      breaches: [],
      failures: [],
      notes: [],
      replayed: [],
      challenge: null,
    } as const;
    for (const purpose of ['accept', 'record'] as const) {
      const candidate = candidateOf({
        observations: [observation],
        previous,
        use: { tools: null } as never,
        recordedAt: '2026-08-01T00:00:00.000Z',
        provenance: 'live',
        authenticated: false,
        purpose,
      });
      expect(candidate.probes).toBe(probesOf);
    }
  });
});

describe('what is shown', () => {
  const target = judged(
    {
      'stream-get': answer(404, { body: 'unread' }),
      options: answer(204, { body: 'empty', facts: ['allows-get', 'allows-post', 'cors-any'] }),
      'body-malformed': answer(400, { body: 'error', code: -32700, facts: ['id-null'] }),
      'cursor-bogus': answer(503),
    },
    record({ 'stream-get': answer(405, { body: 'unread' }) }),
  );

  it('is a table', () => {
    const table = writeProbeTables([target], { color: false, isRecording: false });
    expect(table).toMatch(/^case \(Registrar\): streamable-http, revision 2025-11-25\n/);
    expect(table).toMatch(/stream-get +MUST +404 +departs \(MUST\)\n +changed; recorded: 405\n/);
    expect(table).toMatch(/options +- +204 no body, CORS for any origin, allows GET, POST +not defined\n/);
    expect(table).toMatch(/body-malformed +SHOULD +400 error -32700, id null +conforms\n/);
    expect(table).toMatch(/cursor-bogus +SHOULD +503 +could not look\n/);
    expect(table).toMatch(/1 changed since they were recorded\.\n$/);
    expect(writeProbeTables([target], { color: true, isRecording: false })).toContain('\u001b[31mdeparts (MUST)');
  });

  it('is JSON', () => {
    const text = writeProbeJson([target], { version: '1.2.3', startedAt: 'a', finishedAt: 'b' });
    expect(JSON.parse(text)).toMatchObject({
      formatVersion: 1,
      tool: { name: 'mcp-canary', version: '1.2.3' },
      targets: [
        {
          target: 'case',
          revision: '2025-11-25',
          recordedRevision: '2025-11-25',
          failure: null,
          probes: expect.arrayContaining([
            expect.objectContaining({
              id: 'stream-get',
              level: 'MUST',
              grade: 'departs-must',
              answer: { status: 404, body: 'unread', code: null, facts: [] },
              recorded: { status: 405, body: 'unread', code: null, facts: [] },
              changed: true,
            }),
          ]),
          summary: { 'departs-must': 1, 'could-not-look': 1, changed: 1 },
        },
      ],
    });
  });

  it('says a fact of a newer recording as it is written', () => {
    expect(describeAnswer(answer(200, { body: 'result', facts: ['from-the-future'] }))).toBe(
      '200 result, from-the-future',
    );
    expect(describeAnswer(answer(null))).toBe('as it should be');
  });
});
