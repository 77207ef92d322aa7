import { mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../config/config.ts';
import { codeOf } from '../errors.ts';
import type { Report } from '../findings/report.ts';
import { keepNewest } from '../keep-newest.ts';
import type { Log } from '../ports.ts';
import { reportJson } from '../report/json.ts';
import { runOf } from '../schedule/check-due.ts';
import { schedulesOf } from '../schedule/live-config.ts';

/** A run of so many targets or more comes in several reports. */
const wholeRun = 500;
/** Reports that may wait until they can be written. */
const mostWaiting = 64;

/**
 * Writes each report into a file of the folder that appears whole; its name begins with the slot, so the newest one sorts
 * last. Never rejects, for no alert must wait for a disk: what cannot be written is tried again with the next one.
 */
export function createReportFolder(folder: string, log: Log): (report: Report, slot: string) => Promise<void> {
  const waiting = new Map<string, string>();
  return async (report, slot) => {
    keepNewest(waiting, nameOf(report, slot), reportJson(report), mostWaiting);
    for (const [name, text] of waiting) {
      try {
        await mkdir(folder, { recursive: true }); // may have been cleared away since the start
        await writeFile(path.join(folder, `.${name}`), text);
        await rename(path.join(folder, `.${name}`), path.join(folder, name));
        waiting.delete(name);
      } catch (error) {
        log.warn(
          `Reports cannot be written to ${folder} (${codeOf(error) ?? String(error)}); ${waiting.size} wait. Check that it may be written, and that its disk has room.`,
        );
        return;
      }
    }
  };
}

function nameOf(report: Report, slot: string): string {
  const part = report.targets.length < wholeRun ? '' : `-${report.targets[0]?.target}`;
  return `${slot.replaceAll(':', '')}-${report.run}${part}.json`;
}

/** For each target the slot of the newest report of its schedule. */
export async function lastSlotsIn(folder: string, config: Config): Promise<ReadonlyMap<string, string>> {
  const written = (await readdir(folder)).flatMap((name) => {
    const match = /^(\d{4}-\d\d-\d\dT)(\d\d)(\d\d)(\d\d\.\d{3}Z)-([0-9a-f-]{36})/.exec(name);
    return match === null ? [] : [{ slot: `${match[1]}${match[2]}:${match[3]}:${match[4]}`, run: match[5] }];
  });
  const newestFirst = written.sort((a, b) => (a.slot > b.slot ? -1 : 1));
  return new Map(
    [...schedulesOf(config)].flatMap(([target, schedule]) => {
      const last = newestFirst.find(({ slot, run }) => runOf(schedule, new Date(slot)) === run);
      return last === undefined ? [] : [[target, last.slot] as const];
    }),
  );
}
