import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createReportFolder } from '../../src/cli/report-folder.ts';
import { makeReport, makeTarget } from '../helpers/make-report.ts';

const report = makeReport([makeTarget({ target: 'a' })]);
const slots = ['2026-11-30T03:17:00.000Z', '2026-12-01T03:17:00.000Z'] as const;
const names = [`2026-11-30T031700.000Z-${report.run}.json`, `2026-12-01T031700.000Z-${report.run}.json`];

let place: string;
let reports: string;
let warnings: string[];
beforeEach(async () => {
  place = await mkdtemp(path.join(os.tmpdir(), 'mcp-canary-reports-'));
  reports = path.join(place, 'reports');
  warnings = [];
});
afterEach(() => rm(place, { recursive: true }));

const open = () =>
  createReportFolder(reports, { info: () => undefined, warn: (message) => void warnings.push(message) });

describe('the folder of reports', () => {
  it('holds a file a run, by slot, and is made again when it was cleared away', async () => {
    const write = open();
    await write(report, slots[0]);
    await rm(reports, { recursive: true });
    await write(report, slots[1]);
    expect(await readdir(reports)).toEqual([names[1]]);
    expect(warnings).toEqual([]);
  });

  it('gets what could not be written as soon as it can be, and says so meanwhile', async () => {
    await writeFile(reports, 'a file is in its place');
    const write = open();
    await write(report, slots[0]);
    expect(warnings).toEqual([
      expect.stringMatching(/^Reports cannot be written to \S+reports \(EEXIST\); 1 wait\. Check that/),
    ]);
    await rm(reports);
    await mkdir(reports);
    await write(report, slots[1]);
    expect((await readdir(reports)).sort()).toEqual(names);
    expect(warnings).toHaveLength(1);
  });
});
