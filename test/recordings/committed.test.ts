import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';
import { createNodeFiles } from '../../src/recording/node-files.ts';
import { recordingToFiles } from '../../src/recording/serialise-recording.ts';
import { readRecording } from '../../src/recording/store.ts';
import { serveStandIn } from '../../src/stand-in/serve-stand-in.ts';
import { lookAt, told } from '../stand-in/look-at.ts';

const folder = path.join(import.meta.dirname, '..', '..', 'recordings');
const config = loadConfig({
  text: readFileSync(path.join(folder, 'targets.yaml'), 'utf8'),
  file: path.join(folder, 'targets.yaml'),
  env: { PATH: '/bin', HOME: '/' },
  select: null,
  version: '9.9.9',
});

describe('a committed recording', () => {
  it.each([...config.targets.values()])('$id shows nothing above info against its own stand-in', async (target) => {
    const recording = await readRecording(folder, target.id, createNodeFiles());
    const standIn = await serveStandIn({ recordings: [recording], port: 0, version: '9.9.9' });
    try {
      const seen = await lookAt(
        {
          ...target,
          transport: 'streamable-http',
          endpoint: { kind: 'http', url: standIn.url, caFile: null, proxy: null },
        },
        recording,
      );
      expect(seen.observation.failures).toEqual([]);
      // A stand-in over HTTP cannot tell of changes, and so does not promise to.
      expect(told(seen, 'warning').filter((line) => line !== 'init-capability-setting-changed warning')).toEqual([]);
    } finally {
      await standIn.close();
    }
  });

  const withoutWords = [...config.targets.values()].filter((target) => target.use.texts === 'digest');
  it.each(withoutWords)('$id holds no sentence of the vendor', async ({ id }) => {
    const texts = [...recordingToFiles(await readRecording(folder, id, createNodeFiles())).values()].flatMap((text) =>
      [...text.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map((found) => found[1] ?? ''),
    );
    expect(texts.filter((text) => text.split(/\s+/).length > 4)).toEqual([]);
  });

  it.each([
    ['hostinger', 41],
    ['namecom', 18],
  ])('%s was taken live, with its %i tools', async (id, tools) => {
    const { provenance, contract } = await readRecording(folder, id, createNodeFiles());
    expect(provenance).toBe('live');
    expect(contract.list?.tools).toHaveLength(tools);
  });
});
