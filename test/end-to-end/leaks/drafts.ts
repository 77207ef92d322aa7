import type { Draft, Json, Place } from './places.ts';
import type { Scenario } from './scenarios.ts';

type AnyStep = Place['steps'][number];

const tool: Json = {
  name: 'echo',
  description: 'Says what it is told.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  annotations: { readOnlyHint: true, destructiveHint: false },
};
const results: Readonly<Record<string, () => Json>> = {
  initialize: () => ({
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 's', version: '1' },
  }),
  'tools/list': () => ({ tools: [structuredClone(tool)], resultType: 'complete', ttlMs: 1, cacheScope: 'private' }),
  'tools/call': () => ({ content: [{ type: 'text', text: 'hello' }], resultType: 'complete' }),
};

/** What the server answers to a step: well, or with what the scenario puts into it. */
export function draftOf(scenario: Scenario | null, step: AnyStep, id: Json, foreign: string): Draft {
  const result = results[step]?.();
  const draft: Draft = {
    status: result === undefined ? 202 : 200,
    headers: result === undefined ? {} : { 'content-type': 'application/json' },
    message: result === undefined ? null : { jsonrpc: '2.0', id, result },
    text: '',
    before: [],
    junk: [],
    stderr: [],
    exits: false,
  };
  for (const { place, text } of scenario?.echoes ?? []) if (place.steps.includes(step)) place.put(draft, text, foreign);
  return draft;
}

/** The body of an HTTP answer; it becomes an event stream where something comes in front. */
export function bodyOf(draft: Draft): string {
  const answer = draft.message === null ? draft.text : JSON.stringify(draft.message);
  if (draft.before.length === 0) return answer;
  draft.headers['content-type'] = 'text/event-stream';
  return [...draft.before, answer].map(eventOf).join('');
}

/** A line that begins with a line end is one of the stream itself. */
export const eventOf = (text: string): string =>
  text.startsWith('\n') ? `${text.slice(1)}\n` : `data: ${text.split(/\r\n|\r|\n/).join('\ndata: ')}\n\n`;
