import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { targetLimits } from '../../src/limits.ts';
import { methods } from '../../src/protocol/methods.ts';
import { error, event, events, type Handler, json, plain, result, tool, withClient } from './scripted-server.ts';

/** What a server may do to any request; most of it wrong. */
const moods: Readonly<Record<string, Handler>> = {
  resets: () => ({ end: 'reset' }),
  cuts: () => events(['id: e\ndata:\n\n'], 'destroy'),
  redirects: () => plain(307, '', { location: 'http://127.0.0.1:9/' }),
  'is gone': () => plain(404),
  'forgets the session': () => plain(409),
  blocks: () => plain(403, '<html>'),
  'wants a token': () => plain(401, '', { 'www-authenticate': 'Bearer' }),
  fails: () => plain(500),
  'is busy': () => plain(429, '', { 'retry-after': '99' }),
  'says nothing': () => plain(202),
  rambles: () => plain(200, 'hello there', { 'content-type': 'text/plain' }),
  'packs wrongly': () => ({ headers: { 'content-encoding': 'gzip' }, chunks: ['no gzip'] }),
  'packs rightly': (r) => ({
    headers: { 'content-encoding': 'gzip' },
    chunks: [gzipSync(JSON.stringify(result(r, { tools: [tool('echo')] })))],
  }),
  refuses: (r) => json(error(r, -32603)),
  'answers another': () => json({ jsonrpc: '2.0', id: 5, result: {} }),
  'answers a list': (r) => json(result(r, { tools: [tool('echo'), null, tool('buy_domain')] })),
  'answers in a stream': (r) =>
    events([event({ jsonrpc: '2.0', id: r.id, method: 'ping' }), event(result(r, { tools: [tool('echo')] }))]),
  'answers a handshake': (r) =>
    json(result(r, { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: {} }), {
      headers: { 'mcp-session-id': `s-${r.nth}` },
    }),
  'asks to page': (r) => json(result(r, { tools: [tool('echo')], nextCursor: '' })),
};
const mood = fc.constantFrom(...Object.keys(moods)).map((name) => moods[name] ?? (() => plain(500)));

describe('whatever a server does', () => {
  it('only the four methods are sent, a call once, and nothing throws', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({ initialize: mood, initialized: mood, list: mood, call: mood }),
        fc.constantFrom('handshake', 'stateless'),
        async (script, era) => {
          const more = {
            era,
            revision: era === 'handshake' ? '2025-11-25' : '2026-07-28',
            callable: new Set(['echo', 'buy_domain']),
            limits: { ...targetLimits, targetMs: 3_000 },
          } as const;
          await withClient(
            script,
            async ({ client, server }) => {
              const outcomes = [
                await client.initialize(),
                await client.notifyInitialized(),
                await client.listTools(),
                await client.callTool('echo', {}),
                await client.callTool('buy_domain', {}),
                await client.callTool('never', {}),
              ];
              await client.close();
              for (const outcome of outcomes) {
                if (outcome.kind === 'blocked') continue;
                expect(outcome.kind === 'failed' ? outcome.failure.class : '').not.toBe('internal');
                expect(JSON.stringify(outcome.kind === 'failed' ? outcome.failure : '')).not.toContain('hello');
              }
              const posts = server.log.filter((seen) => seen.http === 'POST');
              expect(
                posts.filter((seen) => seen.method !== undefined && !methods.some((method) => method === seen.method)),
              ).toEqual([]);
              expect(posts.filter((seen) => seen.method === 'tools/call').map((seen) => seen.params?.name)).toEqual(
                outcomes[3]?.kind === 'blocked' ? [] : ['echo'],
              );
              expect(posts.filter((seen) => seen.method === 'initialize').length).toBeLessThanOrEqual(2);
              for (const seen of server.log) {
                if (seen.http === 'GET') expect(seen.headers['last-event-id']).toBe('e');
                if (era === 'stateless') expect(seen.headers['mcp-session-id']).toBeUndefined();
                if (seen.method === 'initialize') expect(seen.headers['mcp-session-id']).toBeUndefined();
              }
            },
            more,
          );
        },
      ),
      { seed: 20260822, numRuns: 40 },
    );
  });
});
