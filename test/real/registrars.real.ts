import { readFileSync } from 'node:fs';
import { cp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { realModules } from '../helpers/real-server.ts';
import { check, makeFolder, runCli } from '../helpers/run-cli.ts';
import { readTree } from './read-tree.ts';

/*
 * Registrars' own servers from npm, as child processes. Only their lists are asked for: nothing is called, and none of them
 * talks to its registrar before it is.
 */
const programs = {
  hostinger: { script: 'hostinger-api-mcp/src/servers/domains.js', tools: 41 },
  'hostinger-whole': { script: 'hostinger-api-mcp/src/servers/all.js', tools: 401 },
  namecom: { script: 'namecom-mcp/dist/index.js', tools: 18 },
  domainsearch: { script: 'domain-search-mcp/dist/server.js', tools: 12 },
} as const;
type Registrar = keyof typeof programs;
const registrars = Object.keys(programs) as readonly Registrar[];
/** Their recordings are in this repository, taken from the same versions. */
const committed = ['hostinger', 'namecom'] as const;

// name.com's does not start without an account; nobody's will do for the list.
const env = { NAME_USERNAME: 'nobody', NAME_TOKEN: 'no-account-at-all' };
const targetOf = (id: Registrar, script: string = path.join(realModules, programs[id].script)) => ({
  transport: 'stdio',
  command: process.execPath,
  args: [script],
  environment: ['PATH', 'HOME', ...(id === 'namecom' ? Object.keys(env) : [])],
  revision: '2025-11-25',
  texts: 'digest',
  confirm: { delayMs: 0 },
});
const configOf = (script?: string) => ({
  formatVersion: 1,
  targets: Object.fromEntries(registrars.map((id) => [id, targetOf(id, script)])),
});
/** Four programs of four vendors, none of which has anything to steal here. */
const trusting = '--allow-shared-secrets';

describe("registrars' own servers", () => {
  const outcomes = new Map<string, string[]>(registrars.map((id) => [id, []]));
  let folder: string;
  beforeAll(async () => {
    folder = await makeFolder(configOf());
  });
  afterAll(() => {
    const lines = [...outcomes].map(([id, said]) => `  ${id.padEnd(20)} ${said.join(' · ')}`);
    process.stdout.write(`\nRegistrars' own servers, over stdio, tools/list only:\n${lines.join('\n')}\n`);
  });

  it('are recorded', async () => {
    const ended = await runCli(['record', trusting], { cwd: folder, env });
    expect(ended.exit, ended.stdout + ended.stderr).toBe(0);
    for (const id of registrars) {
      const list = JSON.parse(readFileSync(path.join(folder, 'recordings', id, 'tools-list.json'), 'utf8')) as {
        readonly tools: object;
      };
      expect(Object.keys(list.tools), id).toHaveLength(programs[id].tools);
      outcomes.get(id)?.push(`recorded, ${programs[id].tools} tools`);
    }
  });

  it('are steady, and recorded again leave no byte changed', async () => {
    const { ended, report } = await check(folder, [trusting], env);
    expect(ended.exit, ended.stdout + ended.stderr).toBe(0);
    for (const target of report.targets) {
      expect(target.findings).toEqual([]);
      expect(target.replayed.map((step) => step.method)).not.toContain('tools/call');
      const notes = target.notes.map(({ code, step }) => ` (${code} at ${step})`);
      outcomes.get(target.target)?.push(`${target.state}${notes.join('')}`);
    }
    const before = readTree(path.join(folder, 'recordings'));
    const again = await runCli(['record', '--update', trusting], { cwd: folder, env });
    expect(again.exit, again.stderr).toBe(0);
    expect(readTree(path.join(folder, 'recordings'))).toEqual(before);
    for (const said of outcomes.values()) said.push('unchanged');
  });

  it.each(committed)('%s is as this repository recorded it', async (id) => {
    const other = await makeFolder({ formatVersion: 1, targets: { [id]: targetOf(id) } });
    const recording = path.join(import.meta.dirname, '..', '..', 'recordings', id);
    await cp(recording, path.join(other, 'recordings', id), { recursive: true });
    const { ended, report } = await check(other, [], env);
    expect(report.targets[0]?.findings).toEqual([]);
    expect(ended.exit).toBe(0);
    const again = await runCli(['record', '--update'], { cwd: other, env });
    expect(again.exit, again.stderr).toBe(0);
    expect([...readTree(path.join(other, 'recordings', id)).values()]).toEqual([...readTree(recording).values()]);
    outcomes.get(id)?.push('as committed');
  });

  it('are told of when other tools are there', async () => {
    const another = path.join(realModules, 'hostinger-api-mcp/src/servers/dns.js');
    await writeFile(path.join(folder, 'recordings', 'targets.yaml'), JSON.stringify(configOf(another)));
    const { ended, report } = await check(folder, [trusting], env);
    for (const target of report.targets) {
      outcomes.get(target.target)?.push(target.state);
      expect(target.state).toBe('drifted');
      expect(target.findings.map((finding) => finding.rule)).toContain('tool-removed');
    }
    expect(ended.exit).toBe(1);
  });

  it('are not judged where they do not start', async () => {
    const nowhere = path.join(folder, 'no-such-program.mjs');
    await writeFile(path.join(folder, 'recordings', 'targets.yaml'), JSON.stringify(configOf(nowhere)));
    const { ended, report } = await check(folder, [trusting], env);
    for (const target of report.targets) {
      outcomes.get(target.target)?.push(target.failure?.class ?? 'no failure');
      expect(target).toMatchObject({ state: 'inconclusive', failure: { class: 'exited' }, findings: [] });
    }
    expect(ended.exit).toBe(3);
  });
});
