import { describe, expect, it } from 'vitest';
import type { Finding } from '../../src/findings/finding.ts';
import { candidateOf } from '../../src/recording/candidate.ts';
import type { Contract } from '../../src/recording/observation.ts';
import { filesToRecording } from '../../src/recording/parse-recording.ts';
import { caseKey, type Recording } from '../../src/recording/recording.ts';
import { recordingToFiles } from '../../src/recording/serialise-recording.ts';
import { deriveShape } from '../../src/recording/shape-derive.ts';
import type { RuleId } from '../../src/rules/catalogue.ts';
import { acceptSelected, findUnacceptable } from '../../src/run/accept-selected.ts';
import type { SchemaValidator } from '../../src/schemas/schema-validator.ts';
import { createDirectValidator } from '../helpers/in-process-validator.ts';
import { type Fixture, fixtures } from './fixtures.ts';
import { call, judge, observationOf, recordingOf, type Sides, tool, undecided, useOf } from './sides.ts';

/** Proofs change nothing of what is told, so only rules that a validator decides ask one. */
const direct = createDirectValidator();
const validatorFor = (rule: RuleId): SchemaValidator => (rule.endsWith('-recording-invalid') ? direct : undecided);
const acceptance = { at: '2026-12-01T08:00:00Z', by: 'somebody', reason: 'agreed with the vendor' };

/** A recording as it is on disk: every result has its shape. */
function shaped(recording: Recording): Recording {
  const shapes = new Map(recording.shapes);
  for (const { tool, case: name, outcome } of recording.contract.calls) {
    const key = caseKey(tool, name);
    if (outcome.kind === 'result' && !shapes.has(key)) shapes.set(key, deriveShape(outcome.result));
  }
  return { ...recording, shapes };
}

const bystander = 'zz-bystander';

/** The same with changes beside it that have nothing to do with it: of another tool and its call, of the list, of the wire. */
function withBystanders(fixture: Fixture): Fixture {
  const { sides } = fixture;
  const recorded = recordingOf(sides.recording).contract;
  const live = observationOf(sides.observation).contract;
  return {
    ...fixture,
    sides: {
      ...sides,
      recording: { ...sides.recording, contract: besides(recorded, 'before') },
      observation: { ...sides.observation, contract: besides(live, 'after') },
    },
  };
}

function besides({ handshake, list: listed, calls }: Contract, side: 'before' | 'after'): Contract {
  const isAfter = side === 'after';
  const result = {
    content: [{ type: 'text', text: 'see the data' }],
    structuredContent: { xBystander: isAfter ? 'x' : 1 },
  };
  return {
    handshake:
      handshake === null
        ? null
        : {
            ...handshake,
            session: isAfter && handshake.session === 'none' ? 'issued' : handshake.session,
            result: { ...handshake.result, ...(isAfter ? { xBystander: 1 } : {}) },
          },
    list:
      listed === null || listed.tools.length === 0
        ? listed
        : {
            ...listed,
            malformed: isAfter ? [...listed.malformed, { index: 99, value: 'bystander' }] : listed.malformed,
            tools: [...listed.tools, tool(bystander, { title: `Title ${side}` })],
            transport: { ...listed.transport, ...(isAfter ? { sunset: 'Wed, 30 Jun 2027 00:00:00 GMT' } : {}) },
          },
    calls: [...calls, call(bystander, 'taken', { outcome: { kind: 'result', result } })],
  };
}

/** What accepting everything that was seen would give, as a check writes it. */
function candidateFrom(recording: Recording, sides: Sides, findings: readonly Finding[]): Recording {
  const judged = findings.filter((finding) => finding.method === 'tools/call');
  return candidateOf({
    observations: [observationOf(sides.observation)],
    previous: recording,
    use: useOf(sides.use),
    recordedAt: '2026-11-30T03:17:00Z',
    provenance: 'live',
    authenticated: recording.authenticated,
    purpose: 'accept',
    judgedCalls: new Set(
      recording.contract.calls
        .filter((call) => judged.some((one) => one.places.some(({ tool }) => tool === call.tool)))
        .map((call) => caseKey(call.tool, call.case)),
    ),
  });
}

/** Only what was looked at whole can be accepted: a step that failed leaves nothing to accept. */
const isWhole = ({ sides }: Fixture): boolean =>
  observationOf(sides.observation).contract.list !== null && observationOf(sides.observation).failures.length === 0;

const summary = ({ fingerprint, rule, tool, pointer }: Finding): string => `${fingerprint} ${rule} ${tool} ${pointer}`;
const summaries = (findings: readonly Finding[]): string => findings.map(summary).join('\n');

const acceptable = fixtures.filter((one) => one.fires && isWhole(one));

/** Rules that are told again every night, whatever is accepted. */
const lasting: readonly RuleId[] = [
  'init-protocol-version-unsupported',
  'replay-blocked-unsafe',
  'result-pinned-value-changed',
];

/**
 * Accepts each finding of the fixture's rule alone, as far as it can be accepted; with what is told of the same
 * observation afterwards.
 */
async function acceptEach({ sides, rule }: Fixture) {
  const validator = validatorFor(rule);
  const previous = shaped(recordingOf(sides.recording));
  const { findings } = await judge({ ...sides, recording: previous }, validator);
  const candidate = candidateFrom(previous, sides, findings);
  const own = findings.filter((one) => one.rule === rule);
  const unacceptable = await findUnacceptable(candidate, own, useOf(sides.use), validator);
  const told = [];
  for (const finding of own) {
    if (unacceptable.has(finding.fingerprint)) {
      expect(lasting).toContain(finding.rule);
      continue;
    }
    const accepted = await acceptSelected({ previous, candidate }, [finding], acceptance, useOf(sides.use), validator);
    // What is read back from disk is what counts.
    const recording = filesToRecording(recordingToFiles(accepted));
    const { findings: left } = await judge({ ...sides, recording }, validator);
    told.push({ finding, before: findings, left });
  }
  return told;
}

describe('an accepted finding is gone, and nothing else comes', () => {
  it.each(acceptable.map((one) => [`${one.rule}: ${one.about}`, one] as const))('%s', async (_, fixture) => {
    for (const { finding, before, left } of await acceptEach(fixture)) {
      const known = new Set(before.map(({ fingerprint }) => fingerprint));
      expect(summaries(left.filter((one) => one.fingerprint === finding.fingerprint))).toBe('');
      expect(summaries(left.filter((one) => !known.has(one.fingerprint)))).toBe('');
    }
  });
});

describe('what was not accepted is still told', () => {
  const ofEachRule = [...new Map(acceptable.map((one) => [one.rule, one])).values()];
  it.each(ofEachRule.map((one) => [`${one.rule}: ${one.about}`, one] as const))('%s', async (_, fixture) => {
    const alone = new Set(
      (await judge(fixture.sides, validatorFor(fixture.rule))).findings.map(({ fingerprint }) => fingerprint),
    );
    for (const { before, left, finding } of await acceptEach(withBystanders(fixture))) {
      const still = new Set([finding, ...left].map(({ fingerprint }) => fingerprint));
      const bystanders = before.filter(({ fingerprint }) => !alone.has(fingerprint));
      expect(bystanders.length).toBeGreaterThan(1);
      expect(summaries(bystanders.filter(({ fingerprint }) => !still.has(fingerprint)))).toBe('');
    }
  });
});
