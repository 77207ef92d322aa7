import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createNodeFiles } from '../../src/recording/node-files.ts';
import { createRedactor } from '../../src/recording/redact.ts';
import { recordingToFiles } from '../../src/recording/serialise-recording.ts';
import { readRecording, writeRecording } from '../../src/recording/store.ts';
import { serveStandIn } from '../../src/stand-in/serve-stand-in.ts';
import { reference } from '../helpers/reference.ts';
import { lookAt, targetAt, told } from '../stand-in/look-at.ts';
import { godaddyRecording } from './reconstruct-godaddy.ts';

const folder = path.join(import.meta.dirname, '..', '..', 'recordings');
const yaml = readFileSync(path.join(folder, 'targets.yaml'), 'utf8');
const files = createNodeFiles();

// UPDATE_RECORDINGS=1 writes the recording anew from its facts; without it the committed files are held to them.
if (process.env.UPDATE_RECORDINGS === '1') await writeRecording(folder, godaddyRecording, files, createRedactor([]));

describe('the recording of godaddy', () => {
  it('is what the facts say, byte for byte', () => {
    for (const [file, text] of recordingToFiles(godaddyRecording)) {
      expect(readFileSync(path.join(folder, 'godaddy', file), 'utf8').replaceAll('\r\n', '\n'), file).toBe(text);
    }
  });

  it('is steady against its own stand-in', async () => {
    const recording = await readRecording(folder, 'godaddy', files);
    const standIn = await serveStandIn({ recordings: [recording], port: 0, version: '9.9.9' });
    try {
      const seen = await lookAt(targetAt(standIn.url, yaml, 'godaddy'), recording);
      expect(seen.observation.failures).toEqual([]);
      expect(told(seen)).toEqual([]);
      expect(seen.canary.map((finding) => finding.rule)).toEqual(['canary-recording-not-live']);
    } finally {
      await standIn.close();
    }
  });

  const exchanges = reference('registrars/godaddy/exchanges.json');
  it.skipIf(exchanges === null)(
    'is steady against what the server really sent (needs the reference folder)',
    async () => {
      const server = createPlayer(JSON.parse(readFileSync(exchanges ?? '', 'utf8')) as readonly Exchange[]);
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      try {
        const { port } = server.address() as AddressInfo;
        const recording = await readRecording(folder, 'godaddy', files);
        const seen = await lookAt(targetAt(`http://127.0.0.1:${port}/v1/domains/mcp`, yaml, 'godaddy'), recording);
        expect(seen.observation.failures).toEqual([]);
        expect(seen.observation.replayed.map((step) => step.outcome)).toEqual([
          'answered',
          'answered',
          'answered',
          'answered',
        ]);
        expect(told(seen)).toEqual([]);
      } finally {
        server.close();
        server.closeAllConnections();
      }
    },
  );
});

interface Exchange {
  readonly request: { readonly body: { readonly method: string; readonly params?: { readonly arguments?: object } } };
  readonly response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  };
}

/** Answers with recorded bytes; only the id is the one that was asked with. */
const createPlayer = (exchanges: readonly Exchange[]) =>
  createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    request.on('end', () => {
      const asked = JSON.parse(text === '' ? '{}' : text) as {
        readonly id?: number;
        readonly method?: string;
        readonly params?: { readonly arguments?: object };
      };
      const found = exchanges.find(
        ({ request: { body } }) =>
          body.method === asked.method &&
          (asked.method !== 'tools/call' ||
            JSON.stringify(body.params?.arguments) === JSON.stringify(asked.params?.arguments)),
      );
      if (request.method !== 'POST' || !found) return void response.writeHead(405).end();
      const { 'content-length': _, ...headers } = found.response.headers;
      response
        .writeHead(found.response.status, headers)
        .end(found.response.body.replace(/"id":\d+/, `"id":${asked.id}`));
    });
  });
