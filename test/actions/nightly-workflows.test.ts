import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { parse } from 'yaml';
import { workflowTemplate } from '../../src/alert/workflow-template.ts';
import { type FakeGithub, fakeGithub, startFakeGithub } from '../alert/fake-github.ts';
import { hostileTexts } from '../alert/hostile-texts.ts';
import { alive } from '../alert/living-text.ts';
import {
  fakeNpx,
  hasBash,
  reconfigure,
  registrarSecret,
  type WatchedRepository,
  watchDriftingServer,
} from './watched-repository.ts';
import { type RanWorkflow, runWorkflow, type Surroundings, type Workflow } from './workflow-runner.ts';

const root = path.join(import.meta.dirname, '..', '..');
const read = (file: string): Promise<string> => readFile(path.join(root, file), 'utf8');
const { version } = JSON.parse(await read('package.json')) as { version: string };
const canary = parse(await read('.github/workflows/canary.yml')) as Workflow;
const gate = parse(await read('.github/workflows/release-gate.yml')) as Workflow;
const template = workflowTemplate({ version, repository: 'owner/canary', config: 'recordings/targets.yaml' });
const nightly: readonly (readonly [name: string, workflow: Workflow, asked: string])[] = [
  // As its comment says: a variable is named where its secret is.
  [
    'what init --github writes',
    parse(template.replace('# REGISTRAR_TOKEN:', 'REGISTRAR_TOKEN:')) as Workflow,
    `mcp-canary@${version}`,
  ],
  ['canary.yml', canary, `canary@npm:mcp-canary@${version}`],
  ['jobs of one’s own', parse(await read('test/examples/own-jobs.yml')) as Workflow, `mcp-canary@${version}`],
];

/** A workflow names the secret; a called one gets lines. */
const secrets = {
  REGISTRAR_TOKEN: registrarSecret,
  environment: `# of the registrars\nREGISTRAR_TOKEN=${registrarSecret}\r\n`,
};

// The stand-in for GitHub lies in the reference folder.
const isRunnable = fakeGithub !== null && hasBash;
let repository: WatchedRepository;
beforeAll(async () => {
  if (isRunnable) repository = await watchDriftingServer();
});
afterAll(() => repository?.server.close());

async function stage({ onTestFinished }: TestContext, more: Partial<Surroundings> = {}) {
  const github = await startFakeGithub();
  onTestFinished(() => github.close());
  const npx = await fakeNpx();
  const run = (workflow: Workflow, again: Partial<Surroundings> = {}): Promise<RanWorkflow> =>
    runWorkflow(workflow, {
      repository: repository.folder,
      bin: npx.bin,
      apiUrl: github.url,
      token: 'ghs_workflow',
      secrets,
      ...more,
      ...again,
    });
  return { github, npx, run };
}

const logOf = ({ steps }: RanWorkflow): string => steps.map(({ log }) => log).join('\n');
const writesOf = (github: FakeGithub) => github.log.filter(({ write, route }) => write && route !== 'graphql');

describe.skipIf(!isRunnable).concurrent.each(nightly)('%s', (_, workflow, asked) => {
  it('is green where drift was delivered, red where it was not, and keeps two trusts apart', async (test) => {
    const { github, npx, run } = await stage(test);
    const ran = await run(workflow);
    expect(ran.jobs, logOf(ran)).toEqual({ check: 'success', alert: 'success' });
    expect(github.openIssues().map(({ title }) => title)).toEqual(['[mcp-canary] case: 1 breaking contract change']);
    expect(github.openIssues()[0]?.body).toContain('/inputSchema/properties/years');

    const [check, alert, ...rest] = await npx.started();
    expect(rest).toEqual([]);
    expect([check?.args[0], alert?.args[0]]).toEqual(['check', 'alert']);
    expect([check?.asked, alert?.asked]).toEqual([asked, asked]);
    expect(check?.env.REGISTRAR_TOKEN).toBe(registrarSecret);
    expect(JSON.stringify(check?.env)).not.toContain('ghs_workflow');
    expect(alert?.env.GITHUB_TOKEN).toBe('ghs_workflow');
    expect(JSON.stringify(alert?.env)).not.toContain(registrarSecret);
    expect(ran.obeyed).toBe('');
    for (const secret of ['ghs_workflow', registrarSecret]) expect(logOf(ran) + ran.summary).not.toContain(secret);

    const other = await stage(test, { token: 'ghs_readonly', after: ran });
    const refused = await other.run(workflow);
    expect(refused.jobs).toEqual({ check: 'success', alert: 'failure' });
    expect(other.github.issues()).toEqual([]);
    expect(logOf(refused)).toContain('issues: write');
  });
});

