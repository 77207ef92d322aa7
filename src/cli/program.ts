import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { CanaryError } from '../errors.ts';
import type { CliWorld, CommonOptions } from './cli-world.ts';
import type {
  AcceptOptions,
  AlertOptions,
  CheckOptions,
  InitOptions,
  ProbeOptions,
  RecordOptions,
  RehearseOptions,
  ScheduleOptions,
  StandInOptions,
} from './command-options.ts';
import type { ExitCode } from './exit-codes.ts';

type Run = () => Promise<ExitCode>;

/**
 * The command line as commander sees it. Every action imports its command when it is chosen, so that `--help` and a
 * wrong argument load nothing else.
 *
 * @returns the chosen command, ready to run; null when help or the version was all that was asked for.
 * @throws CanaryError `usage` for anything that cannot be understood.
 */
export function parseCommandLine(argv: readonly string[], world: CliWorld): Run | null {
  let chosen: Run | null = null;
  const choose = (run: Run): void => {
    chosen = run;
  };
  const program = buildProgram(world, choose);
  try {
    program.parse([...argv], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return null;
    throw new CanaryError(
      'usage',
      error.message.replace(/^error: /, ''),
      'Run mcp-canary --help, or --help after a command.',
      { cause: error },
    );
  }
  return chosen;
}

export function buildProgram(world: CliWorld, choose: (run: Run) => void): Command {
  const program = new Command('mcp-canary');
  program
    .description(
      'Watches MCP servers that somebody else runs: replays what you use of them, says what changed, and proves it.',
    )
    .version(world.version)
    .exitOverride()
    .configureOutput({ writeOut: world.writeOut, writeErr: () => undefined, outputError: () => undefined })
    .showSuggestionAfterError()
    .helpCommand(false)
    .commandsGroup('Every day:');

  addEverydayCommands(program, world, choose);
  program.commandsGroup('More:');
  addMoreCommands(program, world, choose);
  program.addHelpText(
    'after',
    '\nExit codes: 0 fine, 1 drift, 2 wrong use or config (nothing was sent), 3 could not be judged or delivered, 130 interrupted.',
  );
  return program;
}

function addEverydayCommands(program: Command, world: CliWorld, choose: (run: Run) => void): void {
  common(program.command('init'))
    .argument('<server...>', 'the address, or -- and the command line of a stdio server')
    .description('Write targets.yaml and take the first recording.')
    .option(
      '--call <tool={json}>',
      'a call to record, as often as you like; without one the server is watched, never called',
      collect,
      [],
    )
    .option('--target <id>', 'the name of the target (default: from the address)')
    .option('--revision <revision>', 'the MCP revision to offer')
    .option('--github', 'also write the nightly workflow', false)
    .addHelpText(
      'after',
      examples(
        'mcp-canary init https://api.godaddy.com/v1/domains/mcp --call \'domains_check_availability={"domains":"google.com"}\' --github',
        'mcp-canary init https://mcp.registrar.example/mcp',
        'mcp-canary init -- node server.mjs',
      ),
    )
    .action((server: string[], options: CommonOptions & InitOptions) =>
      choose(async () => (await import('./commands/init.ts')).runInit(server, options, world)),
    );

  common(program.command('check'))
    .argument('[target...]', 'targets of the config (default: all)')
    .description('Replay, compare, report. This is the main job.')
    .option('--candidate <folder>', 'write what accepting would give, one folder a target')
    .option('--alert', 'deliver alerts, too', false)
    .option('--keep', 'judge by the history of the config, and keep this run in it', false)
    .addHelpText(
      'after',
      examples(
        'mcp-canary check',
        'mcp-canary check godaddy --reporter json=report.json --reporter console',
        'mcp-canary check --fail-on warning',
      ),
    )
    .action((targets: string[], options: CommonOptions & CheckOptions) =>
      choose(async () => (await import('./commands/check.ts')).runCheck(targets, options, world)),
    );

  common(program.command('accept'))
    .argument('<target>', 'the target whose change is accepted')
    .description('Make an observed change part of the recording.')
    .option('--finding <fingerprint>', 'accept this finding only; a prefix will do; as often as you like', collect, [])
    .option('--all', 'accept everything that is different', false)
    .option('--candidate <folder>', 'take it from what check --candidate wrote, instead of a fresh replay')
    .requiredOption('--reason <text>', 'why; kept in the recording')
    .addHelpText(
      'after',
      examples(
        'mcp-canary accept godaddy --finding 3f2a --reason "agreed with the vendor"',
        'mcp-canary accept godaddy --all --reason "new price model, client 2.5 reads it"',
      ),
    )
    .action((target: string, options: CommonOptions & AcceptOptions) =>
      choose(async () => (await import('./commands/accept.ts')).runAccept(target, options, world)),
    );

  common(program.command('record'))
    .argument('[target...]', 'targets of the config (default: all)')
    .description('Take the baseline: the first recording of a target.')
    .option('--update', 'overwrite an existing recording', false)
    .option('--force', 'create a baseline in CI, too', false)
    .addHelpText('after', examples('mcp-canary record godaddy', 'mcp-canary record --update'))
    .action((targets: string[], options: CommonOptions & RecordOptions) =>
      choose(async () => (await import('./commands/record.ts')).runRecord(targets, options, world)),
    );

  common(program.command('alert'))
    .description('Open, update and close alert issues from a report.')
    .requiredOption('--report <file>', 'what check --reporter json wrote')
    .option('--candidate <folder>', 'what check --candidate wrote, for pull requests')
    .addOption(new Option('--sink <name>', 'where to').choices(['github', 'json', 'webhook']).default('github'))
    .option('--dry-run', 'show the plan, change nothing', false)
    .addHelpText(
      'after',
      examples('mcp-canary alert --report report.json --dry-run', 'mcp-canary alert --report report.json --sink json'),
    )
    .action((options: CommonOptions & AlertOptions) =>
      choose(async () => (await import('./commands/alert.ts')).runAlert(options, world)),
    );
}

function addMoreCommands(program: Command, world: CliWorld, choose: (run: Run) => void): void {
  common(program.command('diff'))
    .argument('<a>', 'a recording folder, or a JSON file with a tools/list result')
    .argument('<b>', 'the other one')
    .description('Compare two recordings or two tools/list files, offline.')
    .addHelpText(
      'after',
      examples(
        'mcp-canary diff recordings/godaddy /tmp/candidate/godaddy',
        'mcp-canary diff before.json after.json --reporter json',
      ),
    )
    .action((a: string, b: string, options: CommonOptions) =>
      choose(async () => (await import('./commands/diff.ts')).runDiff(a, b, options, world)),
    );

  common(program.command('probe'))
    .argument('<target...>', 'targets over HTTP')
    .description('Ask how a server treats the transport rules, by MUST and SHOULD of its revision.')
    .option('--record', 'make the answers the baseline of later runs', false)
    .option('--force', 'create that baseline in CI, too', false)
    .addHelpText(
      'after',
      examples(
        'mcp-canary probe godaddy',
        'mcp-canary probe godaddy --record',
        'mcp-canary probe godaddy --reporter json=probes.json --fail-on warning',
      ),
    )
    .action((targets: string[], options: CommonOptions & ProbeOptions) =>
      choose(async () => (await import('./commands/probe.ts')).runProbe(targets, options, world)),
    );

  common(program.command('stand-in'))
    .argument('<target...>', 'targets whose recordings are served')
    .description('Serve recordings as an MCP server on loopback.')
    .option('--port <number>', 'the port; 0 takes a free one; without it: stdio', port)
    .addOption(new Option('--transport <name>', 'over a port: http, or sse (deprecated)').choices(['http', 'sse']))
    .option('--bearer-env <name>', 'the variable with a token that callers must send')
    .option('--instructions <file>', 'instructions to give instead of the recorded ones')
    .option('--allow-host <name>', 'a further Host to answer to', collect, [])
    .addHelpText('after', examples('mcp-canary stand-in godaddy --port 8931'))
    .action((targets: string[], options: CommonOptions & StandInOptions) =>
      choose(async () => (await import('./commands/stand-in.ts')).runStandIn(targets, options, world)),
    );

  common(program.command('rehearse'))
    .argument('[target]', 'the target whose recording is served (default: the only one)')
    .description('Hold a fire drill: a server that drifts, the check, the alert. Nothing leaves this machine.')
    .option('--rule <rule>', 'the rule to set off (default: the one that matters most)')
    .option('--all', 'set off every rule that can be, one line each', false)
    .addHelpText(
      'after',
      examples(
        'mcp-canary rehearse godaddy',
        'mcp-canary rehearse godaddy --rule tool-renamed',
        'mcp-canary rehearse godaddy --all --reporter console --reporter json=drills.json',
      ),
    )
    .action((target: string | undefined, options: CommonOptions & RehearseOptions) =>
      choose(async () => (await import('./commands/rehearse.ts')).runRehearse(target, options, world)),
    );

  common(program.command('schedule'))
    .description('Run check by the schedule of the config until stopped.')
    .option('--reports <folder>', 'write one report per run into this folder (default: stdout, one line each)')
    .option('--once', 'run the missed or next slot now, then stop', false)
    .option('--worker', 'only do what another process of the fleet hands out (history in Postgres)', false)
    .option('--alert', 'deliver alerts, too', false)
    .addOption(new Option('--sink <name>', 'where alerts go').choices(['github', 'webhook']).default('github'))
    .option('--page <port>', 'serve the status page on this port of loopback; 0 takes a free one', port)
    .option('--page-host <address>', 'serve it on this address instead')
    .option('--allow-host <name>', 'a further Host that the page answers to', collect, [])
    .addHelpText(
      'after',
      examples('mcp-canary schedule --reports /var/lib/mcp-canary', 'mcp-canary schedule --alert --page 8080'),
    )
    .action((options: CommonOptions & ScheduleOptions) =>
      choose(async () => (await import('./commands/schedule.ts')).runSchedule(options, world)),
    );

  program
    .command('rules')
    .argument('[rule]', 'a rule id')
    .description('The catalogue of rules; one rule explained.')
    .option('--json', 'as JSON', false)
    .addHelpText('after', examples('mcp-canary rules', 'mcp-canary rules annotation-readonly-lost'))
    .action((rule: string | undefined, options: { readonly json: boolean }) =>
      choose(async () => (await import('./commands/rules.ts')).runRules(rule, options, world)),
    );

  program
    .command('protocol')
    .argument('[from]', 'a revision')
    .argument('[to]', 'a later one')
    .description('What changed between two MCP revisions for the four methods.')
    .addHelpText('after', examples('mcp-canary protocol 2025-06-18 2025-11-25'))
    .action((from: string | undefined, to: string | undefined) =>
      choose(async () => (await import('./commands/protocol.ts')).runProtocol(from, to, world)),
    );

  common(program.command('doctor'))
    .description('What is wrong with config, secrets, recordings and workflow, and the mend.')
    .addHelpText('after', examples('mcp-canary doctor'))
    .action((options: CommonOptions) =>
      choose(async () => (await import('./commands/doctor.ts')).runDoctor(options, world)),
    );

  program
    .command('demo')
    .description('The whole story on the embedded default, without a network.')
    .addHelpText('after', examples('mcp-canary demo'))
    .action(() => choose(async () => (await import('./commands/demo.ts')).runDemo(world)));
}

const common = (command: Command): Command =>
  command
    .option('--config <file>', 'the config; recordings lie beside it', 'recordings/targets.yaml')
    .option(
      '--reporter <name[=file]>',
      'console, json, markdown, junit, sarif, github, html; as often as you like',
      collect,
      [],
    )
    .addOption(new Option('--fail-on <level>', 'moves the exit code only').choices(['breaking', 'warning', 'info']))
    .option('--concurrency <number>', 'targets at once', '16')
    .option('--no-confirm', 'take no second look')
    .option('--quiet', 'no progress', false)
    .option('--color', 'colours, whatever the output is')
    .option('--no-color', 'no colours')
    .option('--allow-shared-secrets', 'run a stdio target although foreign secrets are set', false);

function port(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0 || value > 65_535)
    throw new InvalidArgumentError('It must be a whole number from 0 to 65535.');
  return value;
}

const collect = (value: string, previous: readonly string[]): readonly string[] => [...previous, value];
const examples = (...lines: readonly string[]): string => `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}`;
