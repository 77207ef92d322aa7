import { withCall, withTarget } from '../config-of.ts';
import type { FaultCase } from './fault-case.ts';

export const yamlFaults: readonly FaultCase[] = [
  { what: 'an empty file', text: '', place: '1:1', says: 'is empty', mend: 'mcp-canary init' },
  { what: 'only a comment', text: '# nothing\n', place: '1:1', says: 'is empty', mend: 'mcp-canary init' },
  {
    what: 'a list instead of a mapping',
    text: '- a\n',
    place: '1:1',
    says: 'must be a mapping',
    mend: 'names and values',
  },
  {
    what: 'a quote that is not closed',
    text: 'formatVersion: "1\n',
    place: '2:1',
    says: 'not closed',
    mend: 'Close it',
  },
  { what: 'a tab for indentation', text: 'targets:\n\ta: 1\n', place: '2:1', says: 'a tab', mend: 'blanks' },
  {
    what: 'two documents',
    text: 'formatVersion: 1\n---\nformatVersion: 1\n',
    place: '2:1',
    says: 'second document',
    mend: 'Keep one',
  },
  { what: 'a tag', text: withTarget('registrar: !secret x'), place: '6:16', says: 'a tag', mend: 'Remove the tag' },
  {
    what: 'a name twice',
    text: `${withTarget()}formatVersion: 1\n`,
    place: '6:1 formatVersion',
    says: 'is there twice',
    mend: 'Keep one',
  },
  {
    what: 'a name twice, once in quotes',
    text: withCall('"arguments": {}'),
    place: '11:13 targets.a.tools.check.calls.taken.arguments',
    says: 'is there twice',
    mend: 'Keep one',
  },
  {
    what: 'an alias without an anchor',
    text: withTarget('limits: *usual'),
    place: '6:13 targets.a.limits',
    says: '&usual',
    mend: 'Set the anchor first',
  },
  {
    what: 'a merge key',
    text: withTarget('<<: { probes: true }'),
    place: '6:5 targets.a["<<"]',
    says: 'is not known',
    mend: 'Known here',
  },
  {
    what: 'a number that JSON does not have',
    text: withCall('pins: { /a: { equals: .inf } }'),
    place: '11:35',
    says: 'is no number',
    mend: 'finite',
  },
];