describe.skipIf(!isRunnable).concurrent('a night', () => {
  it('is red where nothing was judged', async (test) => {
    const { github, run } = await stage(test);
    const elsewhere = await reconfigure(repository, (text) => text.replace(/127\.0\.0\.1:\d+/, '127.0.0.1:1'));
    const ran = await run(canary, { repository: elsewhere });
    expect(ran.jobs).toEqual({ check: 'success', alert: 'failure' });
    expect(ran.steps.map(({ job, exit }) => [job, exit])).toEqual([
      ['check', 0],
      ['alert', 0],
      ['alert', 1],
    ]);
    expect(logOf(ran)).toContain('Nothing was judged.');
    expect(github.issues()).toEqual([]);
  });

  it('is red with a wrong config, and says nothing to GitHub', async (test) => {
    const { github, run } = await stage(test);
    const ran = await run(canary, {
      repository: await reconfigure(repository, () => 'formatVersion: 1\ntargts: {}\n'),
    });
    expect(ran.jobs).toEqual({ check: 'failure', alert: 'skipped' });
    expect(github.log).toEqual([]);
  });

  it('is red where the lines of the secrets cannot be read, and does not repeat them', async (test) => {
    const { npx, run } = await stage(test);
    const ran = await run(canary, { secrets: { environment: `A B=${registrarSecret}` } });
    expect(ran.jobs).toEqual({ check: 'failure', alert: 'skipped' });
    expect(await npx.started()).toEqual([]);
    expect(logOf(ran)).not.toContain(registrarSecret);
  });

  it('by hand looks at the targets that were named, says what it would write, and writes nothing', async (test) => {
    const { github, npx, run } = await stage(test, { event: 'workflow_dispatch' });
    const ran = await run(canary, { inputs: { 'dry-run': true, targets: '  case\n', package: './canary 1.tgz' } });
    expect(ran.jobs, logOf(ran)).toEqual({ check: 'success', alert: 'success' });
    expect(writesOf(github)).toEqual([]);
    expect(logOf(ran)).toContain('would open an issue');
    const [check, alert] = await npx.started();
    expect(check?.args.slice(-2)).toEqual(['--', 'case']);
    expect(alert?.args.at(-1)).toBe('--dry-run');
    expect(check?.asked).toBe('./canary 1.tgz');

    const elsewhere = await run(canary, { branch: 'feature', after: ran });
    expect(elsewhere.jobs).toEqual({ check: 'success', alert: 'skipped' });
  });
});

describe.skipIf(!isRunnable).concurrent('release-gate.yml', () => {
  it('fails on drift, keeps the report, and needs no token', async (test) => {
    const { github, npx, run } = await stage(test, { event: 'workflow_dispatch', branch: 'feature' });
    const ran = await run(gate, { inputs: { 'fail-on': 'breaking' } });
    expect(ran.jobs).toEqual({ check: 'failure' });
    expect(ran.steps.map(({ exit }) => exit)).toEqual([1]);
    expect(await readFile(path.join(ran.artifacts, 'mcp-canary-release-gate', 'junit.xml'), 'utf8')).toContain(
      '<failure',
    );
    expect(JSON.stringify((await npx.started())[0]?.env)).not.toContain('ghs_workflow');
    expect(github.log).toEqual([]);
  });

  it('lets a release pass where the answers are as recorded', async (test) => {
    const { run } = await stage(test);
    const accepted = await reconfigure(repository, (text) =>
      text.replace(
        '"tools":',
        '"waivers": [{ "rule": "input-property-became-required", "reason": "agreed" }], "tools":',
      ),
    );
    const ran = await run(gate, { repository: accepted });
    expect(ran.jobs, logOf(ran)).toEqual({ check: 'success' });
  });
});

