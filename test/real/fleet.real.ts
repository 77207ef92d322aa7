import { type ChildProcess, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { judgeOverdue } from '../../src/compare/run-findings.ts';
import type { History } from '../../src/history/history.ts';
import { openHistory } from '../../src/history/open-history.ts';
import { slotsBetween } from '../../src/schedule/slots.ts';
import { Secret } from '../../src/text/secret.ts';
import { type PostgresCluster, postgresPrograms, startPostgres } from '../helpers/postgres.ts';
import { makeFolder, runCli } from '../helpers/run-cli.ts';
import { randomFrom } from '../helpers/seeded-random.ts';
import { type IssueServer, startIssueServer } from './issue-server.ts';
import { type Crowd, type SeenLook, startCrowd } from './stand-in-crowd.ts';

const programs = postgresPrograms();
const main = path.join(import.meta.dirname, '..', '..', 'dist', 'main.js');
const count = 500;
const ids = Array.from({ length: count }, (_, n) => `t${n}`);
const drifting = ['t3', 't77', 't123', 't345', 't499'];
const schedule = { cron: '*/15 * * * * *', timezone: 'UTC' };
const chaosMs = 30_000;
const sleep = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

describe.skipIf(programs === null)('a fleet on a real Postgres', () => {
  let cluster: PostgresCluster;
  let crowd: Crowd;
  let github: IssueServer;
  let folder: string;
  let database: string;
  const errors: string[] = [];

  const configOf = (userAgent: string) => ({
    formatVersion: 1,
    client: { name: 'fleet', version: '1.0.0', userAgent },
    targets: Object.fromEntries(
      ids.map((id, n) => [
        id,
        {
          transport: 'http',
          url: `http://127.0.1.${1 + (n % 100)}:${crowd.port}/${id}`,
          revision: '2025-11-25',
          confirm: { looks: 2, delayMs: 0 },
          tools: { echo: { calls: { hello: { arguments: { text: 'hello' } } } } },
        },
      ]),
    ),
    schedule: { ...schedule, jitterSeconds: 3, concurrency: 8 },
    history: { postgres: 'CANARY_DATABASE' },
    alerts: { github: { repository: 'owner/repo', author: 'canary-bot' } },
  });

  beforeAll(async () => {
    [cluster, crowd, github] = await Promise.all([startPostgres(programs ?? ''), startCrowd(5), startIssueServer()]);
    database = await cluster.createDatabase();
    folder = await makeFolder(configOf('recorder'));
    const recorded = await runCli(['record', '--concurrency', '32'], { cwd: folder });
    expect(recorded.exit, recorded.stderr.slice(-500)).toBe(0);
    for (const target of drifting) crowd.drift(target);
  }, 120_000);
  afterAll(async () => {
    await Promise.all([cluster.stop(), crowd.close(), github.close()]);
  });

  /** A process of the fleet that is started again whenever it was killed. */
  class Member {
    readonly #args: readonly string[];
    readonly #name: string;
    #generation = 0;
    #child: ChildProcess | undefined;

    constructor(name: string, args: readonly string[]) {
      this.#name = name;
      this.#args = args;
    }

    async start(): Promise<void> {
      this.#generation += 1;
      const config = `recordings/${this.#name}.yaml`;
      await writeFile(path.join(folder, config), JSON.stringify(configOf(`${this.#name}-${this.#generation}`)));
      const child = spawn(process.execPath, [main, 'schedule', '--config', config, ...this.#args], {
        cwd: folder,
        env: {
          PATH: process.env.PATH,
          CANARY_DATABASE: database,
          GITHUB_TOKEN: 'ghs_0123456789abcdef',
          GITHUB_API_URL: github.url,
        },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      child.stderr?.setEncoding('utf8').on('data', (text: string) => errors.push(`${this.#name} ${text}`));
      this.#child = child;
    }

    signal(signal: NodeJS.Signals): Promise<number | null> {
      const child = this.#child;
      return new Promise((ended) => {
        if (child === undefined || child.exitCode !== null) return ended(null);
        child.once('exit', (code) => ended(code));
        child.kill(signal);
        return undefined;
      });
    }
  }

  it('judges every target once a slot or tells that it is overdue, opens no issue twice and loses nothing, whoever is killed', async () => {
    const members = [
      new Member('leader', ['--alert']),
      new Member('worker1', ['--worker']),
      new Member('worker2', ['--worker']),
      new Member('worker3', ['--worker']),
    ];
    const random = randomFrom(7).fraction;
    const history = await openHistory({ kind: 'postgres', url: new Secret(database, 'CANARY_DATABASE') });
    for (const member of members) await member.start();
    await expect.poll(() => crowd.looks.length, { timeout: 60_000 }).toBeGreaterThan(count);

    const end = performance.now() + chaosMs;
    const restarting = sleep(chaosMs / 2).then(() => cluster.restart());
    let kills = 0;
    while (performance.now() < end) {
      await sleep(1_000);
      // A worker nearly always, and now and then the one who leads.
      const victim = random() < 0.9 ? members[1 + Math.floor(random() * 3)] : members[0];
      await victim?.signal('SIGKILL');
      await victim?.start();
      kills += 1;
    }
    await restarting;
    const quietFrom = new Date(Date.now() + 15_000).toISOString();
    // Two whole slots without any trouble: whoever was behind has caught up.
    await expect
      .poll(async () => (await history.lastSlots().catch(() => new Map<string, string>())).size, { timeout: 60_000 })
      .toBe(count);
    await expect
      .poll(async () => [...(await history.lastSlots()).values()].filter((slot) => slot > quietFrom).length, {
        timeout: 120_000,
        interval: 1_000,
      })
      .toBe(count);
    await expect
      .poll(async () => (await history.untoldRuns()).filter(({ slot }) => slot < quietFrom).length, {
        timeout: 90_000,
        interval: 1_000,
      })
      .toBe(0);
    const ends = await Promise.all(members.map((member) => member.signal('SIGTERM')));

    const judged = await readJudged(history);
    const lastSlots = await history.lastSlots();
    const wrong = ids.filter((id) => !isAccounted(judged.get(id) ?? [], lastSlots.get(id) ?? ''));
    const slots = [...judged.values()].flat();
    const overdue = slots.filter(({ overdueSince }) => overdueSince !== null).length;
    process.stderr.write(
      `fleet: ${kills} kills, 1 restart of the database; ${slots.length} slots judged, ${overdue} times overdue was told, ${crowd.looks.length} looks\n`,
    );
    await history.close();
    expect(ends, errors.slice(-20).join('')).toEqual([0, 0, 0, 0]);
    expect(kills).toBeGreaterThan(20);
    expect(wrong, JSON.stringify(judged.get(wrong[0] ?? ''))).toEqual([]);
    expect(overlapsOf(crowd.looks)).toEqual([]);
    expect(
      github.issues
        .filter(({ title }) => / breaking /.test(title))
        .map(({ title }) => title.split(':')[0])
        .sort(),
    ).toEqual(drifting.map((id) => `[mcp-canary] ${id}`).sort());
    expect(new Set(github.issues.map(({ title }) => title)).size).toBe(github.issues.length);
    expect(errors.join('')).not.toContain('ghs_0123456789abcdef');
  }, 400_000);
});

const overdueOf = (target: string): string | undefined =>
  judgeOverdue(target, '2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z', 0)[0]?.fingerprint;

interface JudgedSlot {
  readonly slot: string;
  /** The slot after which nobody looked, as `canary-overdue` of that run says; null: it does not. */
  readonly overdueSince: string | null;
}

/** What the history says of each target, oldest first. */
async function readJudged(history: History): Promise<ReadonlyMap<string, readonly JudgedSlot[]>> {
  const judged = new Map<string, JudgedSlot[]>();
  const runs = new Map((await history.runsSince('', 1_000)).map((run) => [run.run, run]));
  for (const id of ids) {
    const results = [...(await history.resultsOf(id, 1_000))].reverse();
    judged.set(
      id,
      results.map(({ run, slot }) => {
        const told = runs
          .get(run)
          ?.canary.find((finding) => finding.rule === 'canary-overdue' && finding.fingerprint === overdueOf(id));
        return { slot: slot ?? '', overdueSince: told === undefined ? null : String(told.before) };
      }),
    );
  }
  return judged;
}

/** Every slot from the first one on was judged once, or lies in a span that was told as overdue. */
function isAccounted(judged: readonly JudgedSlot[], last: string): boolean {
  const [first] = judged;
  if (first === undefined || judged.at(-1)?.slot !== last) return false;
  let at = new Date(first.slot);
  for (const { slot, overdueSince } of judged.slice(1)) {
    const between = slotsBetween(schedule, at, new Date(Date.parse(slot) - 1));
    if (new Date(slot) <= at) return false;
    if (between.length > 0 && (overdueSince === null || new Date(overdueSince) > at)) return false;
    at = new Date(slot);
  }
  return true;
}

/** Looks of two processes at one target that were under way at the same time. */
function overlapsOf(looks: readonly SeenLook[]): readonly string[] {
  const byTarget = new Map<string, SeenLook[]>();
  for (const look of looks) byTarget.set(look.target, [...(byTarget.get(look.target) ?? []), look]);
  return [...byTarget.values()].flatMap((all) =>
    all.flatMap((look, at) =>
      all
        .slice(at + 1)
        .filter((other) => other.process !== look.process && other.from < look.to)
        .map((other) => `${look.target}: ${look.process} and ${other.process}`),
    ),
  );
}
