import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/json/json-value.ts';
import { type CandidateInput, candidateOf } from '../../src/recording/candidate.ts';
import type { Contract, Observation } from '../../src/recording/observation.ts';
import { caseKey, type Recording } from '../../src/recording/recording.ts';
import { recordingToFiles } from '../../src/recording/serialise-recording.ts';
import { deriveShape } from '../../src/recording/shape-derive.ts';
import { shapeAccepts } from '../../src/recording/shape-join.ts';
import { digestMembers, digestText, wordedMembers } from '../../src/recording/text-digest.ts';
import {
  callOf,
  contractOf,
  lookupTool,
  observationOf,
  overHttp,
  priceTool,
  recordingOf,
  sampleUse,
  textResult,
} from './sample-recording.ts';

const sample = contractOf();
const { handshake, list } = sample;
if (handshake === null || list === null) throw new Error('the sample has both');
const later = '2026-05-05T05:05:05.000Z';
const withTools = (...tools: JsonObject[]): Contract => contractOf({ list: { ...list, tools } });
const withResult = (...results: JsonObject[]): [Observation, ...Observation[]] =>
  results.map((result) => observationOf(contractOf({ calls: [callOf(result)] }))) as [Observation, ...Observation[]];
const again = (
  previous: Recording | null,
  observations: CandidateInput['observations'],
  more: Partial<CandidateInput> = {},
): Recording =>
  candidateOf({
    observations,
    previous,
    use: sampleUse,
    recordedAt: later,
    provenance: 'live',
    authenticated: false,
    purpose: 'record',
    ...more,
  });
const changedFiles = (a: Recording, b: Recording): string[] => {
  const [before, after] = [recordingToFiles(a), recordingToFiles(b)];
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((path) => before.get(path) !== after.get(path))
    .sort();
};
const key = caseKey('lookup', 'taken');

describe('a server whose wording is not ours to publish', () => {
  const use = { ...sampleUse, texts: 'digest' } as const;
  const worded = contractOf({
    handshake: { ...handshake, result: { ...handshake.result, instructions: 'Ask the vendor first.' } },
    list: { ...list, tools: [{ ...lookupTool, description: 'Words of the vendor.' }] },
    calls: [callOf(textResult('The name is taken.', { available: false, at: '2026-01-01T00:00:00Z' }))],
  });
  const recorded = again(null, [observationOf(worded)], { use });
  const written = (recording: Recording): string => [...recordingToFiles(recording).values()].join('\n');

  it('is recorded without a word of it, from the first time on', () => {
    const text = written(recorded);
    for (const words of ['Ask the vendor', 'Words of', 'is taken']) expect(text).not.toContain(words);
    expect(recorded.contract.list?.tools[0]?.description).toEqual(digestText('Words of the vendor.'));
    const shape = recorded.shapes.get(key);
    expect(
      shape &&
        shapeAccepts(shape, deriveShape(textResult('x'.repeat(18), { available: true, at: '2026-01-01T00:00:00Z' }))),
    ).toBe(true);
  });

  it('changes no byte while it says the same, and only digests when it does not', () => {
    expect(again(recorded, [observationOf(worded), observationOf(worded)], { use })).toBe(recorded);
    const other = contractOf({
      ...worded,
      list: { ...list, tools: [{ ...priceTool, description: 'A new sentence.' }] },
    });
    expect(written(again(recorded, [observationOf(other)], { use }))).not.toContain('A new sentence.');
    expect(written(again(recorded, [observationOf(other)], { use, purpose: 'accept' }))).not.toContain(
      'A new sentence.',
    );
  });

  it('loses the words that were recorded before it was asked to', () => {
    const before = again(null, [observationOf(worded)]);
    expect(written(before)).toContain('Words of the vendor.');
    expect(recordingToFiles(again(before, [observationOf(worded)], { use }))).toEqual(recordingToFiles(recorded));
  });
});

describe('an unchanged server', () => {
  const previous = recordingOf();
  it.each<[string, CandidateInput['observations']]>([
    ['the same answers', [observationOf(sample)]],
    ['the same answers twice', [observationOf(sample), observationOf(sample)]],
    [
      'another value of the same shape',
      withResult(textResult('taken', { available: true, at: '2027-12-31T00:00:00Z' })),
    ],
    [
      'other values in _meta',
      [observationOf(contractOf({ handshake: { ...handshake, result: { ...handshake.result, _meta: { id: 2 } } } }))],
    ],
  ])('changes no byte: %s', (what, observations) => {
    const base = what.includes('_meta')
      ? recordingOf(contractOf({ handshake: { ...handshake, result: { ...handshake.result, _meta: { id: 1 } } } }))
      : previous;
    expect(again(base, observations)).toBe(base);
    expect(again(base, observations, { purpose: 'accept' })).toBe(base);
  });

  it('changes no byte where the words are left out', () => {
    const left = recordingOf(
      contractOf({
        handshake: { ...handshake, result: digestMembers(handshake.result, wordedMembers) },
        list: { ...list, tools: list.tools.map((tool) => digestMembers(tool, wordedMembers)) },
      }),
    );
    expect(again(left, [observationOf(sample)])).toBe(left);
  });
});

