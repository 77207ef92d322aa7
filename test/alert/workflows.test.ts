import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import {
  alertMemoryFolder,
  nightlyMinute,
  pinnedActions,
  workflowTemplate,
} from '../../src/alert/workflow-template.ts';

const root = path.join(import.meta.dirname, '..', '..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const { version } = JSON.parse(read('package.json')) as { version: string };
const template = workflowTemplate({ version, repository: 'owner/repo', config: 'recordings/targets.yaml' });
const canary = read('.github/workflows/canary.yml');
const workflows: readonly (readonly [string, string])[] = [
  ['init --github', template],
  ['canary.yml', canary],
  ['release-gate.yml', read('.github/workflows/release-gate.yml')],
  ['ci.yml', read('.github/workflows/ci.yml')],
  ['action.yml', read('.github/actions/canary/action.yml')],
  ['own-jobs.yml', read('test/examples/own-jobs.yml')],
];
/** The action names its own version; these ask for none. */
const isVersionless = new Set(['ci.yml', 'own-jobs.yml']);

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, unknown>>;
}
interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly 'timeout-minutes'?: number;
  readonly steps: readonly Step[];
}
interface Workflow {
  readonly on?: { readonly schedule?: readonly { readonly cron: string }[] };
  readonly permissions?: Readonly<Record<string, string>>;
  readonly concurrency?: { readonly 'cancel-in-progress': unknown };
  readonly jobs?: Readonly<Record<string, Job>>;
  readonly runs?: { readonly steps: readonly Step[] };
}
const stepsOf = (workflow: Workflow): readonly Step[] =>
  workflow.runs?.steps ?? Object.values(workflow.jobs ?? {}).flatMap(({ steps }) => steps);

describe.each(workflows)('%s', (name, text) => {
  const workflow = parse(text) as Workflow;

  it('uses actions of the list only, each by its commit and with its version beside it', () => {
    const used = [...text.matchAll(/uses: (\S+@.*)$/gm)]
      .map(([, action]) => action)
      .filter((action) => !action?.startsWith('OWNER/'));
    expect(used.filter((action) => !Object.values<string | undefined>(pinnedActions).includes(action))).toEqual([]);
  });

  it('puts no expression into a script', () => {
    expect(stepsOf(workflow).filter(({ run }) => run?.includes('${{'))).toEqual([]);
  });

  it('leaves no credentials in the work tree', () => {
    const checkouts = stepsOf(workflow).filter(({ uses }) => uses?.startsWith('actions/checkout@'));
    expect(checkouts.every((step) => step.with?.['persist-credentials'] === false)).toBe(true);
  });

  it('asks for exactly the version of this package', () => {
    const versions = [...text.matchAll(/mcp-canary@(\d[\w.-]*)/g)].map(([, found]) => found);
    expect(new Set(versions)).toEqual(new Set(isVersionless.has(name) ? [] : [version]));
  });

  it('gives a time limit to each job, and permissions by name', () => {
    for (const job of Object.values(workflow.jobs ?? {})) expect(job['timeout-minutes']).toBeGreaterThan(0);
    if (name !== 'action.yml') expect(workflow.permissions).toEqual(name === 'ci.yml' ? { contents: 'read' } : {});
  });
});

describe.each(workflows.slice(0, 2))('the two trusts of %s', (_, text) => {
  const { jobs = {}, on, concurrency } = parse(text) as Workflow;
  const environment = (job: Job | undefined): string => JSON.stringify(job?.steps.map(({ env }) => env));

  it('the job that reads servers has no permission, and no token of the repository', () => {
    expect(jobs.check?.permissions).toEqual({});
    expect(environment(jobs.check)).not.toContain('github.token');
  });

  it('the job that alerts has no secret, and may write issues alone', () => {
    expect(jobs.alert?.permissions).toEqual({ contents: 'read', issues: 'write' });
    expect(environment(jobs.alert)).not.toContain('secrets.');
    expect(environment(jobs.alert)).toContain('github.token');
    expect(text).toContain(`path: ${alertMemoryFolder}\n`);
  });

  it('runs off the full hour, one after the other', () => {
    expect(Number(on?.schedule?.[0]?.cron.split(' ')[0]) % 2).toBe(1);
    expect(concurrency?.['cancel-in-progress']).toBe(false);
  });
});

describe('the minute of a nightly run', () => {
  it('is odd, within the hour, and spreads', () => {
    const minutes = Array.from({ length: 500 }, (_, i) => nightlyMinute(`owner/repo-${i}`));
    expect(minutes.every((minute) => minute % 2 === 1 && minute > 0 && minute < 60)).toBe(true);
    expect(new Set(minutes).size).toBeGreaterThan(25);
  });
});

describe('a configuration elsewhere', () => {
  it('is data in the workflow, whatever its name', () => {
    const text = workflowTemplate({ version, repository: null, config: `a b/"x" \${{ secrets.X }}/targets.yaml` });
    const { env } = parse(text) as { env: { CONFIG: string } };
    expect(env.CONFIG).toBe(`a b/"x" \${{ '\${{' }} secrets.X }}/targets.yaml`);
  });
});
