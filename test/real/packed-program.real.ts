import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { registrarSecret, watchDriftingServer } from '../actions/watched-repository.ts';
import { runWorkflow, type Workflow } from '../actions/workflow-runner.ts';
import { fakeGithub, startFakeGithub } from '../alert/fake-github.ts';

const root = path.join(import.meta.dirname, '..', '..');

/** As npm would publish it, from what was built. */
async function pack(): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'mcp-canary-pack-'));
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], {
      cwd: root,
      encoding: 'utf8',
    }),
  ) as readonly { readonly filename: string }[];
  return path.join(folder, packed?.filename ?? '');
}

// The stand-in for GitHub lies in the reference folder; without it this is skipped.
describe.skipIf(fakeGithub === null)('the nightly workflow with the packed program and the real npx', () => {
  it('delivers drift, and is red where GitHub fails all night', { timeout: 120_000 }, async () => {
    const [tarball, repository, github, broken] = await Promise.all([
      pack(),
      watchDriftingServer(),
      startFakeGithub(),
      startFakeGithub(),
    ]);
    try {
      const canary = parse(await readFile(path.join(root, '.github/workflows/canary.yml'), 'utf8')) as Workflow;
      const surroundings = {
        repository: repository.folder,
        bin: await mkdtemp(path.join(os.tmpdir(), 'mcp-canary-bin-')),
        token: 'ghs_workflow',
        inputs: { package: tarball },
        secrets: { environment: `REGISTRAR_TOKEN=${registrarSecret}` },
      };
      const ran = await runWorkflow(canary, { ...surroundings, apiUrl: github.url });
      expect(ran.jobs, ran.steps.map(({ log }) => log).join('\n')).toEqual({ check: 'success', alert: 'success' });
      expect(github.openIssues().map(({ title }) => title)).toEqual(['[mcp-canary] case: 1 breaking contract change']);

      broken.fail({ route: 'issues.create', times: 99, act: { status: 502, body: '<html>502</html>' } });
      const failed = await runWorkflow(canary, { ...surroundings, apiUrl: broken.url, after: ran });
      expect(failed.jobs).toEqual({ check: 'success', alert: 'failure' });
      expect(failed.steps[0]?.exit).toBe(3);
      expect(broken.issues()).toEqual([]);
    } finally {
      await Promise.all([repository.server.close(), github.close(), broken.close()]);
    }
  });
});
