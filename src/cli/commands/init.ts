import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { workflowTemplate } from '../../alert/workflow-template.ts';
import { type ServerAddress, suggestTargetId, writeTargetsYaml } from '../../config/write-targets-yaml.ts';
import { CanaryError } from '../../errors.ts';
import { isJsonObject, type JsonObject } from '../../json/json-value.ts';
import { parseJson } from '../../json/parse-json.ts';
import { targetLimits } from '../../limits.ts';
import { isRevision, newestHandshakeRevision, revisions } from '../../protocol/revisions.ts';
import { quoteName } from '../../text/quote-name.ts';
import type { CliWorld, CommonOptions } from '../cli-world.ts';
import type { InitOptions } from '../command-options.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { concurrencyOf, openConfig, openRun } from '../open-run.ts';
import { showProgress } from '../show-progress.ts';
import { recordAll } from './record.ts';

/** Writes targets.yaml, takes the first recording, and where asked for the nightly workflow. */
export async function runInit(
  server: readonly string[],
  options: CommonOptions & InitOptions,
  world: CliWorld,
): Promise<ExitCode> {
  const concurrency = concurrencyOf(options);
  const address = addressOf(server);
  const revision = options.revision ?? newestHandshakeRevision;
  if (!isRevision(revision))
    throw new CanaryError(
      'usage',
      `${quoteName(revision)} is no MCP revision.`,
      `Choose one of ${revisions.join(', ')}.`,
    );
  const text = writeTargetsYaml({
    id: options.target ?? suggestTargetId(address),
    server: address,
    revision,
    calls: options.call.map(readCall),
    github: options.github,
  });

  const file = path.resolve(world.cwd, options.config);
  await writeNew(file, text, options.config);
  const loaded = await openConfig([], options, world);
  const written = [options.config, ...(await writeCompanions(options, world))];
  const { run, close } = openRun(world, showProgress(loaded.targets.length, options.quiet, world));
  try {
    const exit = await recordAll(loaded, { update: false, confirm: options.confirm, concurrency }, run, world);
    world.writeOut(`Written: ${written.join(', ')}\n${nextSteps(exit, loaded.targets[0]?.id ?? '', options)}`);
    return exit;
  } finally {
    await close();
  }
}

function addressOf(server: readonly string[]): ServerAddress {
  const [first = '', ...rest] = server;
  if (/^https?:/i.test(first)) {
    if (rest.length > 0)
      throw new CanaryError('usage', 'init takes one address.', 'Add further servers to targets.yaml by hand.');
    return { url: first, transport: 'streamable-http' };
  }
  return { command: first, args: rest, environment: ['PATH', 'HOME'] };
}

/** `tool={"argument": …}`; the braces may be left out for a tool without arguments. */
function readCall(call: string): { readonly tool: string; readonly arguments: JsonObject } {
  const at = call.indexOf('=');
  const tool = at < 0 ? call : call.slice(0, at);
  const parsed = parseJson(at < 0 ? '{}' : call.slice(at + 1), targetLimits);
  if (tool === '' || !parsed.ok || !isJsonObject(parsed.value)) {
    throw new CanaryError(
      'usage',
      `--call ${quoteName(call)} cannot be read.`,
      `Write it as --call 'tool={"argument":"value"}', with the arguments as a JSON object.`,
    );
  }
  return { tool, arguments: parsed.value };
}

async function writeNew(file: string, text: string, shown: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text, { flag: 'wx' }).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') {
      throw new CanaryError(
        'usage',
        `${shown} is there already; nothing was written or sent.`,
        'Add the target to it, then run mcp-canary record; or name another file with --config.',
      );
    }
    throw error;
  });
}

/** .gitattributes keeps recordings LF in every checkout; the workflow where it was asked for. Both are left alone if they are there. */
async function writeCompanions(options: CommonOptions & InitOptions, world: CliWorld): Promise<readonly string[]> {
  const written: string[] = [];
  const attributes = path.resolve(world.cwd, '.gitattributes');
  const folder = path.dirname(options.config).replaceAll(path.sep, '/');
  const line = `${folder}/** text eol=lf\n`;
  const before = await readFile(attributes, 'utf8').catch(() => '');
  if (!before.includes(line.trim())) {
    await writeFile(attributes, before === '' || before.endsWith('\n') ? before + line : `${before}\n${line}`);
    written.push('.gitattributes');
  }
  if (options.github) {
    const workflow = '.github/workflows/mcp-canary.yml';
    const at = path.resolve(world.cwd, workflow);
    await mkdir(path.dirname(at), { recursive: true });
    const text = workflowTemplate({
      version: world.version,
      repository: await repositoryOf(world),
      config: options.config,
    });
    const isNew = await writeFile(at, text, { flag: 'wx' }).then(
      () => true,
      () => false,
    );
    if (isNew) written.push(workflow);
    else world.writeErr(`mcp-canary: ${workflow} is there already and was left alone.\n`);
  }
  return written;
}

/** owner/name from the remote, where it is on GitHub: it only spreads the minutes of many canaries over the hour. */
async function repositoryOf(world: CliWorld): Promise<string | null> {
  if (world.env.GITHUB_REPOSITORY) return world.env.GITHUB_REPOSITORY;
  const config = await readFile(path.resolve(world.cwd, '.git/config'), 'utf8').catch(() => '');
  return /github\.com[/:]([\w.-]+\/[\w.-]+?)(?:\.git)?\s/.exec(config)?.[1] ?? null;
}

function nextSteps(exit: ExitCode, target: string, options: InitOptions): string {
  if (exit !== exitCodes.fine)
    return `Nothing was recorded. Mend what the message says, then run: mcp-canary record ${target}\n`;
  return `Next: look at the recording, commit it, and run: mcp-canary check\n${options.github ? 'The workflow runs it every night and keeps one alert issue a target.\n' : ''}`;
}
