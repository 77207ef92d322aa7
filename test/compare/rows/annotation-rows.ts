import type { JsonValue } from '../../../src/json/json-value.ts';
import { breach, call, contract, list, type Sides, tool, tools, watching } from '../sides.ts';
import { fires, quiet, type Row } from './row.ts';

type Hints = Record<string, JsonValue> | undefined;
const hints = (before: Hints, after: Hints): Sides =>
  tools([tool('find', { annotations: before })], [tool('find', { annotations: after })]);
const closed = { openWorldHint: false };
const reads = { readOnlyHint: true, ...closed };
const writes = { readOnlyHint: false, destructiveHint: false, ...closed };
const named = (name: string, before: Hints, after: Hints, more: Record<string, JsonValue> = {}): Sides =>
  tools([tool(name, { annotations: before })], [tool(name, { annotations: after, ...more })]);
const blocked = (before: Hints, after: Hints): Sides => ({
  recording: { contract: contract({ list: list([tool('check', { annotations: before })]), calls: [call()] }) },
  observation: {
    contract: contract({ list: list([tool('check', { annotations: after })]), calls: [] }),
    breaches: [
      breach('replay-blocked-unsafe', {
        method: 'tools/call',
        tool: 'check',
        case: 'taken',
        pointer: '/annotations',
        evidence: 'destructive',
        facts: { reason: 'destructive' },
      }),
    ],
  },
  use: { tools: watching('check') },
});

