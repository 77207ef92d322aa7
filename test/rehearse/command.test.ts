import { cp, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeFolder, runCli } from '../helpers/run-cli.ts';

const committed = path.join(import.meta.dirname, '..', '..', 'recordings', 'godaddy');

const target = {
  transport: 'streamable-http',
  url: 'https://mcp.registrar.example/mcp',
  revision: '2025-06-18',
  tools: { domains_check_availability: { calls: { taken: { arguments: { domains: 'google.com' } } } } },
};

/** A folder of a user's own, with a copy of a recording. */
async function folderWith(targets: Record<string, object>, more: object = {}): Promise<string> {
  const folder = await makeFolder({ formatVersion: 1, ...more, targets });
  await mkdir(path.join(folder, 'recordings', 'godaddy'));
  await cp(committed, path.join(folder, 'recordings', 'godaddy'), { recursive: true });
  return folder;
}

describe('rehearse', () => {
  let folder = '';
  // The variable of the credentials is not set: a rehearsal reaches nobody.
  beforeAll(async () => {
    folder = await folderWith({ godaddy: { ...target, credentials: { bearer: 'REGISTRAR_TOKEN' } } });
  });

  it('holds the drill that matters most, on the only target', async () => {
    const ended = await runCli(['rehearse'], { cwd: folder });
    expect(ended.exit, ended.stderr).toBe(0);
    expect(ended.stdout).toContain('SECURITY annotation-readonly-lost');
    expect(ended.stderr).toContain('A tool no longer says that it only reads.');
    expect(ended.stderr).toContain('Fired as security.');
    expect(ended.stderr).toContain('Would open an issue (dry run): [mcp-canary] godaddy');
  });

  it('gives the report of the one check to any reporter', async () => {
    const ended = await runCli(['rehearse', 'godaddy', '--rule', 'tool-renamed', '--reporter', 'json'], {
      cwd: folder,
    });
    expect(ended.exit, ended.stderr).toBe(0);
    const report = JSON.parse(ended.stdout);
    expect(report.targets[0].state).toBe('drifted');
    expect(report.targets[0].looks).toBe(2);
    expect(report.targets[0].findings[0].rule).toBe('tool-renamed');
  });

  it('tells one line a rule, and sums up', async () => {
    const ended = await runCli(['rehearse', '--all', '--reporter', 'console', '--reporter', 'json=drills.json'], {
      cwd: folder,
    });
    expect(ended.exit, ended.stdout).toBe(0);
    expect(ended.stderr).toBe('');
    expect(ended.stdout).toMatch(/^ {2}fired {7}tool-removed +breaking +alert: contract$/m);
    expect(ended.stdout).toMatch(/^ {2}- {11}tls-invalid +cannot be rehearsed, because a stand-in is reached/m);
    expect(ended.stdout).toMatch(/rules: \d+ fired, \d+ cannot be rehearsed on this recording; every rule/);
  });

  it('cannot hold a drill for which the recording has nothing', async () => {
    const ended = await runCli(['rehearse', '--rule', 'tools-pagination-removed'], { cwd: folder });
    expect(ended.exit).toBe(3);
    expect(ended.stdout).toBe('');
    expect(ended.stderr).toContain('because there is no list of several pages');
  });

  it.each([
    { what: 'an unknown rule', args: ['--rule', 'tool-eaten'], says: 'There is no rule called "tool-eaten"' },
    { what: 'a rule beside all', args: ['--all', '--rule', 'tool-removed'], says: 'exclude each other' },
    { what: 'an unknown target', args: ['nobody'], says: 'has no target "nobody"' },
    { what: 'a reporter of one run', args: ['--all', '--reporter', 'sarif'], says: 'has no reporter sarif' },
  ])('refuses $what', async ({ args, says }) => {
    const ended = await runCli(['rehearse', ...args], { cwd: folder });
    expect(ended.exit).toBe(2);
    expect(ended.stderr).toContain(says);
  });

  it('asks for a name where there are several targets, and for a recording where there is none', async () => {
    const several = await folderWith({ godaddy: target, other: target });
    const unnamed = await runCli(['rehearse'], { cwd: several });
    expect(unnamed.exit).toBe(2);
    expect(unnamed.stderr).toContain('There is more than one target: godaddy, other.');
    const unrecorded = await runCli(['rehearse', 'other'], { cwd: several });
    expect(unrecorded.exit).toBe(3);
    expect(unrecorded.stderr).toContain('there is no recording of other');
  });

  it('holds none for a config that calls what was never recorded', async () => {
    const calls = { free: { arguments: { domains: 'nobody-has-this.example' } } };
    const tools = { domains_check_availability: { calls } };
    const ended = await runCli(['rehearse'], { cwd: await folderWith({ godaddy: { ...target, tools } }) });
    expect(ended.exit).toBe(3);
    expect(ended.stderr).toContain('The recording has no case free');
  });
});
