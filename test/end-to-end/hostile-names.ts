import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'vitest';
import { reporterNames } from '../../src/report/reporters.ts';
import { makeFolder } from '../helpers/run-cli.ts';
import { runHere } from '../helpers/run-here.ts';
import {
  healthy,
  oneTarget,
  type Reply,
  type ScriptedServer,
  servedTool,
  startScriptedServer,
} from '../helpers/scripted-server.ts';

// What a terminal obeys, what hides, what turns the line around, what ends it, half a character.
const acting =
  'A\u001b[2J\u001b]0;title\u0007\u009b31mB\rC\b\bD\u202eE\u2066F\u200bG\ufeffH\u{e0041}I\u2028J\u0085K\u00adL\u0000M\ud83d \u180eN';
// Written without a look at the product: C0 and C1 controls but line feed and tab, format characters, tags, half characters.
const actingCharacters =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]|\p{Cs}/u;

const mebibyte = 1024 * 1024;

/** Names that a server may give to everything it has. */
export const hostileNames = {
  'a name that acts on a terminal, hides and turns': acting,
  'a name of a megabyte': 'n'.repeat(mebibyte),
  'a name of a megabyte that acts': acting.repeat(Math.ceil(mebibyte / acting.length)),
} as const;

const json = (id: unknown, result: unknown): Reply => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ jsonrpc: '2.0', id, result }),
});

/** A server that calls everything by one name. */
const calling = (name: string): Parameters<ScriptedServer['use']>[0] => {
  const schema = {
    type: 'object',
    properties: { text: { type: 'string', enum: [name, 'hello'] }, [name]: { title: name } },
    required: ['text', name],
  };
  const well = healthy(
    [
      servedTool('echo', { title: name, description: name, inputSchema: schema }),
      servedTool(name, { inputSchema: schema }),
      servedTool(name),
    ],
    () => ({
      content: [{ type: name, text: name }],
      structuredContent: { [name]: name },
      isError: true,
    }),
  );
  return (request) => {
    const { id, method } = request.message ?? {};
    if (method !== 'initialize') return well(request);
    return json(id, {
      protocolVersion: '2025-11-25',
      capabilities: { [name]: {} },
      serverInfo: { name, version: name },
      instructions: name,
    });
  };
};

/** Runs what prints names against a server that calls everything by one, and holds every text to what may stand in it. */
export async function expectPrintedSafely(name: string): Promise<void> {
  const server = await startScriptedServer(healthy());
  const cwd = await makeFolder(oneTarget(server.url));
  const said: [string, string][] = [];
  const run = async (...args: readonly string[]): Promise<void> => {
    const told = await runHere(args, { cwd });
    expect([0, 1, 2, 3], told.stderr).toContain(told.exit);
    said.push([`${args[0]} on stdout`, told.stdout], [`${args[0]} on stderr`, told.stderr]);
  };
  server.use(healthy());
  await run('record', 'case');
  server.use(calling(name));
  await run(
    'check',
    '--candidate',
    'candidates',
    '--reporter',
    'console',
    ...reporterNames.flatMap((each) => ['--reporter', `${each}=report.${each}`]),
  );
  await run('alert', '--report', 'report.json', '--sink', 'json');
  await run('alert', '--report', 'report.json', '--dry-run');
  await run('diff', 'recordings/case', 'candidates/case');
  await run('accept', 'case', '--all', '--reason', 'a test');
  await run('record', 'case', '--update');
  await run('doctor');
  for (const each of reporterNames)
    said.push([`the report ${each}`, await readFile(path.join(cwd, `report.${each}`), 'utf8')]);
  for (const [where, text] of said) {
    expect(actingCharacters.exec(text)?.index ?? null, where).toBeNull();
    // A report as data holds what was said; what people read is cut.
    if (where !== 'the report json' && where !== 'the report html')
      expect(text.length, where).toBeLessThan(mebibyte / 2);
  }
  await server.close();
  await rm(cwd, { recursive: true, force: true });
}
