import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CliWorld } from '../../src/cli/cli-world.ts';
import { exitCodeOfError } from '../../src/cli/exit-codes.ts';
import { parseCommandLine } from '../../src/cli/program.ts';
import { isCanaryError } from '../../src/errors.ts';
import type { Clock } from '../../src/ports.ts';
import { createNodeFiles } from '../../src/recording/node-files.ts';
import { createRedactor } from '../../src/recording/redact.ts';
import { writeRecording } from '../../src/recording/store.ts';
import { fixedRandom, realClock } from '../client/scripted-server.ts';
import { makeFolder } from '../helpers/run-cli.ts';
import { type Behave, oneTarget, startScriptedServer } from '../helpers/scripted-server.ts';
import { recordingOf } from '../stand-in/recordings.ts';
import { conforming, fault } from './probing.ts';

/** Five times as fast, so that the rate of probes costs a test less. */
const fastClock: Clock = {
  now: realClock.now,
  monotonic: () => 5 * realClock.monotonic(),
  sleep: (ms, signal) => realClock.sleep(ms / 5, signal),
  after: (ms, act) => realClock.after(ms / 5, act),
};

interface Told {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
}

/** The command line, in this process. */
async function run(
  cwd: string,
  args: readonly string[],
  { env = {}, signal = new AbortController().signal }: { env?: Record<string, string>; signal?: AbortSignal } = {},
): Promise<Told> {
  let out = '';
  let err = '';
  const world: CliWorld = {
    version: '9.9.9',
    env,
    input: process.stdin,
    cwd,
    clock: fastClock,
    random: fixedRandom,
    signal,
    writeOut: (text) => {
      out += text;
    },
    writeErr: (text) => {
      err += text;
    },
    outIsTerminal: false,
    errIsTerminal: false,
  };
  try {
    const command = parseCommandLine(args, world);
    return { exit: command === null ? 0 : await command(), out, err };
  } catch (error) {
    if (!isCanaryError(error)) throw error;
    return { exit: exitCodeOfError(error), out, err: `${err}${error.message}` };
  }
}

/** A folder with a target `case` at a server, and a recording of it unless told otherwise. */
async function withServer<T>(
  behave: Behave,
  use: (at: { cwd: string; asked: () => number }) => Promise<T>,
  { recorded = true, target = {} }: { recorded?: boolean; target?: Record<string, unknown> } = {},
): Promise<T> {
  const server = await startScriptedServer(behave);
  try {
    const cwd = await makeFolder(oneTarget(server.url, target));
    if (recorded)
      await writeRecording(
        path.join(cwd, 'recordings'),
        recordingOf({ target: 'case' }),
        createNodeFiles(),
        createRedactor([]),
      );
    return await use({ cwd, asked: () => server.seen.length });
  } finally {
    await server.close();
  }
}

const noStream =
  (behave: Behave): Behave =>
  (request) =>
    request.http === 'GET' ? { status: 404 } : behave(request);
const probesFile = (cwd: string): string => path.join(cwd, 'recordings', 'case', 'probes.json');

