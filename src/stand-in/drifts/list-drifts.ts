import { type JsonObject, member } from '../../json/json-value.ts';
import type { Recording } from '../../recording/recording.ts';
import { freeToolName, nameOf, toolsOf, watchedTools, withList, withTools } from './change-recording.ts';
import { type Drift, ofRecording } from './drift.ts';
import { ofAnswers } from './wire-drifts.ts';

const readOnly = { readOnlyHint: true, destructiveHint: false, openWorldHint: false };

/** One tool more, of a name that none has. */
const addTool = (recording: Recording, wanted: string, annotations: JsonObject): Recording | null =>
  withTools(recording, (tools) => [
    ...tools,
    {
      name: freeToolName(recording, wanted),
      description: 'A tool of a rehearsal.',
      inputSchema: { type: 'object', properties: { domain: { type: 'string' } }, required: ['domain'] },
      annotations,
    },
  ]);

const additions: readonly Drift[] = [
  ofRecording(
    { rule: 'tool-added-readonly', story: 'A tool that only reads is new.', needs: 'list of tools' },
    (recording) => addTool(recording, 'domains_lookup', readOnly),
  ),
  ofRecording(
    { rule: 'tool-added-write-capable', story: 'A tool that can buy is new.', needs: 'list of tools' },
    (recording) => addTool(recording, 'domains_purchase', { readOnlyHint: false }),
  ),
  ofRecording(
    {
      rule: 'annotation-name-conflict',
      story: 'A new tool that transfers domains says that it only reads.',
      needs: 'list of tools',
      others: ['tool-added-readonly'],
    },
    (recording) => addTool(recording, 'transfer_domain', readOnly),
  ),
  ofRecording(
    {
      rule: 'tool-name-nonconforming',
      story: 'A new tool has a name with a blank in it.',
      needs: 'list of tools',
      others: ['tool-added-readonly'],
    },
    (recording) => addTool(recording, 'look up a domain', readOnly),
  ),
];

const lists: readonly Drift[] = [
  ofRecording({ rule: 'tools-list-empty', story: 'The list of tools is empty.', needs: 'tool' }, (recording) =>
    toolsOf(recording).length === 0
      ? null
      : withList(recording, (list) => ({ ...list, tools: [], beyondFirstPage: [] })),
  ),
  ofRecording(
    { rule: 'tools-list-malformed', story: 'The list of tools has an entry that is no tool.', needs: 'list of tools' },
    (recording) =>
      withList(recording, (list) => ({ ...list, malformed: [...list.malformed, { index: 0, value: 'none' }] })),
  ),
  ofRecording(
    { rule: 'tool-duplicate-name', story: 'A name of a tool is there twice.', needs: 'tool that is used' },
    (recording, use) => {
      const name = watchedTools(recording, use)
        .map(nameOf)
        .find((one) => !recording.contract.list?.duplicates.includes(one));
      return name === undefined
        ? null
        : withList(recording, (list) => ({ ...list, duplicates: [...list.duplicates, name] }));
    },
  ),
  ofRecording(
    {
      rule: 'tools-pagination-added',
      story: 'The list of tools has a second page.',
      needs: 'list of several tools on one page',
    },
    (recording) =>
      withList(recording, (list) => {
        const last = list.tools.at(-1);
        return list.pages > 1 || list.tools.length < 2 || last === undefined
          ? null
          : { ...list, pages: 2, beyondFirstPage: [nameOf(last)] };
      }),
  ),
  ofRecording(
    { rule: 'tools-pagination-removed', story: 'The list of tools is one page.', needs: 'list of several pages' },
    (recording) => withList(recording, (list) => (list.pages > 1 ? { ...list, pages: 1, beyondFirstPage: [] } : null)),
  ),
  ofAnswers(
    { rule: 'tools-pagination-loop', story: 'The list of tools has no end.', needs: 'list of tools' },
    'tools/list',
    (message) => ({ ...message, result: { ...(member(message, 'result') as JsonObject), nextCursor: 'page-1' } }),
  ),
  ofAnswers(
    { rule: 'tools-list-failed', story: 'The server cannot list its tools.', needs: 'list of tools' },
    'tools/list',
    ({ id = null }) => ({ jsonrpc: '2.0', id, error: { code: -32603, message: 'Internal error' } }),
    (recording) => recording.contract.list !== null,
  ),
];

const caching: readonly Drift[] = [
  ofRecording(
    {
      rule: 'list-ttl-changed',
      story: 'The list of tools may be kept for much longer, or not at all.',
      needs: 'list of tools',
    },
    (recording) =>
      withList(recording, (list) => ({
        ...list,
        members: { ...list.members, ttlMs: Number(member(list.members, 'ttlMs') ?? 0) > 0 ? 0 : 3_600_000 },
      })),
  ),
  ofRecording(
    {
      rule: 'list-cache-scope-widened',
      story: 'The list of tools may be shown to others.',
      needs: 'list of tools that says that it is private',
    },
    (recording) =>
      withList(recording, (list) => {
        const scope = member(list.members, 'cacheScope');
        const mayHappen = scope !== 'public' && (scope !== undefined || recording.era === 'stateless');
        return mayHappen ? { ...list, members: { ...list.members, cacheScope: 'public' } } : null;
      }),
  ),
  ofRecording(
    {
      rule: 'list-cache-scope-narrowed',
      story: 'The list of tools is for one reader only.',
      needs: 'list of tools that says that it is public',
    },
    (recording) =>
      withList(recording, (list) =>
        member(list.members, 'cacheScope') === 'public'
          ? { ...list, members: { ...list.members, cacheScope: 'private' } }
          : null,
      ),
  ),
];

export const listDrifts: readonly Drift[] = [...additions, ...lists, ...caching];
