// Adopt a stdio server that somebody else wrote, before anything of it is ever called.
//
//   mcp-canary init --target prices -- node server.mjs
//
// records what it announces. A tool is called only where targets.yaml gives it `calls`; nothing does here, so each tool is
// watched, and its calls are off. What a model would see it as, mcp__<target>__<tool>, is what an agent's own list of
// allowed tools names.
import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createNodeFiles, loadConfig, readRecording } from 'mcp-canary';
import { plainEnvironment, runCanary } from '../run-canary.mjs';

const folder = mkdtempSync(path.join(os.tmpdir(), 'mcp-canary-example-'));
try {
  copyFileSync(path.join(import.meta.dirname, 'server.mjs'), path.join(folder, 'server.mjs'));
  runCanary(['init', '--target', 'prices', '--', 'node', 'server.mjs'], folder);

  const file = path.join(folder, 'recordings', 'targets.yaml');
  const text = readFileSync(file, 'utf8');
  const config = loadConfig({ text, file, env: plainEnvironment, select: null, version: '0.0.0' });
  const recording = await readRecording(path.dirname(file), 'prices', createNodeFiles());
  const tools = recording.contract.list.tools.map(({ name }) => name);
  const allowed = config.targets.get('prices').use.tools;

  console.log(`\n${tools.length} tool found:`);
  for (const tool of tools) {
    const isCalled = Object.keys(allowed?.get(tool)?.calls ?? {}).length > 0;
    console.log(`  mcp__prices__${tool}  watched, calls ${isCalled ? 'on' : 'off'}`);
    assert.equal(isCalled, false);
  }
  assert.deepEqual(tools, ['price_of_domain']);

  // A check replays what was recorded, and that is no call.
  runCanary(['check'], folder);
  const asked = [...new Set(readFileSync(path.join(folder, 'asked.txt'), 'utf8').trim().split('\n'))];
  console.log(`\nThe server was asked for ${asked.join(', ')}, and never for tools/call.`);
  assert.deepEqual(asked, ['initialize', 'notifications/initialized', 'tools/list']);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
