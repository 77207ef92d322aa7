import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { compareBareLists, compareRecordings } from '../../compare/compare-lists.ts';
import { CanaryError } from '../../errors.ts';
import type { Finding } from '../../findings/finding.ts';
import type { FailOn, Report, TargetReport } from '../../findings/report.ts';
import { stateOf } from '../../findings/state.ts';
import { isJsonArray, isJsonObject, type JsonValue, member } from '../../json/json-value.ts';
import { parseJson } from '../../json/parse-json.ts';
import { targetLimits } from '../../limits.ts';
import { createNodeFiles } from '../../recording/node-files.ts';
import type { Recording } from '../../recording/recording.ts';
import { readRecording } from '../../recording/store.ts';
import { reportOf } from '../../run/report-of.ts';
import type { CliWorld, CommonOptions } from '../cli-world.ts';
import { type ExitCode, exitCodeOfReport } from '../exit-codes.ts';
import { lazyValidator } from '../lazy-validator.ts';
import { chooseReporters, writeReports } from '../write-reports.ts';

type Side =
  | { readonly kind: 'recording'; readonly recording: Recording }
  | { readonly kind: 'list'; readonly tools: readonly JsonValue[] };

/** Compares two recordings, or two files with a tools/list result, without any network. */
export async function runDiff(a: string, b: string, options: CommonOptions, world: CliWorld): Promise<ExitCode> {
  const reporters = chooseReporters(options.reporter);
  const before = await readSide(a, world);
  const after = await readSide(b, world);
  const validator = lazyValidator(world.schemaWorker);
  try {
    const findings =
      before.kind === 'recording' && after.kind === 'recording'
        ? await compareRecordings(before.recording, after.recording, validator)
        : await compareBareLists(toolsOf(before), toolsOf(after), validator);
    const failOn = (options.failOn as FailOn | undefined) ?? 'breaking';
    const report = comparedReport(path.basename(b), findings, failOn, world);
    await writeReports(report, reporters, options, world);
    return exitCodeOfReport(report, failOn);
  } finally {
    await validator.close();
  }
}

async function readSide(place: string, world: CliWorld): Promise<Side> {
  const at = path.resolve(world.cwd, place);
  const found = await stat(at).catch(() => null);
  if (found === null)
    throw new CanaryError(
      'input',
      `There is nothing at ${place}.`,
      'Name the folder of a recording, or a JSON file with a tools/list result.',
    );
  if (found.isDirectory())
    return {
      kind: 'recording',
      recording: await readRecording(path.dirname(at), path.basename(at), createNodeFiles()),
    };
  const parsed = parseJson(await readFile(at, 'utf8'), targetLimits);
  if (!parsed.ok)
    throw new CanaryError(
      'input',
      `${place} is no JSON: ${parsed.message}`,
      'Name a file with the result of tools/list.',
    );
  const tools = toolsIn(parsed.value);
  if (tools === null)
    throw new CanaryError(
      'input',
      `${place} holds no list of tools.`,
      'It must be a tools/list result ({"tools": […]}), the answer around it, or the bare list.',
    );
  return { kind: 'list', tools };
}

/** A bare list, a tools/list result, or a JSON-RPC answer with one. */
function toolsIn(value: JsonValue): readonly JsonValue[] | null {
  if (isJsonArray(value)) return value;
  const tools = member(value, 'tools') ?? member(member(value, 'result'), 'tools');
  return isJsonArray(tools) ? tools : null;
}

const toolsOf = (side: Side): readonly JsonValue[] =>
  side.kind === 'list' ? side.tools : (side.recording.contract.list?.tools ?? []).filter(isJsonObject);

/** A report as a check would give it, of something that nobody was asked for. */
function comparedReport(target: string, findings: readonly Finding[], failOn: FailOn, world: CliWorld): Report {
  const at = new Date(world.clock.now()).toISOString();
  const report: TargetReport = {
    target,
    registrar: null,
    transport: 'streamable-http',
    consumer: 'agent',
    state: stateOf(findings, [], failOn),
    era: 'handshake',
    revision: { offered: '', recorded: null, live: null },
    server: null,
    contract: { recorded: null, live: null },
    provenance: null,
    looks: 0,
    replayed: [],
    failure: null,
    notes: [],
    findings,
  };
  return reportOf([{ report, canary: [] }], {
    run: world.random.uuid(),
    version: world.version,
    startedAt: at,
    finishedAt: at,
    failOn,
    configured: [target],
  });
}
