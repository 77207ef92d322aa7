import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeFolder, runCli } from '../helpers/run-cli.ts';
import { healthy, oneTarget, type ScriptedServer, startScriptedServer } from '../helpers/scripted-server.ts';

// Whatever is wrong with the command line or the config: exit 2, a message that names the place and the mend, and not a
// byte sent. The table is the contract; the wording is not.
let server: ScriptedServer;
beforeAll(async () => {
  server = await startScriptedServer(healthy());
});
afterAll(() => server.close());

interface Fault {
  readonly about: string;
  readonly config?: (url: string) => unknown;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly says: readonly RegExp[];
  readonly neverSays?: string;
}

const call = (tool: string, more: Record<string, unknown> = {}) => ({
  tools: { [tool]: { calls: { one: { arguments: {}, ...more } } } },
});
const target = (more: Record<string, unknown>) => (url: string) => oneTarget(url, more);
const file = (more: Record<string, unknown>) => (url: string) => ({ ...(oneTarget(url) as object), ...more });

const faults: readonly Fault[] = [
  {
    about: 'an unknown key of a target, near a known one',
    config: target({ registar: 'X' }),
    says: [/registar/, /registrar/, /targets\.yaml:\d+:\d+/],
  },
  { about: 'an unknown key of the file', config: file({ failon: 'breaking' }), says: [/failon/, /failOn/] },
  { about: 'another format version', config: file({ formatVersion: 7 }), says: [/formatVersion/] },
  { about: 'no targets at all', config: file({ targets: {} }), says: [/targets/] },
  {
    about: 'an id that is no file name',
    config: (url) => ({
      formatVersion: 1,
      targets: { '../up': (oneTarget(url) as { targets: { case: object } }).targets.case },
    }),
    says: [/\.\.\/up/],
  },
  { about: 'no transport', config: target({ transport: undefined }), says: [/transport/] },
  {
    about: 'a transport that does not exist',
    config: target({ transport: 'websocket' }),
    says: [/transport/, /streamable-http/],
  },
  { about: 'no address', config: target({ url: undefined }), says: [/url/] },
  { about: 'http to a public host', config: target({ url: 'http://registrar.example/mcp' }), says: [/url/, /https/] },
  {
    about: 'an authority that is not there',
    config: target({ tls: { caFile: 'absent.pem' } }),
    says: [/caFile/, /absent\.pem/],
  },
  {
    about: 'an authority that is none',
    config: target({ tls: { caFile: 'targets.yaml' } }),
    says: [/caFile/, /certificate/],
  },
  { about: 'an address that is none', config: target({ url: 'registrar' }), says: [/url/] },
  {
    about: 'a password in the address',
    config: target({ url: 'https://me:pass-word-77aa@registrar.example/mcp' }),
    says: [/url/, /credentials/],
    neverSays: 'pass-word-77aa',
  },
  {
    about: 'a literal token',
    config: target({ credentials: { bearer: 'ghx-literal-9e77f1-0a' } }),
    says: [/bearer/, /variable/],
    neverSays: 'ghx-literal-9e77f1-0a',
  },
  {
    about: 'a literal key header',
    config: target({ credentials: { headers: { 'X-Api-Key': 'key literal 0a1b2c3d' } } }),
    says: [/X-Api-Key/, /variable/],
    neverSays: 'key literal 0a1b2c3d',
  },
  {
    about: 'a variable that is not set',
    config: target({ credentials: { bearer: 'ABSENT_TOKEN' } }),
    says: [/ABSENT_TOKEN/, /not set/],
  },
  {
    about: 'a secret that is too short',
    config: target({ credentials: { bearer: 'SHORT_TOKEN' } }),
    env: { SHORT_TOKEN: 'abc' },
    says: [/SHORT_TOKEN/, /8/],
    neverSays: 'abc"',
  },
  {
    about: 'a call to a tool that buys',
    config: target(call('domains_purchase')),
    says: [/domains_purchase/, /purchase/],
  },
  {
    about: 'a call to a tool that transfers',
    config: target(call('transferDomain')),
    says: [/transferDomain/, /transfer/i],
  },
  { about: 'no tools named', config: target({ tools: {} }), says: [/tools/] },
  {
    about: 'a case name with a slash',
    config: target({ tools: { echo: { calls: { 'a/b': {} } } } }),
    says: [/a\/b/, /a-z/],
  },
  {
    about: 'a pin whose pointer is none',
    config: target(call('echo', { pins: { structuredContent: { equals: 1 } } })),
    says: [/structuredContent/, /pointer|\//i],
  },
  {
    about: 'a pin that demands nothing',
    config: target(call('echo', { pins: { '/content': {} } })),
    says: [/\/content/],
  },
  {
    about: 'a pin with an unknown demand',
    config: target(call('echo', { pins: { '/content': { equal: 1 } } })),
    says: [/equal/, /equals/],
  },
  {
    about: 'a pattern that does not compile',
    config: target(call('echo', { pins: { '/content': { regex: '(' } } })),
    says: [/regex/],
  },
  {
    about: 'two pins that decide one place by chance',
    config: target(call('echo', { pins: { '/a/*': { equals: 1 }, '/*/b': { equals: 2 } } })),
    says: [/\/a\/\*/, /\/\*\/b/],
  },
  {
    about: 'a limit above the ceiling',
    config: target({ limits: { bodyBytes: 1_000_000_000 } }),
    says: [/bodyBytes/, /8388608/],
  },
  {
    about: 'a limit that does not exist',
    config: target({ limits: { bodyByte: 1 } }),
    says: [/bodyByte/, /bodyBytes/],
  },
  {
    about: 'a revision that does not exist',
    config: target({ revision: '2024-13-01' }),
    says: [/revision/, /2024-11-05/],
  },
  {
    about: 'a waiver of no rule',
    config: target({ waivers: [{ rule: 'tool-remove', reason: 'x' }] }),
    says: [/tool-remove/, /tool-removed/],
  },
  {
    about: 'a waiver until no day',
    config: target({ waivers: [{ rule: 'tool-removed', until: '2027-02-30', reason: 'x' }] }),
    says: [/until/],
  },
  { about: 'a waiver without a reason', config: target({ waivers: [{ rule: 'tool-removed' }] }), says: [/reason/] },
  {
    about: 'a severity that does not exist',
    config: target({ severity: { 'tool-removed': 'fatal' } }),
    says: [/tool-removed/, /breaking/],
  },
  { about: 'a severity of no rule', config: target({ severity: { 'tool-gone': 'info' } }), says: [/tool-gone/] },
  { about: 'a cron expression that is none', config: file({ schedule: { cron: '61 3 * * *' } }), says: [/cron/] },
  {
    about: 'a time zone that is none',
    config: file({ schedule: { cron: '17 3 * * *', timezone: 'Europe/Atlantis' } }),
    says: [/timezone/],
  },
  {
    about: 'a repository that is none',
    config: file({ alerts: { github: { repository: 'just-a-name' } } }),
    says: [/repository/, /owner\/name/],
  },
  { about: 'stdio without a command', config: target({ transport: 'stdio', url: undefined }), says: [/command/] },
  {
    about: 'a passed-on variable that is not set',
    config: target({ transport: 'stdio', url: undefined, command: 'node', environment: ['NOT_THERE'] }),
    says: [/NOT_THERE/],
  },
  {
    about: 'a case twice',
    config: (url) =>
      `formatVersion: 1\ntargets:\n  case:\n    transport: streamable-http\n    url: ${url}\n    tools:\n      echo:\n        calls:\n          one: { arguments: {} }\n          one: { arguments: { text: b } }\n`,
    says: [/one/, /targets\.yaml:10/],
  },
  {
    about: 'a target twice',
    config: (url) =>
      `formatVersion: 1\ntargets:\n  case: { transport: streamable-http, url: "${url}" }\n  case: { transport: streamable-http, url: "${url}" }\n`,
    says: [/case/, /targets\.yaml:4/],
  },
  { about: 'no YAML', config: () => 'targets: [unclosed\n', says: [/targets\.yaml:\d+/] },
  { about: 'an empty file', config: () => '', says: [/empty/] },
  { about: 'an unknown target', config: target({}), args: ['check', 'csae'], says: [/csae/, /case/] },
  { about: 'an unknown reporter', config: target({}), args: ['check', '--reporter', 'jason'], says: [/jason/, /json/] },
  {
    about: 'a report in a folder that is not there',
    config: target({}),
    args: ['check', '--reporter', 'json=absent/report.json'],
    says: [/absent/, /folder/],
  },
  {
    about: 'a report in place of a folder',
    config: target({}),
    args: ['probe', 'case', '--reporter', 'json=recordings'],
    says: [/recordings/, /folder/],
  },
  { about: 'an unknown option', config: target({}), args: ['check', '--reporters', 'json'], says: [/--reporters/] },
  { about: 'an unknown command', config: target({}), args: ['chek'], says: [/chek/, /check/] },
  {
    about: 'a level that does not exist',
    config: target({}),
    args: ['check', '--fail-on', 'loud'],
    says: [/loud/, /breaking/],
  },
  { about: 'no targets at once', config: target({}), args: ['check', '--concurrency', '0'], says: [/concurrency/] },
  {
    about: 'accept without saying what',
    config: target({}),
    args: ['accept', 'case', '--reason', 'x'],
    says: [/--finding/, /--all/],
  },
  { about: 'accept without a reason', config: target({}), args: ['accept', 'case', '--all'], says: [/reason/] },
  {
    about: 'a config that is not there',
    config: target({}),
    args: ['check', '--config', 'nowhere.yaml'],
    says: [/nowhere\.yaml/, /init/],
  },
  {
    about: 'a config that is a folder',
    config: target({}),
    args: ['check', '--config', 'recordings'],
    says: [/recordings/, /cannot be read/],
  },
  {
    about: 'init with an address that is none',
    config: target({}),
    args: ['init', 'http://registrar.example/mcp', '--config', 'other/targets.yaml'],
    says: [/https/],
  },
  {
    about: 'init with a call that cannot be read',
    config: target({}),
    args: ['init', 'https://registrar.example/mcp', '--config', 'other/targets.yaml', '--call', 'check={domain}'],
    says: [/--call/],
  },
  {
    about: 'init with a call that buys',
    config: target({}),
    args: ['init', 'https://registrar.example/mcp', '--config', 'other/targets.yaml', '--call', 'domains_purchase={}'],
    says: [/domains_purchase/],
  },
  {
    about: 'an alert without a report',
    config: target({}),
    args: ['alert', '--report', 'absent.json'],
    says: [/absent\.json/],
  },
];

describe('wrong use', () => {
  it.each(faults)(
    '$about: exit 2, the place, the mend, nothing sent',
    async ({ config, args, env, says, neverSays }) => {
      const folder = await makeFolder(config?.(server.url) ?? {});
      const ended = await runCli(args ?? ['check'], { cwd: folder, ...(env === undefined ? {} : { env }) });
      const said = ended.stdout + ended.stderr;
      expect.soft(ended.exit, said).toBe(2);
      for (const expected of says) expect.soft(said).toMatch(expected);
      if (neverSays !== undefined) expect.soft(said).not.toContain(neverSays);
      expect(server.seen).toEqual([]);
    },
  );
});
