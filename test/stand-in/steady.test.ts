import { describe, expect, it } from 'vitest';
import type { Recording } from '../../src/recording/recording.ts';
import { serveStandIn } from '../../src/stand-in/serve-stand-in.ts';
import { lookAt, targetAt, told } from './look-at.ts';
import { overStream, recordingOf, statelessRecordingOf, taken } from './recordings.ts';

describe('a check against its own stand-in', () => {
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
      suggest: {}
`;
  const streamed = recordingOf();
  const overStreams: Recording = {
    ...streamed,
    contract: {
      ...streamed.contract,
      handshake: streamed.contract.handshake && { ...streamed.contract.handshake, transport: overStream },
      list: streamed.contract.list && { ...streamed.contract.list, transport: overStream },
      calls: [{ ...taken, transport: overStream }],
    },
  };

  it.each([
    {
      what: 'with a handshake',
      recording: recordingOf(),
      revision: '2025-06-18',
      quiet: ['init-capability-setting-changed warning'],
    },
    {
      what: 'over event streams',
      recording: overStreams,
      revision: '2025-06-18',
      quiet: ['init-capability-setting-changed warning'],
    },
    { what: 'without a handshake', recording: statelessRecordingOf(), revision: '2026-07-28', quiet: [] },
  ])('is steady $what', async ({ recording, revision, quiet }) => {
    const standIn = await serveStandIn({ recordings: [recording], port: 0, version: '9.9.9' });
    try {
      const seen = await lookAt(targetAt(standIn.url, yaml(revision), 'registrar'), recording);
      expect(seen.observation.failures).toEqual([]);
      expect(seen.observation.notes).toEqual([]);
      expect(seen.observation.replayed.map((step) => step.outcome)).not.toContain('skipped');
      expect(told(seen)).toEqual(quiet);
    } finally {
      await standIn.close();
    }
  });
});