describe('a changed server', () => {
  const previous = recordingOf();

  it('changes the part that changed, and the head', () => {
    const next = again(previous, [observationOf(withTools(lookupTool({ description: 'Other.' }), priceTool()))]);
    expect(changedFiles(previous, next)).toEqual(['recording.json', 'tools-list.json']);
    expect(next.recordedAt).toBe(later);
  });

  it('keeps the recorded form of tools that say the same', () => {
    const left = recordingOf(
      contractOf({ list: { ...list, tools: list.tools.map((tool) => digestMembers(tool, wordedMembers)) } }),
    );
    const next = again(left, [
      observationOf(
        withTools(lookupTool({ description: 'Other.' }), priceTool(), { name: 'new', description: 'New.' }),
      ),
    ]);
    expect(next.contract.list?.tools.map((tool) => tool.description)).toEqual([
      digestText('Other.'),
      digestText('New.'),
      digestText('Says what it costs.'),
    ]);
  });

  it('learns optional members from two looks', () => {
    const next = again(null, withResult(textResult('taken', { a: 1, b: 'x' }), textResult('taken', { a: 2 })));
    const shape = next.shapes.get(key);
    if (shape === undefined) throw new Error('no shape');
    expect(shapeAccepts(shape, deriveShape(textResult('taken', { a: 5 })))).toBe(true);
    expect(shapeAccepts(shape, deriveShape(textResult('taken', { b: 'y' })))).toBe(false);
    expect(next.contract.calls[0]?.outcome).toEqual({ kind: 'result', result: textResult('taken', { a: 1, b: 'x' }) });
  });

  it('joins shapes when accepting, and learns anew when recording', () => {
    const observations = withResult(textResult('taken', { other: 1 }));
    const old = deriveShape(textResult('taken', { available: false, at: '2026-01-01T00:00:00Z' }));
    const accepted = again(previous, observations, { purpose: 'accept' }).shapes.get(key);
    const recorded = again(previous, observations).shapes.get(key);
    expect(accepted !== undefined && shapeAccepts(accepted, old)).toBe(true);
    expect(recorded !== undefined && shapeAccepts(recorded, old)).toBe(false);
  });

  it('learns anew where other arguments are sent', () => {
    const call = callOf(textResult('taken', { available: true, at: '2026-01-01T00:00:00Z' }), {
      arguments: { name: 'other', tld: 'com' },
    });
    const next = again(previous, [observationOf(contractOf({ calls: [call] }))], { purpose: 'accept' });
    expect(next.contract.calls).toEqual([call]);
  });

  it('takes the new way an answer travelled, and leaves the values', () => {
    const transport = { ...overHttp, mediaType: 'event-stream' as const };
    const next = again(previous, [
      observationOf(
        contractOf({
          calls: [callOf(textResult('taken', { available: true, at: '2027-01-01T00:00:00Z' }), { transport })],
        }),
      ),
    ]);
    expect(next.contract.calls[0]).toEqual({ ...previous.contract.calls[0], transport });
  });

  it('has an error instead of a result, and the reverse', () => {
    const error = callOf({}, { outcome: { kind: 'error', error: { code: -32602, message: 'no' } } });
    const failed = again(previous, [observationOf(contractOf({ calls: [error] }))]);
    expect(failed.contract.calls).toEqual([error]);
    expect(failed.shapes.size).toBe(0);
    expect(again(failed, [observationOf(contractOf({ calls: [error] }))])).toBe(failed);
    expect(again(failed, [observationOf(sample)]).shapes.has(key)).toBe(true);
  });
});

describe('what did not come', () => {
  const previous = recordingOf();
  it('stays: a failed step is no removal', () => {
    const nothing = observationOf({ handshake: null, list: null, calls: [] }, { revision: null });
    expect(again(previous, [nothing])).toBe(previous);
  });

  it('goes where nobody asks for it any more, but not when accepting', () => {
    const use = { ...sampleUse, tools: new Map([['lookup', { calls: {} }]]) };
    const observations: CandidateInput['observations'] = [observationOf(contractOf({ calls: [] }))];
    expect(again(previous, observations, { use }).contract.calls).toEqual([]);
    expect(again(previous, observations, { use, purpose: 'accept' })).toBe(previous);
  });

  it('cannot be recorded for the first time', () => {
    const nothing = observationOf({ handshake: null, list: null, calls: [] }, { revision: null });
    expect(() => again(null, [nothing])).toThrow(/no answer came/);
  });
});

describe('facts of the recording', () => {
  const noise = {
    code: 'stdio-noise-added',
    method: 'initialize',
    tool: null,
    case: null,
    pointer: null,
    evidence: 1,
  } as const;

  it('keep oddities that failed nothing, and never what is a matter of safety', () => {
    const breaches = [
      noise,
      { ...noise, code: 'replay-blocked-unsafe', method: 'tools/call' } as const,
      { ...noise, code: 'tls-invalid' } as const,
      { ...noise, method: 'tools/list' } as const,
    ];
    const failures = [{ class: 'protocol', step: 'tools/list', message: '' } as const];
    expect(again(null, [observationOf(sample, { breaches, failures })]).breaches).toEqual([
      { code: 'stdio-noise-added', method: 'initialize' },
    ]);
    expect(again(null, [observationOf(sample)]).breaches).toBeUndefined();
  });

  it('of a reconstructed recording are all taken anew when it is recorded live', () => {
    const reconstructed = recordingOf(sample, { provenance: 'reconstructed' });
    const observations = withResult(textResult('taken', { available: true, at: '2027-12-31T00:00:00Z' }));
    expect(again(reconstructed, observations)).toMatchObject({
      provenance: 'live',
      recordedAt: later,
      contract: { calls: observations[0].contract.calls },
    });
    expect(again(reconstructed, observations, { purpose: 'accept' })).toBe(reconstructed);
  });

  it('change the head when credentials do', () => {
    const previous = recordingOf();
    expect(changedFiles(previous, again(previous, [observationOf(sample)], { authenticated: true }))).toEqual([
      'recording.json',
    ]);
  });
});
