import path from 'node:path';
import { readAlertReport } from '../../alert/deliver-alerts.ts';
import { CanaryError } from '../../errors.ts';
import { limits } from '../../limits.ts';
import { createNodeFiles } from '../../recording/node-files.ts';
import type { CliWorld, CommonOptions } from '../cli-world.ts';
import type { AlertOptions } from '../command-options.ts';
import { deliverReport, writeJobSummary } from '../deliver-report.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { openConfig } from '../open-run.ts';

/** Brings the alert issues to what they should be after the run of a report. The report is not trusted. */
export async function runAlert(options: CommonOptions & AlertOptions, world: CliWorld): Promise<ExitCode> {
  // No target is selected: the job that writes alerts holds no secret of a registrar.
  const { config } = await openConfig([], { ...options, selectNone: true }, world);
  const file = path.resolve(world.cwd, options.report);
  const bytes = await createNodeFiles()
    .read(file, limits.reportBytes)
    .catch((error: unknown) => {
      throw new CanaryError(
        'usage',
        `${options.report} cannot be read as a report.`,
        'Hand in what mcp-canary check --reporter json=FILE wrote.',
        { cause: error },
      );
    });
  if (bytes === null)
    throw new CanaryError(
      'usage',
      `There is no report at ${options.report}.`,
      'Hand in what mcp-canary check --reporter json=FILE wrote.',
    );
  const report = readAlertReport(bytes, config.configured);
  await writeJobSummary(report, world);
  const delivered = await deliverReport(
    report,
    { config, sink: options.sink, dryRun: options.dryRun, candidates: options.candidate ?? null },
    world,
  );
  return delivered ? exitCodes.fine : exitCodes.unjudged;
}
