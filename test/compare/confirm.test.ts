import { describe, expect, it } from 'vitest';
import { nameOfTool } from '../../src/compare/comparison.ts';
import { confirmFindings } from '../../src/compare/confirm.ts';
import type { Failure } from '../../src/findings/failure.ts';
import { stateOf } from '../../src/findings/state.ts';
import type { JsonObject } from '../../src/json/json-value.ts';
import type { Observation } from '../../src/recording/observation.ts';
import {
  breach,
  call,
  contract,
  judge,
  list,
  observationOf,
  plainCase,
  readOnly,
  tool,
  useOf,
  watching,
} from './sides.ts';

const before = [tool('check'), tool('other'), tool('third')];
const recording = { contract: contract({ list: list(before), calls: [call()] }) };
const answered = (method: 'initialize' | 'tools/list' | 'tools/call', rest = {}) => ({
  method,
  tool: null,
  case: null,
  outcome: 'answered' as const,
  httpStatus: 200,
  durationMs: 1,
  bytes: 1,
  ...rest,
});
const steps = [
  answered('initialize'),
  answered('tools/list'),
  answered('tools/call', { tool: 'check', case: 'taken' }),
];
const look = (tools: readonly JsonObject[], rest: Partial<Observation> = {}): Observation =>
  observationOf({ contract: contract({ list: list(tools), calls: [call()] }), replayed: steps, ...rest });
const blind = (failure: Failure['class']): Observation =>
  observationOf({
    contract: contract({ handshake: null, list: null, calls: [] }),
    failures: [{ class: failure, step: 'initialize', message: '' }],
    replayed: [answered('initialize', { outcome: 'failed' })],
  });

async function confirm(first: Observation, second: Observation, use = useOf({ tools: watching('check', 'other') })) {
  const judged = await Promise.all([first, second].map((observation) => judge({ recording, observation, use })));
  const confirmed = confirmFindings({
    use,
    first: { findings: judged[0]?.findings ?? [], observation: first },
    second: { findings: judged[1]?.findings ?? [], observation: second },
  });
  const failures = [...first.failures, ...second.failures, ...confirmed.failures];
  return {
    said: confirmed.findings.map(
      ({ rule, severity, unconfirmed }) => `${rule} ${severity}${unconfirmed ? ' unconfirmed' : ''}`,
    ),
    canary: confirmed.canary.map(({ rule, before: of }) => `${rule} ${String(of)}`),
    state: stateOf(confirmed.findings, failures, 'breaking'),
    failures: confirmed.failures.map((failure) => failure.class),
    findings: confirmed.findings,
  };
}

const described = (name: string, description: string) =>
  before.map((one) => (one.name === name ? { ...one, description } : one));
const without = (...names: readonly string[]) => before.filter(({ name }) => !names.includes(String(name)));
const unsafe = (name: string) =>
  before.map((one) => (one.name === name ? { ...one, annotations: { ...readOnly, readOnlyHint: false } } : one));

describe('two looks', () => {
  it('let what both show count', async () => {
    expect(await confirm(look(without('other')), look(without('other')))).toMatchObject({
      said: ['tool-removed breaking'],
      canary: [],
      state: 'drifted',
    });
  });

  it('leave a target unjudged where a tool is there in one of them only', async () => {
    expect(await confirm(look(without('other')), look(before))).toMatchObject({
      said: ['tool-removed breaking unconfirmed'],
      canary: ['observation-unstable tool-removed'],
      failures: ['unstable'],
      state: 'inconclusive',
    });
  });

  it('even where nobody uses that tool', async () => {
    expect(await confirm(look(without('third')), look(before))).toMatchObject({
      said: ['tool-removed info unconfirmed'],
      canary: [],
      failures: ['unstable'],
      state: 'inconclusive',
    });
  });

  it('let no tool be removed while the sets differ', async () => {
    const { said, state } = await confirm(look(without('other', 'third')), look(without('other')));
    expect(said).toContain('tool-removed breaking unconfirmed');
    expect(state).toBe('inconclusive');
  });

  it('but let another change count that both show', async () => {
    const changed = described('check', 'Says more.');
    const { said } = await confirm(look(changed.filter(({ name }) => name !== 'third')), look(changed));
    expect(said).toEqual(expect.arrayContaining(['tool-description-changed warning', 'tool-removed info unconfirmed']));
  });

  it('do not let a server hide by alternating', async () => {
    expect(await confirm(look(unsafe('check')), look(unsafe('other')))).toMatchObject({
      state: 'inconclusive',
      canary: ['observation-unstable annotation-readonly-lost', 'observation-unstable annotation-readonly-lost'],
    });
  });

  it('take the worse of one finding that differs, and always the same of two equal ones', async () => {
    const one = await confirm(look(described('check', 'A.')), look(described('check', 'B.')));
    const other = await confirm(look(described('check', 'B.')), look(described('check', 'A.')));
    expect(one.said).toEqual(['tool-description-changed warning']);
    expect(one.findings).toEqual(other.findings);
  });

  it('know a group again that is a single finding in the other look', async () => {
    const both = unsafe('check').map((one) =>
      nameOfTool(one) === 'other' ? { ...one, annotations: { ...readOnly, readOnlyHint: false } } : one,
    );
    expect(await confirm(look(both), look(unsafe('check')))).toMatchObject({
      said: ['annotation-readonly-lost security'],
      state: 'drifted',
    });
  });

  it('say nothing of instability where the second could not look', async () => {
    expect(await confirm(look(without('other')), blind('timeout'))).toMatchObject({
      said: ['tool-removed breaking unconfirmed'],
      canary: [],
      state: 'inconclusive',
    });
  });

  it('do not believe a challenge that came once', async () => {
    const refused = observationOf({
      ...blind('auth'),
      breaches: [breach('auth-now-required', { method: 'initialize', evidence: 401 })],
    });
    expect(await confirm(refused, look(before))).toMatchObject({
      said: ['auth-now-required breaking unconfirmed'],
      canary: ['observation-unstable auth-now-required'],
      state: 'inconclusive',
    });
  });

  it('believe a call that is sent once only', async () => {
    const failing = call('check', 'taken', { outcome: { kind: 'error', error: { code: -32603, message: 'down' } } });
    const first = look(before, { contract: contract({ list: list(before), calls: [failing] }) });
    const second = look(before, { contract: contract({ list: list(before), calls: [] }), replayed: steps.slice(0, 2) });
    const once = useOf({ tools: new Map([['check', { calls: { taken: { ...plainCase, repeat: false } } }]]) });
    expect(await confirm(first, second, once)).toMatchObject({
      said: ['result-protocol-error-new breaking'],
      canary: [],
      state: 'drifted',
    });
    expect(await confirm(first, second)).toMatchObject({
      said: ['result-protocol-error-new breaking unconfirmed'],
      canary: [],
      state: 'inconclusive',
    });
  });

  it('free a consequence of a cause that did not come again', async () => {
    const rejected = look(before, {
      contract: contract({ list: null, calls: [] }),
      breaches: [breach('initialized-rejected', { method: 'notifications/initialized' }), breach('tools-list-failed')],
    });
    const refused = look(before, {
      contract: contract({ list: null, calls: [] }),
      breaches: [breach('tools-list-failed')],
    });
    const { findings } = await confirm(rejected, refused);
    expect(findings.find(({ rule }) => rule === 'tools-list-failed')).toMatchObject({
      unconfirmed: false,
      inhibitedBy: null,
    });
  });
});
