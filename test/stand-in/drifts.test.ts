import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { counts } from '../../src/findings/finding.ts';
import type { CallRecord } from '../../src/recording/observation.ts';
import type { Recording } from '../../src/recording/recording.ts';
import { drifts } from '../../src/stand-in/drifts/drifts.ts';
import { serveStandIn } from '../../src/stand-in/serve-stand-in.ts';
import { godaddyRecording } from '../recordings/reconstruct-godaddy.ts';
import { lookAt, targetAt } from './look-at.ts';
import { checkTool, overJson, recordingOf, statelessRecordingOf, suggestTool, taken } from './recordings.ts';

const yaml = (revision: string): string => `
formatVersion: 1
targets:
  registrar:
    transport: streamable-http
    url: https://mcp.example/mcp
    revision: ${revision}
    consumer: agent
    tools:
      check:
        calls:
          taken:
            arguments: { domain: google.com, id: 12345678901234567890 }
            pins: { /structuredContent/isAvailable: { equals: false } }
          text:
            arguments: { domain: google.com }
      suggest: {}
`;

const asText: CallRecord = {
  tool: 'check',
  case: 'text',
  arguments: { domain: 'google.com' },
  outcome: { kind: 'result', result: { content: [{ type: 'text', text: '{"isAvailable":false,"price":12}' }] } },
  transport: overJson,
};

/** A server with one of everything that a drift can happen to. */
function rich(): Recording {
  const recording = recordingOf({}, [taken, asText]);
  const { handshake, list } = recording.contract;
  const check = {
    ...checkTool,
    description: 'Whether a domain is taken.',
    annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: false },
    inputSchema: {
      type: 'object',
      properties: { domain: { type: 'string' }, limit: { type: 'integer' }, id: { type: 'integer' } },
      required: ['domain'],
    },
    outputSchema: {
      type: 'object',
      properties: { isAvailable: { type: 'boolean' }, price: {}, id: { type: 'integer' } },
      required: ['isAvailable'],
    },
  };
  return {
    ...recording,
    contract: {
      ...recording.contract,
      handshake: handshake && {
        ...handshake,
        result: {
          protocolVersion: '2025-06-18',
          capabilities: { tools: {} },
          serverInfo: { name: 'registrar-mcp', version: '1.2.3' },
        },
      },
      list: list && { ...list, tools: [check, suggestTool] },
    },
  };
}

const rows = [...drifts.values()].map((drift) => ({ rule: drift.rule, drift }));

describe('a rehearsed drift', () => {
  it.each(rows)('$rule is what a check then reports', async ({ rule, drift }) => {
    const isStateless = rule === 'init-era-handshake-only';
    const recording = isStateless ? statelessRecordingOf() : rich();
    const target = targetAt('http://127.0.0.1:1/mcp', yaml(recording.revision), 'registrar');
    const drifted = drift.apply(recording, target.use);
    if (drifted === null) throw new Error('cannot happen to this recording');
    const standIn = await serveStandIn({ ...drifted, port: 0, version: '9.9.9' });
    try {
      const seen = await lookAt(
        { ...target, endpoint: { kind: 'http', url: standIn.url, caFile: null, proxy: null } },
        recording,
      );
      const loud = seen.findings.filter(counts).map((finding) => finding.rule);
      expect(loud, seen.findings.map((f) => `${f.rule} ${f.severity} ${f.pointer}`).join('; ')).toContain(rule);
    } finally {
      await standIn.close();
    }
  });

  it('can be rehearsed on the committed recording, too', async () => {
    const committed = readFileSync(path.join(import.meta.dirname, '..', '..', 'recordings', 'targets.yaml'), 'utf8');
    const target = targetAt('http://127.0.0.1:1/mcp', committed, 'godaddy');
    const missed: string[] = [];
    let rehearsed = 0;
    for (const { rule, drift } of rows) {
      const drifted = drift.apply(godaddyRecording, target.use);
      if (drifted === null) continue;
      rehearsed += 1;
      const standIn = await serveStandIn({ ...drifted, port: 0, version: '9.9.9' });
      const seen = await lookAt(
        { ...target, endpoint: { kind: 'http', url: standIn.url, caFile: null, proxy: null } },
        godaddyRecording,
      );
      await standIn.close();
      if (!seen.findings.some((finding) => finding.rule === rule && counts(finding)))
        missed.push(`${rule}: ${seen.findings.map((f) => `${f.rule} ${f.severity}`).join(', ')}`);
    }
    expect(missed).toEqual([]);
    expect(rehearsed).toBeGreaterThan(20);
  });

  it('is none where the recording has nothing that it could happen to', () => {
    const { contract, ...rest } = recordingOf({}, []);
    const bare: Recording = { ...rest, contract: { handshake: null, list: null, calls: [] } };
    const use = targetAt('http://127.0.0.1:1/mcp', yaml('2025-06-18'), 'registrar').use;
    const possible = [...drifts.values()].filter((drift) => drift.apply(bare, use) !== null).map((drift) => drift.rule);
    expect(contract.calls).toEqual([]);
    expect(possible).toEqual([
      'auth-now-required',
      'endpoint-gone',
      'redirect-cross-origin',
      'response-content-type-foreign',
      'sunset-announced',
      'init-era-stateless-only',
    ]);
  });
});
