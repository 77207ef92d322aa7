import { withCall, withTarget } from '../config-of.ts';
import type { FaultCase } from './fault-case.ts';

export const toolsFaults: readonly FaultCase[] = [
  {
    what: 'no tools',
    text: withTarget('tools: {}'),
    place: '6:12 targets.a.tools',
    says: 'is empty',
    mend: 'watch every one',
  },
  {
    what: 'a call of a tool that writes',
    text: withTarget('tools: { domains_purchase: { calls: { x: {} } } }'),
    place: '6:34 targets.a.tools.domains_purchase.calls',
    says: 'describes a write (purchase)',
    mend: 'can be watched, not called',
  },
  {
    what: 'a case name with capitals',
    text: withTarget('tools: { check: { calls: { Taken: {} } } }'),
    place: '6:32 targets.a.tools.check.calls.Taken',
    says: 'no name for a case',
    mend: 'a-z, 0-9',
  },
  {
    what: 'arguments that are a list',
    text: withTarget('tools: { check: { calls: { taken: { arguments: [1] } } } }'),
    place: '6:52',
    says: 'must be a mapping',
    mend: 'names and values',
  },
  {
    what: 'a misspelt word of a case',
    text: withCall('mustfail: true'),
    place: '11:13',
    says: 'is not known',
    mend: 'Did you mean mustFail?',
  },
  {
    what: 'a tool called __proto__',
    text: withTarget('tools: { __proto__: {} }'),
    place: '6:14',
    says: 'cannot be used',
    mend: 'Remove',
  },
];
