import { access, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../../config/config.ts';
import { isCanaryError } from '../../errors.ts';
import { createNodeFiles } from '../../recording/node-files.ts';
import { createRedactor } from '../../recording/redact.ts';
import { scanRecordingFiles } from '../../recording/scan-recordings.ts';
import { findRecording } from '../../recording/store.ts';
import { renderForTerminal } from '../../text/render-terminal.ts';
import type { CliWorld, CommonOptions } from '../cli-world.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { openConfig } from '../open-run.ts';

/** One thing that was looked at. */
interface Check {
  readonly subject: string;
  readonly state: 'fine' | 'odd' | 'wrong';
  readonly message: string;
  readonly mend: string | null;
}

/** Looks at config, secrets, recordings and workflow without asking any server. Exit 1 where something is wrong. */
export async function runDoctor(options: CommonOptions, world: CliWorld): Promise<ExitCode> {
  const checks: Check[] = [];
  const config = await checkConfig(options, world, checks);
  if (config !== null) {
    checks.push(...(await checkRecordings(config)), ...(await checkWorkflow(world)), ...(await checkAttributes(world)));
  }
  for (const { subject, state, message, mend } of checks) {
    const sign = { fine: 'ok   ', odd: 'note ', wrong: 'WRONG' }[state];
    world.writeOut(`${sign} ${subject}: ${message}\n${mend === null ? '' : `      ${mend}\n`}`);
  }
  const wrong = checks.filter((check) => check.state === 'wrong').length;
  world.writeOut(wrong === 0 ? 'Nothing is wrong.\n' : `${wrong} thing${wrong === 1 ? ' is' : 's are'} wrong.\n`);
  return wrong === 0 ? exitCodes.fine : exitCodes.drift;
}

async function checkConfig(options: CommonOptions, world: CliWorld, checks: Check[]): Promise<Config | null> {
  try {
    const { config } = await openConfig([], { ...options, selectNone: true }, world);
    checks.push(fine(options.config, `${config.configured.length} target${config.configured.length === 1 ? '' : 's'}`));
    const secrets = await openConfig([], options, world).then(
      () => null,
      (error: unknown) => error,
    );
    checks.push(
      secrets === null
        ? fine('variables', 'every variable that the config names is set')
        : faultOf('variables', secrets),
    );
    return config;
  } catch (error) {
    checks.push(faultOf(options.config, error));
    return null;
  }
}

async function checkRecordings(config: Config): Promise<readonly Check[]> {
  const folder = path.dirname(config.file);
  const files = createNodeFiles();
  const found = await Promise.all(
    config.configured.map(async (target): Promise<Check> => {
      try {
        const read = await findRecording(folder, target, files);
        if (read === null) return wrong(target, 'has no recording', `Take one: mcp-canary record ${target}`);
        const { provenance, recordedAt, contract } = read.recording;
        const what = `${provenance}, ${recordedAt.slice(0, 10)}, ${contract.list?.tools.length ?? 0} tools, ${contract.calls.length} calls`;
        return provenance === 'live'
          ? fine(target, what)
          : odd(target, what, `Not taken from the server itself; replace it: mcp-canary record ${target} --update`);
      } catch (error) {
        return faultOf(target, error);
      }
    }),
  );
  const faults = await scanRecordingFiles(folder, files, createRedactor(config.secrets));
  return [
    ...found,
    ...faults.map((fault) => {
      const isWrong = fault.kind === 'secret' || fault.kind === 'unreadable';
      const mend =
        fault.kind === 'secret' ? 'Replace the secret, take the file out of the history, and record again.' : null;
      return (isWrong ? wrong : odd)(renderForTerminal(fault.path), renderForTerminal(fault.message), mend);
    }),
  ];
}

async function checkWorkflow(world: CliWorld): Promise<readonly Check[]> {
  const file = '.github/workflows/mcp-canary.yml';
  const text = await readFile(path.resolve(world.cwd, file), 'utf8').catch(() => null);
  if (text === null)
    return [
      odd(
        'workflow',
        'there is no nightly workflow',
        'mcp-canary init --github writes one; other schedulers run mcp-canary check.',
      ),
    ];
  const pinned = /mcp-canary@(\d+\.\d+\.\d+[\w.-]*)/.exec(text)?.[1];
  if (pinned !== undefined && pinned !== world.version)
    return [
      odd(
        file,
        `runs mcp-canary ${pinned}, this is ${world.version}`,
        'Change the version in the workflow when you are ready.',
      ),
    ];
  return [fine(file, 'is there')];
}

/** Without it a checkout on Windows turns line ends; recordings still read, but every diff is noise. */
async function checkAttributes(world: CliWorld): Promise<readonly Check[]> {
  const text = await readFile(path.resolve(world.cwd, '.gitattributes'), 'utf8').catch(() => '');
  const isRepository = await access(path.resolve(world.cwd, '.git')).then(
    () => true,
    () => false,
  );
  if (!isRepository || /eol=lf/.test(text)) return [];
  return [odd('.gitattributes', 'does not keep recordings LF', 'Add the line: recordings/** text eol=lf')];
}

const fine = (subject: string, message: string): Check => ({ subject, state: 'fine', message, mend: null });
const odd = (subject: string, message: string, mend: string | null): Check => ({
  subject,
  state: 'odd',
  message,
  mend,
});
const wrong = (subject: string, message: string, mend: string | null): Check => ({
  subject,
  state: 'wrong',
  message,
  mend,
});

function faultOf(subject: string, error: unknown): Check {
  if (!isCanaryError(error)) throw error;
  return wrong(subject, error.message, error.mend);
}
