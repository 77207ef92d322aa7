import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import path from 'node:path';

export const realModules = path.join(import.meta.dirname, '..', 'real', 'node_modules');

/** A port that nobody uses just now. */
export const freePort = (): Promise<number> =>
  new Promise((done, fail) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        typeof address === 'object' && address !== null ? done(address.port) : fail(new Error('no port')),
      );
    });
  });

export interface RealServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts a server from npm on a loopback port and waits until the port answers. */
export async function startRealServer(
  script: string,
  options: {
    readonly port: number;
    readonly args?: readonly string[];
    readonly path?: string;
    readonly env?: Readonly<Record<string, string>>;
  },
): Promise<RealServer> {
  const child: ChildProcess = spawn(process.execPath, [path.join(realModules, script), ...(options.args ?? [])], {
    env: { PATH: process.env.PATH, PORT: String(options.port), ...options.env },
    stdio: 'ignore',
  });
  const url = `http://127.0.0.1:${options.port}${options.path ?? '/mcp'}`;
  for (let attempt = 0; ; attempt += 1) {
    const isUp = await fetch(url).then(
      () => true,
      () => false,
    );
    if (isUp) break;
    if (attempt > 200 || child.exitCode !== null) throw new Error(`${script} did not come up`);
    await new Promise((done) => setTimeout(done, 50));
  }
  return {
    url,
    stop: () =>
      new Promise((done) => {
        if (child.exitCode !== null || child.signalCode !== null) return done();
        child.once('exit', () => done());
        child.kill('SIGKILL');
      }),
  };
}
