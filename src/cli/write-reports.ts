import { statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { CanaryError, codeOf } from '../errors.ts';
import type { Report } from '../findings/report.ts';
import type { PagePast } from '../report/page/view-of-report.ts';
import { loadReporter, reporterNames } from '../report/reporters.ts';
import type { CliWorld, CommonOptions } from './cli-world.ts';

export interface ReporterChoice {
  readonly name: string;
  /** null: stdout. */
  readonly file: string | null;
}

/**
 * Reads `NAME[=FILE]`, before anything is sent.
 * @throws CanaryError `usage`, also for a file that has no folder to lie in
 */
export function chooseReporters(choices: readonly string[], cwd: string): readonly ReporterChoice[] {
  if (choices.length === 0) return [{ name: 'console', file: null }];
  return choices.map((choice) => {
    const at = choice.indexOf('=');
    const name = at < 0 ? choice : choice.slice(0, at);
    const file = at < 0 ? null : choice.slice(at + 1);
    if (!(reporterNames as readonly string[]).includes(name)) {
      throw new CanaryError(
        'usage',
        `There is no reporter called "${name}".`,
        `Choose one of ${reporterNames.join(', ')}.`,
      );
    }
    if (file === '')
      throw new CanaryError(
        'usage',
        `--reporter ${name}= names no file.`,
        `Write --reporter ${name}=report.txt, or leave out the =.`,
      );
    if (file !== null) refuseUnwritable(name, file, cwd);
    return { name, file };
  });
}

function refuseUnwritable(name: string, file: string, cwd: string): void {
  const at = path.resolve(cwd, file);
  const isFolder = (place: string): boolean => statSync(place, { throwIfNoEntry: false })?.isDirectory() === true;
  if (isFolder(path.dirname(at)) && !isFolder(at)) return;
  throw new CanaryError(
    'usage',
    `--reporter ${name} cannot write to ${file}: ${isFolder(at) ? 'it is a folder' : 'there is no such folder'}.`,
    'Name a file in a folder that is there.',
  );
}

/**
 * Renders the report for every reader that was asked for. `past`: what a page shows of earlier runs.
 * @throws CanaryError `delivery` where a file could not be written; the other readers have theirs
 */
export async function writeReports(
  report: Report,
  choices: readonly ReporterChoice[],
  options: CommonOptions,
  world: CliWorld,
  past: PagePast | null = null,
): Promise<void> {
  let fault: unknown = null;
  for (const { name, file } of choices) {
    const render = await loadReporter(name);
    const text = render(report, { color: file === null && usesColor(options, world), past });
    if (file === null) world.writeOut(text);
    else
      await writeReportFile(file, text, world).catch((error: unknown) => {
        fault ??= error;
      });
  }
  if (fault !== null) throw fault;
}

/** @throws CanaryError `delivery` where the file system refuses */
export async function writeReportFile(file: string, text: string, world: Pick<CliWorld, 'cwd'>): Promise<void> {
  try {
    await writeFile(path.resolve(world.cwd, file), text);
  } catch (error) {
    const code = codeOf(error) ?? 'unknown error';
    throw new CanaryError(
      'delivery',
      `The report could not be written to ${file} (${code}).`,
      'Make the place writable, or name another file.',
      { cause: error },
    );
  }
}

/** --color and --no-color first, then NO_COLOR (https://no-color.org: set and not empty), then whether a person looks. */
export function usesColor(options: Pick<CommonOptions, 'color'>, world: CliWorld): boolean {
  if (options.color !== undefined) return options.color;
  return !world.env.NO_COLOR && world.outIsTerminal;
}