export const annotationRows: readonly Row[] = [
  fires(
    'annotation-readonly-lost',
    'security',
    'true became false, all hints with it',
    hints({ ...reads, idempotentHint: true }, { readOnlyHint: false, destructiveHint: true, openWorldHint: true }),
    { pointer: '/annotations' },
  ),
  fires('annotation-readonly-lost', 'security', 'no annotations any more', hints(reads, undefined)),
  quiet('annotation-readonly-lost', 'false was written out', hints({ ...closed }, { readOnlyHint: false, ...closed })),
  fires('annotation-readonly-claimed', 'security', 'false became true', hints(writes, reads)),
  fires('annotation-readonly-claimed', 'warning', 'the same, for a consumer in code', {
    ...hints(writes, reads),
    use: { consumer: 'code' },
  }),
  quiet('annotation-readonly-claimed', 'true as ever', hints(reads, { ...reads, idempotentHint: true })),
  fires(
    'annotation-destructive-gained',
    'security',
    'false was dropped',
    hints(writes, { readOnlyHint: false, ...closed }),
  ),
  quiet(
    'annotation-destructive-gained',
    'on a tool that only reads it means nothing',
    hints({ ...reads, destructiveHint: false }, reads),
  ),
  fires(
    'annotation-destructive-dropped',
    'warning',
    'true became false',
    hints({ ...writes, destructiveHint: true }, writes),
  ),
  quiet('annotation-destructive-dropped', 'false as ever', hints(writes, { ...writes, idempotentHint: true })),
  fires(
    'annotation-idempotent-lost',
    'breaking',
    'true was dropped',
    hints({ ...writes, idempotentHint: true }, writes),
  ),
  quiet(
    'annotation-idempotent-lost',
    'on a tool that only reads it means nothing',
    hints({ ...reads, idempotentHint: true }, reads),
  ),
  fires(
    'annotation-idempotent-claimed',
    'info',
    'absent became true',
    hints(writes, { ...writes, idempotentHint: true }),
  ),
  quiet('annotation-idempotent-claimed', 'false was written out', hints(writes, { ...writes, idempotentHint: false })),
  fires('annotation-openworld-gained', 'security', 'false was dropped', hints(reads, { readOnlyHint: true })),
  quiet(
    'annotation-openworld-gained',
    'true was written out',
    hints({ readOnlyHint: true }, { readOnlyHint: true, openWorldHint: true }),
  ),
  fires('annotation-openworld-dropped', 'info', 'absent became false', hints({ readOnlyHint: true }, reads)),
  quiet('annotation-openworld-dropped', 'false as ever', hints(reads, { ...reads, idempotentHint: true })),
  fires(
    'annotation-made-explicit',
    'info',
    'the default was written out',
    hints({ readOnlyHint: true }, { readOnlyHint: true, openWorldHint: true }),
    { pointer: '/annotations/openWorldHint' },
  ),
  quiet('annotation-made-explicit', 'another value than the default', hints({ readOnlyHint: true }, reads)),
  fires(
    'annotation-masked-change',
    'info',
    'idempotent on a tool that only reads',
    hints(reads, { ...reads, idempotentHint: true }),
  ),
  quiet(
    'annotation-masked-change',
    'on a tool that writes it is no secret',
    hints(writes, { ...writes, idempotentHint: true }),
  ),
  fires(
    'annotation-contradictory',
    'warning',
    'read-only and destructive',
    hints(reads, { ...reads, destructiveHint: true }),
  ),
  fires(
    'annotation-contradictory',
    'warning',
    'a new tool that contradicts itself',
    tools([], [tool('find', { annotations: { ...reads, destructiveHint: true } })]),
  ),
  quiet(
    'annotation-contradictory',
    'recorded so',
    hints({ ...reads, destructiveHint: true }, { ...reads, destructiveHint: true, idempotentHint: true }),
  ),
  quiet('annotation-contradictory', 'the default of destructive is no claim', hints(writes, reads), {
    beside: ['annotation-readonly-claimed'],
  }),
  fires(
    'annotation-malformed',
    'warning',
    'the text "true", which counts as absent',
    hints(reads, { ...reads, readOnlyHint: 'true' }),
    { beside: ['annotation-readonly-lost'], pointer: '/annotations/readOnlyHint' },
  ),
  fires('annotation-malformed', 'warning', 'annotations that are a list', hints(undefined, ['x'] as unknown as Hints), {
    pointer: '/annotations',
  }),
  quiet(
    'annotation-malformed',
    'recorded so',
    hints({ ...reads, idempotentHint: 1 }, { ...reads, idempotentHint: 1, 'x-a': 1 }),
  ),
  fires(
    'annotation-unknown-changed',
    'info',
    'a key the protocol does not define',
    hints(reads, { ...reads, 'x-beta': true }),
    { pointer: '/annotations/x-beta' },
  ),
  fires(
    'annotation-unknown-changed',
    'info',
    'a key called __proto__',
    hints(reads, JSON.parse('{"readOnlyHint": true, "openWorldHint": false, "__proto__": {"a": 1}}')),
  ),
  quiet('annotation-unknown-changed', 'a hint the protocol knows', hints(reads, { ...reads, idempotentHint: true })),
  fires(
    'annotation-title-changed',
    'info',
    'another title',
    hints({ ...reads, title: 'Find' }, { ...reads, title: 'Find it' }),
    { pointer: '/annotations/title' },
  ),
  quiet(
    'annotation-title-changed',
    'the same title',
    hints({ ...reads, title: 'Find' }, { ...reads, title: 'Find', idempotentHint: true }),
  ),
  fires(
    'annotation-name-conflict',
    'warning',
    'delete_domain claims to read only',
    named('delete_domain', writes, reads),
    { beside: ['annotation-readonly-claimed'] },
  ),
  fires(
    'annotation-name-conflict',
    'warning',
    'the description begins with a verb of change',
    named('domain', reads, reads, { description: 'Renews a domain.' }),
    { beside: ['tool-description-changed'] },
  ),
  fires('annotation-name-conflict', 'warning', 'a new tool', tools([], [tool('transfer_domain')])),
  quiet(
    'annotation-name-conflict',
    'recorded so',
    named('delete_domain', reads, reads, { description: 'Says what a deletion would cost.' }),
    { beside: ['tool-description-changed'] },
  ),
  quiet('annotation-name-conflict', 'a question about a change', tools([], [tool('get_update_status')])),
  quiet(
    'annotation-name-conflict',
    'a description that mentions registering',
    named('check', reads, reads, { description: 'Says whether you can register a domain.' }),
    { beside: ['tool-description-changed'] },
  ),
  fires(
    'replay-blocked-unsafe',
    'security',
    'a contradiction: the call was not sent',
    blocked(reads, { ...reads, destructiveHint: true }),
    { tool: 'check', beside: ['annotation-contradictory'] },
  ),
  quiet('replay-blocked-unsafe', 'the lost hint is the cause', blocked(reads, writes), {
    beside: ['annotation-readonly-lost'],
  }),
  fires(
    'replay-blocked-unsafe',
    'security',
    'though one was there before: that says nothing about this tool',
    {
      ...blocked(reads, { ...reads, destructiveHint: true }),
      recording: {
        ...blocked(reads, reads).recording,
        breaches: [{ code: 'replay-blocked-unsafe', method: 'tools/call' }],
      },
    },
    { tool: 'check', beside: ['annotation-contradictory'] },
  ),
  quiet(
    'replay-blocked-unsafe',
    'a tool that is gone is told as gone',
    {
      ...blocked(reads, reads),
      observation: {
        contract: contract({ list: list([tool('other')]), calls: [] }),
        breaches: [breach('replay-blocked-unsafe', { method: 'tools/call', tool: 'check', case: 'taken' })],
      },
    },
    { beside: ['tool-removed'] },
  ),
];
