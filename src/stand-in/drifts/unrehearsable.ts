import type { RuleId } from '../../rules/catalogue.ts';
import type { Drift } from './drift.ts';

/** Rules that no stand-in can set off, with the reason as what follows "because". */
export const unrehearsable: ReadonlyMap<RuleId, string> = new Map([
  ['tls-invalid', 'a stand-in is reached over plain http on this machine, so it has no certificate'],
  ['redirect-downgrade', 'a stand-in is reached over plain http on this machine, and nothing is plainer'],
  ['latency-regressed', 'it compares the times of many runs'],
  ['canary-overdue', 'it is about a run that did not happen'],
  ['canary-recording-old', 'it is about the age of the recording'],
  ['canary-recording-weak', 'it is about what the recording does not show'],
  ['canary-recording-not-live', 'it is about the origin of the recording'],
  ['waiver-stale', 'it is about the waivers of the config'],
]);

/** What shows in one of two looks only is no drift of the server, but one of the run. */
export const unsteady: Drift = {
  rule: 'observation-unstable',
  story: 'A tool is new, and gone again when looked at twice.',
  needs: 'list of tools',
  apply: (recording) => {
    const { list } = recording.contract;
    if (list === null) return null;
    const passing = { name: 'tool_of_a_moment', description: 'Buys a domain.', inputSchema: { type: 'object' } };
    const drifted = {
      ...recording,
      contract: { ...recording.contract, list: { ...list, tools: [...list.tools, passing] } },
    };
    return { recordings: [drifted], isGoneAtSecondLook: true };
  },
};
