import { execFile, execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { freePort } from './real-server.ts';

const run = promisify(execFile);

/** Debian keeps the programs of each version in a folder of its own. */
const folders = (): readonly string[] => {
  const home = '/usr/lib/postgresql';
  const versions = existsSync(home) ? readdirSync(home).sort((a, b) => Number(b) - Number(a)) : [];
  return [...versions.map((version) => path.join(home, version, 'bin')), ...(process.env.PATH ?? '').split(':')];
};

/** The folder with Postgres' programs; null where it is not installed. */
export const postgresPrograms = (): string | null =>
  folders().find((folder) => existsSync(path.join(folder, 'initdb'))) ?? null;

export interface PostgresCluster {
  /** Of a new, empty database. */
  createDatabase(): Promise<string>;
  /** Breaks every connection, and comes back. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** A cluster of its own in a temporary folder, on loopback. Postgres refuses to run as root, so root runs it as `postgres`. */
export async function startPostgres(programs: string): Promise<PostgresCluster> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'mcp-canary-postgres-'));
  const idOf = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  const user = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {};
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid);
  const data = path.join(folder, 'data');
  const port = await freePort();
  const call = (program: string, ...args: readonly string[]) =>
    run(path.join(programs, program), args, { ...user, cwd: folder, env: { PATH: process.env.PATH, LC_ALL: 'C' } });
  await call('initdb', '-D', data, '-U', 'canary', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync');
  // Processes are killed here, machines are not: what was written needs no wait for the disk.
  const options = `-p ${port} -c fsync=off -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c max_connections=200 -c logging_collector=off`;
  const start = () => call('pg_ctl', '-D', data, '-w', '-l', path.join(folder, 'log'), '-o', options, 'start');
  const halt = () => call('pg_ctl', '-D', data, '-w', '-m', 'immediate', 'stop');
  await start();
  let databases = 0;
  return {
    createDatabase: async () => {
      databases += 1;
      const name = `canary${databases}`;
      await call(
        'psql',
        '-h',
        '127.0.0.1',
        '-p',
        String(port),
        '-U',
        'canary',
        '-d',
        'postgres',
        '-c',
        `create database ${name}`,
      );
      return `postgres://canary@127.0.0.1:${port}/${name}`;
    },
    restart: async () => {
      await halt();
      await start();
    },
    stop: async () => {
      await halt();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
