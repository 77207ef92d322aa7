import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';
import { type Contexts, fill, holds } from './expressions.ts';

const root = path.join(import.meta.dirname, '..', '..');

export interface Step {
  readonly id?: string;
  readonly name?: string;
  readonly if?: unknown;
  readonly uses?: string;
  readonly run?: string;
  readonly shell?: string;
  readonly env?: Readonly<Record<string, unknown>>;
  readonly with?: Readonly<Record<string, unknown>>;
}
export interface Job {
  readonly if?: unknown;
  readonly needs?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, unknown>>;
  readonly steps: readonly Step[];
}
export interface Workflow {
  readonly env?: Readonly<Record<string, unknown>>;
  readonly defaults?: { readonly run?: { readonly shell?: string } };
  readonly jobs: Readonly<Record<string, Job>>;
}
interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: unknown }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
}

/** One step that ran a script. */
export interface RanStep {
  readonly job: string;
  readonly script: string;
  readonly exit: number | null;
  /** What the log shows: what was said to be a secret is hidden. */
  readonly log: string;
  /** The workflow commands that the runner would have obeyed, by name. */
  readonly commands: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface RanWorkflow {
  readonly jobs: Readonly<Record<string, 'success' | 'failure' | 'skipped'>>;
  readonly steps: readonly RanStep[];
  /** What all steps wrote to GITHUB_ENV and GITHUB_PATH, which later steps of a job obey. */
  readonly obeyed: string;
  readonly summary: string;
  /** A folder with the artifacts by name. */
  readonly artifacts: string;
}

export interface Surroundings {
  /** What a checkout gives. */
  readonly repository: string;
  /** Stands first in PATH. */
  readonly bin: string;
  readonly apiUrl: string;
  readonly token: string;
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly secrets?: Readonly<Record<string, string>>;
  readonly event?: string;
  readonly branch?: string;
  /** Caches between runs, by path. */
  readonly caches?: Map<string, string>;
  /** A run whose first job is not run again: its artifacts are taken. */
  readonly after?: RanWorkflow;
  /** Somebody at the artifacts of that run. */
  readonly meddle?: (artifacts: string) => Promise<void>;
}

/** Runs the jobs of a workflow, one after the other, as a runner would: as far as ours need it. */
export async function runWorkflow(workflow: Workflow, surroundings: Surroundings): Promise<RanWorkflow> {
  const temp = await mkdtemp(path.join(os.tmpdir(), 'mcp-canary-runner-'));
  const { repository, token, inputs = {}, secrets = {}, event = 'schedule', branch = 'main' } = surroundings;
  const contexts: Contexts = {
    inputs,
    secrets,
    github: {
      event_name: event,
      ref_name: branch,
      repository: 'owner/canary',
      run_id: '77',
      run_attempt: '1',
      token,
      event: { repository: { default_branch: 'main' } },
    },
  };
  const jobs: Record<string, 'success' | 'failure' | 'skipped'> = {};
  const steps: RanStep[] = [];
  let [obeyed, summary] = ['', ''];
  const artifacts = path.join(temp, 'artifacts');
  if (surroundings.after !== undefined) {
    jobs.check = surroundings.after.jobs.check ?? 'skipped';
    await cp(surroundings.after.artifacts, artifacts, { recursive: true });
    await surroundings.meddle?.(artifacts);
  }
  for (const [name, job] of Object.entries(workflow.jobs).filter(([name]) => jobs[name] === undefined)) {
    const isDue = (job.needs === undefined || jobs[job.needs] === 'success') && holds(job.if ?? 'true', contexts);
    if (!isDue) {
      jobs[name] = 'skipped';
      continue;
    }
    const workspace = path.join(temp, name);
    await mkdir(workspace);
    const at = (file: string): string => path.join(temp, `${name}-${file}`);
    const env: Record<string, string> = {
      PATH: `${surroundings.bin}${path.delimiter}${process.env.PATH}`,
      HOME: temp,
      CI: 'true',
      GITHUB_ACTIONS: 'true',
      GITHUB_API_URL: surroundings.apiUrl,
      GITHUB_SERVER_URL: 'https://github.com',
      GITHUB_REPOSITORY: 'owner/canary',
      GITHUB_RUN_ID: '77',
      GITHUB_REF: `refs/heads/${branch}`,
      GITHUB_SHA: 'c0ffee'.repeat(7).slice(0, 40),
      GITHUB_WORKSPACE: workspace,
      GITHUB_OUTPUT: at('output'),
      GITHUB_ENV: at('env'),
      GITHUB_PATH: at('path'),
      GITHUB_STEP_SUMMARY: at('summary'),
    };
    for (const file of ['output', 'env', 'path', 'summary']) await writeFile(at(file), '');
    const runner = new JobRunner({ name, workspace, repository, artifacts, env, surroundings, steps });
    const fixed = { ...filled(workflow.env, contexts), ...filled(job.env, contexts) };
    jobs[name] = await runner.run(job.steps, contexts, fixed, workflow.defaults?.run?.shell);
    obeyed += (await readFile(at('env'), 'utf8')) + (await readFile(at('path'), 'utf8'));
    summary += await readFile(at('summary'), 'utf8');
  }
  return { jobs, steps, obeyed, summary, artifacts };
}

const filled = (env: Readonly<Record<string, unknown>> = {}, contexts: Contexts): Record<string, string> =>
  Object.fromEntries(Object.entries(env).map(([name, value]) => [name, fill(value, contexts)]));

interface JobPlace {
  readonly name: string;
  readonly workspace: string;
  readonly repository: string;
  readonly artifacts: string;
  readonly env: Record<string, string>;
  readonly surroundings: Surroundings;
  readonly steps: RanStep[];
}

class JobRunner {
  readonly #job: JobPlace;