describe('probe', { timeout: 60_000 }, () => {
  it.concurrent('shows a table, records, compares, and says what changed', async () => {
    let behave = conforming();
    await withServer(
      (request) => behave(request),
      async ({ cwd }) => {
        const first = await run(cwd, ['probe', 'case', '--record']);
        expect(first).toMatchObject({ exit: 0, err: expect.stringContaining('probes recorded (22 answers)') });
        const bytes = await readFile(probesFile(cwd), 'utf8');

        behave = conforming();
        const again = await run(cwd, ['probe', 'case', '--record', '--quiet']);
        expect(again).toMatchObject({ exit: 0, err: 'case: probes unchanged (22 answers)\n' });
        expect(await readFile(probesFile(cwd), 'utf8')).toBe(bytes);

        behave = noStream(conforming());
        const changed = await run(cwd, ['probe', 'case', '--reporter', 'console', '--reporter', 'json=probes.json']);
        expect(changed.exit).toBe(1);
        expect(changed.out).toMatch(/stream-get +MUST +404 +departs \(MUST\)\n +changed; recorded: 200, event stream/);
        expect(changed.out).toMatch(/list-changed .*not deliverable/);
        expect(JSON.parse(await readFile(path.join(cwd, 'probes.json'), 'utf8'))).toMatchObject({
          targets: [{ target: 'case', summary: { changed: 2, 'departs-must': 1 } }],
        });
      },
    );
  });

  it.concurrent('exits 1 from the level on that is asked for, until the departure is accepted', async () => {
    const behave = conforming();
    const mild: Behave = async (request) => {
      const isCut = request.http === 'POST' && request.message === null && request.headers.origin === undefined;
      return isCut && request.headers['content-type'] === 'application/json' ? { status: 500 } : behave(request);
    };
    await withServer(mild, async ({ cwd }) => {
      const [breaking, warning] = await Promise.all([
        run(cwd, ['probe', 'case']),
        run(cwd, ['probe', 'case', '--fail-on', 'warning']),
      ]);
      expect([breaking.exit, warning.exit]).toEqual([0, 1]);
      expect((await run(cwd, ['probe', 'case', '--record'])).exit).toBe(0);
      expect((await run(cwd, ['probe', 'case', '--fail-on', 'info'])).exit).toBe(0);
    });
  });

  it.concurrent('exits 3 where something could not be looked at', async () => {
    await withServer(
      () => fault(503, -32000),
      async ({ cwd }) => {
        const told = await run(cwd, ['probe', 'case']);
        expect(told).toMatchObject({ exit: 3, out: expect.stringContaining('Could not be looked at: server-error') });
        expect((await run(cwd, ['probe', 'case', '--record'])).exit).toBe(3);
        await expect(readFile(probesFile(cwd))).rejects.toThrow();
      },
    );
  });

  it.concurrent('asks nothing where the recording cannot be read', async () => {
    await withServer(conforming(), async ({ cwd, asked }) => {
      await writeFile(path.join(cwd, 'recordings', 'case', 'recording.json'), '{');
      const told = await run(cwd, ['probe', 'case']);
      expect(told).toMatchObject({ exit: 3, out: expect.stringContaining('Could not be looked at: recording') });
      expect(asked()).toBe(0);
    });
  });

  it.concurrent.each<
    readonly [string, readonly string[], Record<string, unknown>, boolean, Record<string, string>, number, RegExp]
  >([
    [
      'a stdio target',
      [],
      { transport: 'stdio', url: undefined, command: 'node', revision: '2025-11-25' },
      false,
      {},
      2,
      /stdio/,
    ],
    ['a reporter of findings', ['--reporter', 'sarif'], {}, true, {}, 2, /no reporter sarif/],
    ['no recording to record in', ['--record'], {}, false, {}, 3, /no recording of case/],
    ['a first baseline in CI', ['--record'], {}, true, { CI: 'true' }, 2, /this is CI/],
    ['a concurrency that is none', ['--concurrency', '0'], {}, true, {}, 2, /concurrency/],
  ])('sends nothing for %s', async (_, args, target, recorded, env, exit, says) => {
    await withServer(
      conforming(),
      async ({ cwd, asked }) => {
        const told = await run(cwd, ['probe', 'case', ...args], { env });
        expect(told).toMatchObject({ exit, err: expect.stringMatching(says) });
        expect(asked()).toBe(0);
      },
      { recorded, target },
    );
  });

  it('needs the name of a target, and knows it', async () => {
    await withServer(conforming(), async ({ cwd, asked }) => {
      expect((await run(cwd, ['probe'])).exit).toBe(2);
      expect((await run(cwd, ['probe', 'other'])).exit).toBe(2);
      expect(asked()).toBe(0);
    });
  });

  it.concurrent('exits 130 when it is interrupted', async () => {
    const stop = new AbortController();
    const behave = conforming();
    const interrupted: Behave = (request) => {
      if (request.http === 'OPTIONS') stop.abort();
      return behave(request);
    };
    await withServer(interrupted, async ({ cwd }) => {
      expect((await run(cwd, ['probe', 'case'], { signal: stop.signal })).exit).toBe(130);
    });
  });

  it.concurrent('shows nothing that a server wrote, and no secret', async () => {
    const secret = 'token-value-77-probe';
    const hostile = `\u001b[2J@everyone ::error::x ${secret}`;
    const behave = conforming();
    const shouting: Behave = async (request) => {
      const reply = await behave(request);
      if (reply === undefined || request.message?.method === 'initialize') return reply;
      const loud = { ...fault(reply.status ?? 200, -32000), headers: { 'x-said': 'hostile', allow: 'GET, BREW' } };
      return (reply.status ?? 200) >= 400
        ? {
            ...loud,
            body: JSON.stringify({
              jsonrpc: '2.0',
              id: null,
              error: { code: -32000, message: hostile, data: { supported: [hostile] } },
            }),
          }
        : reply;
    };
    await withServer(
      shouting,
      async ({ cwd }) => {
        const env = { CASE_TOKEN: secret };
        const told = await run(cwd, ['probe', 'case', '--reporter', 'console', '--reporter', 'json', '--record'], {
          env,
        });
        const all = told.out + told.err + (await readFile(probesFile(cwd), 'utf8'));
        for (const word of ['everyone', secret, 'BREW', '::error', '\u001b', 'session-1-of-many'])
          expect(all).not.toContain(word);
      },
      { target: { credentials: { bearer: 'CASE_TOKEN' } } },
    );
  });
});
