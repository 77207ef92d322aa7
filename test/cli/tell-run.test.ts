import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CliWorld } from '../../src/cli/cli-world.ts';
import { createTell } from '../../src/cli/tell-run.ts';
import { sayFault } from '../../src/errors.ts';
import type { LiveConfig } from '../../src/schedule/live-config.ts';
import { makeReport, makeTarget } from '../helpers/make-report.ts';

const slot = '2026-11-30T03:17:00.000Z';
const report = makeReport([makeTarget({ target: 'a' })]);

let folder: string;
let reports: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'mcp-canary-tell-'));
  reports = path.join(folder, 'reports');
});
afterEach(() => rm(folder, { recursive: true }));

const tell = () =>
  createTell({
    options: { alert: false } as Parameters<typeof createTell>[0]['options'],
    reports,
    live: {} as LiveConfig,
    history: null,
    log: { info: () => undefined, warn: () => undefined },
    world: {} as CliWorld,
  })(report, slot);

describe('the folder of reports', () => {
  it('is made again when it was cleared away', async () => {
    await mkdir(reports);
    await tell();
    await rm(reports, { recursive: true });
    await tell();
    expect(await readdir(reports)).toEqual([`2026-11-30T031700.000Z-${report.run}.json`]);
  });

  it('is named, with what to do, when nothing can be written there', async () => {
    await writeFile(reports, 'a file');
    const said = await tell().then(() => 'told', sayFault);
    expect(said).toMatch(/^The report \S+\.json cannot be written to \S+reports \(EEXIST\)\. Check that the folder/);
  });
});