  constructor(job: JobPlace) {
    this.#job = job;
  }

  async run(
    steps: readonly Step[],
    contexts: Contexts,
    env: Readonly<Record<string, string>>,
    shell: string | undefined,
  ): Promise<'success' | 'failure'> {
    let conclusion: 'success' | 'failure' = 'success';
    const outputs: Record<string, { outputs: Record<string, string> }> = {};
    for (const step of steps) {
      const now = { ...contexts, steps: outputs };
      const condition = step.if === undefined ? 'true' : String(step.if);
      if (conclusion === 'failure' && !condition.includes('always()')) continue;
      if (!holds(condition, now)) continue;
      const own = { ...env, ...filled(step.env, now) };
      const result =
        step.run === undefined
          ? await this.#use(step, now, own)
          : await this.#script(step.run, step.shell ?? shell, own);
      if (step.id !== undefined) outputs[step.id] = { outputs: result.outputs };
      if (!result.ok) conclusion = 'failure';
    }
    this.outputs = outputs;
    return conclusion;
  }

  /** Of the steps that were run last, by id. */
  outputs: Readonly<Record<string, { readonly outputs: Readonly<Record<string, string>> }>> = {};

  async #script(script: string, shell: string | undefined, env: Readonly<Record<string, string>>): Promise<Result> {
    const { workspace, steps, name } = this.#job;
    const file = path.join(workspace, '..', `${name}-step-${steps.length}.sh`);
    await writeFile(file, script);
    const all = { ...this.#job.env, ...env };
    const output = all.GITHUB_OUTPUT ?? '';
    await writeFile(output, '');
    const strict = shell === 'bash' ? ['--noprofile', '--norc', '-eo', 'pipefail'] : ['-e'];
    const { exit, text } = await spawnIn(['bash', ...strict, file], workspace, all);
    steps.push({ job: name, script, exit, env: all, ...readLog(text) });
    return { ok: exit === 0, outputs: readOutputs(await readFile(output, 'utf8')) };
  }