type Forgery = (report: Record<string, unknown>, text: string) => string;

/** Somebody took over the job that reads servers: its artifact says what they like. */
const forge =
  (change: Forgery) =>
  async (artifacts: string): Promise<void> => {
    const file = path.join(artifacts, 'mcp-canary', 'report.json');
    const text = await readFile(file, 'utf8');
    await writeFile(file, change(JSON.parse(text) as Record<string, unknown>, text));
  };

const refused: readonly (readonly [name: string, change: Forgery])[] = [
  ['no report', () => '::error::owned\n\u001b]0;owned\u0007##[add-mask]x'],
  ['of another shape', () => JSON.stringify({ formatVersion: 1, targets: '::error::owned' })],
  ['a target of its own', (_, text) => text.replaceAll('"case"', '"elsewhere"')],
  ['a target that is a text', (_, text) => text.replaceAll('"case"', '"@org/team ::error::owned"')],
  [
    'a fingerprint that is a command',
    (_, text) => text.replace(/"fingerprint": *"[0-9a-f]+"/, '"fingerprint": "$(id); ##[error]owned"'),
  ],
];

describe.skipIf(!isRunnable)('a hostile report in the hands of the job that alerts', () => {
  let looked: RanWorkflow;
  beforeAll(async () => {
    const { bin } = await fakeNpx();
    const checkAlone: Workflow = {
      ...canary,
      jobs: Object.fromEntries([['check', canary.jobs.check ?? { steps: [] }]]),
    };
    looked = await runWorkflow(checkAlone, { repository: repository.folder, bin, apiUrl: '', token: '', secrets });
  });

  it.concurrent.for(refused)('is refused, and nothing is written: %s', async ([, change], test) => {
    const { github, run } = await stage(test);
    const ran = await run(canary, { after: looked, meddle: forge(change) });
    expect(ran.jobs).toEqual({ check: 'success', alert: 'failure' });
    const [alert] = ran.steps;
    expect(alert?.exit).toBe(2);
    expect(alert?.log).toMatch(/The report .*\n.*Hand in what/);
    expect(alert?.commands).toEqual([]);
    expect(alert?.log).not.toContain('\u001b');
    expect(writesOf(github)).toEqual([]);
  });

  it.concurrent('is told with nothing in it alive', async (test) => {
    const { github, run } = await stage(test);
    const text = (i: number): string => hostileTexts[i % hostileTexts.length] ?? '';
    const dress: Forgery = (report) => {
      const [target] = report.targets as Record<string, unknown>[];
      const [finding] = (target?.findings ?? []) as Record<string, unknown>[];
      const findings = Array.from({ length: 80 }, (_, i) => ({
        ...finding,
        rule: i % 2 ? 'tool-removed' : 'input-property-required-added',
        fingerprint: i.toString(16).padStart(16, '0'),
        tool: text(i),
        pointer: text(i + 80),
        before: { [text(i + 160)]: text(i + 240) },
        after: text(i + 300),
        message: text(i + 40),
      }));
      const dressed = { ...target, registrar: text(1), server: { name: text(17), version: text(22) }, findings };
      return JSON.stringify({ ...report, targets: [dressed] });
    };
    const ran = await run(canary, { after: looked, meddle: forge(dress) });
    expect(ran.jobs, logOf(ran)).toEqual({ check: 'success', alert: 'success' });
    const [issue] = github.openIssues();
    expect(alive(issue?.body ?? '')).toEqual([]);
    expect(alive(ran.summary)).toEqual([]);
    expect([github.state.notifications, github.state.references]).toEqual([[], []]);
    expect(ran.obeyed).toBe('');
    expect(ran.steps.flatMap(({ commands }) => commands)).toEqual([]);
    expect(logOf(ran)).not.toContain('\u001b');
  });
});