  async #use(step: Step, contexts: Contexts, env: Readonly<Record<string, string>>): Promise<Result> {
    const { workspace, repository, artifacts, surroundings } = this.#job;
    const action = (step.uses ?? '').replace(/@.*$/, '');
    const given = filled(step.with, contexts);
    const place = path.join(workspace, given.path ?? '');
    const caches = surroundings.caches ?? new Map<string, string>();
    const fine: Result = { ok: true, outputs: {} };
    if (action === 'actions/setup-node') return fine;
    if (action === 'actions/checkout') await cp(repository, workspace, { recursive: true });
    else if (action === 'actions/upload-artifact') {
      if (!existsSync(place)) return { ...fine, ok: given['if-no-files-found'] !== 'error' };
      await cp(place, path.join(artifacts, given.name ?? ''), { recursive: true });
    } else if (action === 'actions/download-artifact') {
      const source = path.join(artifacts, given.name ?? '');
      if (!existsSync(source)) return { ...fine, ok: false };
      await cp(source, place, { recursive: true });
    } else if (action === 'actions/cache/restore') {
      const kept = caches.get(given.path ?? '');
      if (kept !== undefined) await cp(kept, place, { recursive: true });
    } else if (action === 'actions/cache/save') {
      if (existsSync(place)) {
        const kept = await mkdtemp(path.join(os.tmpdir(), 'mcp-canary-cache-'));
        await cp(place, kept, { recursive: true });
        caches.set(given.path ?? '', kept);
      }
    } else if (action.endsWith('/.github/actions/canary')) return this.#composite(given, contexts, env);
    else throw new Error(`this runner has no ${step.uses}`);
    return fine;
  }

  async #composite(
    given: Readonly<Record<string, string>>,
    contexts: Contexts,
    env: Readonly<Record<string, string>>,
  ): Promise<Result> {
    const action = parse(await readFile(path.join(root, '.github/actions/canary/action.yml'), 'utf8')) as Action;
    const strange = Object.keys(given).filter((name) => !Object.hasOwn(action.inputs, name));
    if (strange.length > 0) throw new Error(`the action has no input ${strange.join(', ')}`);
    const inputs = Object.fromEntries(
      Object.entries(action.inputs).map(([name, input]) => [name, given[name] ?? fill(input.default, contexts)]),
    );
    const inside = { ...contexts, inputs, secrets: {} };
    const conclusion = await this.run(action.runs.steps, inside, env, undefined);
    const outputs = Object.entries(action.outputs).map(
      ([name, { value }]) => [name, fill(value, { ...inside, steps: this.outputs })] as const,
    );
    return { ok: conclusion === 'success', outputs: Object.fromEntries(outputs) };
  }
}

interface Result {
  readonly ok: boolean;
  readonly outputs: Record<string, string>;
}

function spawnIn(
  [command = '', ...args]: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<{ readonly exit: number | null; readonly text: string }> {
  return new Promise((done, fail) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
    child.on('error', fail);
    child.on('close', (exit) => done({ exit, text }));
  });
}

/** The log with its masks applied, and the commands that the runner obeys: at the start of a line, or `##[name]` in one. */
function readLog(text: string): Pick<RanStep, 'log' | 'commands'> {
  const lines = text.split(/\r\n|[\n\r]/);
  const named = lines.flatMap((line) => {
    const [, name, data] =
      /^\s*::([\w-]+)(?: [^\n]*?)?::(.*)$/.exec(line) ?? /##\[([\w-]+)[^\]]*\](.*)$/.exec(line) ?? [];
    return name === undefined ? [] : [{ name, data: data ?? '' }];
  });
  const masks = named.filter(({ name }) => name === 'add-mask').map(({ data }) => data.replaceAll('%25', '%'));
  const shown = lines.filter((line) => !line.startsWith('::add-mask::')).join('\n');
  return {
    log: masks.reduce((log, mask) => log.replaceAll(mask, '***'), shown),
    commands: named.map(({ name }) => name),
  };
}

/** `name=value`, or `name<<mark` … `mark`. */
function readOutputs(text: string): Record<string, string> {
  const outputs: [string, string][] = [];
  const lines = text.split('\n');
  for (let line = lines.shift(); line !== undefined; line = lines.shift()) {
    const [, name, mark] = /^([\w-]+)<<(.+)$/.exec(line) ?? [];
    if (name !== undefined && mark !== undefined) {
      outputs.push([name, lines.splice(0, lines.indexOf(mark)).join('\n')]);
      lines.shift();
    } else if (line.includes('=')) outputs.push([line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]);
  }
  return Object.fromEntries(outputs);
}
