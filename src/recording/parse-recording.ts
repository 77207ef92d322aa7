import type { z } from 'zod';
import { CanaryError, isCanaryError } from '../errors.ts';
import type { JsonObject, JsonValue } from '../json/json-value.ts';
import { member } from '../json/json-value.ts';
import { parseJson } from '../json/parse-json.ts';
import { targetLimits } from '../limits.ts';
import type { ToolList } from '../protocol/tool-list.ts';
import { byCodeUnit } from '../text/by-code-unit.ts';
import { migrateFiles, type ParsedFiles } from './migrations.ts';
import type { CallRecord, Contract } from './observation.ts';
import { probesFile, probesFromFile } from './probes-envelope.ts';
import { caseKey, type Recording } from './recording.ts';
import {
  describeFaults,
  errorCallFile,
  handshakeFile,
  recordingFile,
  resultCallFile,
  toolListFile,
} from './recording-envelope.ts';
import { layout } from './recording-layout.ts';
import type { ResultShape } from './result-shape.ts';
import { partDigest } from './serialise-recording.ts';
import { shapeFromJson } from './shape-json.ts';

/** A recording with every page of a large server is bigger than one body; still a ceiling, since others may have edited it. */
const ceilings = { nodes: 4 * targetLimits.nodes, depth: targetLimits.depth + 20 };

/** A recording as read, and the files of it that somebody edited by hand (or whose digest somebody did). */
export interface ReadRecording {
  readonly recording: Recording;
  readonly edited: () => readonly string[];
}

/**
 * Reads the files of one recording. CRLF and a byte order mark are fine; members that are not ours to know are kept.
 * @throws CanaryError `recording`, naming file and place, for what is no recording of ours or a newer one.
 */
export const filesToRecording = (files: ReadonlyMap<string, string>): Recording => readRecordingFiles(files).recording;

export function readRecordingFiles(files: ReadonlyMap<string, string>): ReadRecording {
  if (!files.has(layout.recording)) throw faulty(layout.recording, 'is missing');
  const parsed = migrateFiles(new Map([...files].map(([path, text]) => [path, parseFile(path, text)])));
  const head = check(layout.recording, recordingFile, parsed.get(layout.recording));
  const shapes = new Map<string, ResultShape>();
  const calls: CallRecord[] = [];
  const keys = new Set<string>();
  for (const [path, value] of parsed) {
    if (!path.startsWith(`${layout.calls}/`)) continue;
    const { call, shape } = readCall(path, value);
    const key = caseKey(call.tool, call.case);
    if (keys.has(key)) throw faulty(path, 'holds a case that another file holds, too');
    keys.add(key);
    calls.push(call);
    if (shape !== null) shapes.set(key, shape);
  }
  const { digests, breaches, ...facts } = head;
  // Of these two there is one each: without it nothing would be compared, and that would look like no change.
  for (const path of [layout.handshake, layout.toolList])
    if (!parsed.has(path) && Object.hasOwn(digests.files, path)) throw faulty(path, 'is missing');
  const contract: Contract = {
    handshake: parsed.has(layout.handshake)
      ? check(layout.handshake, handshakeFile, parsed.get(layout.handshake))
      : null,
    list: parsed.has(layout.toolList) ? readToolList(parsed.get(layout.toolList)) : null,
    calls: calls.sort((a, b) => byCodeUnit(a.tool, b.tool) || byCodeUnit(a.case, b.case)),
  };
  const probes = parsed.has(layout.probes)
    ? probesFromFile(check(layout.probes, probesFile, parsed.get(layout.probes)))
    : undefined;
  const recording = {
    ...facts,
    ...(breaches === undefined ? {} : { breaches }),
    contract,
    shapes,
    ...(probes === undefined ? {} : { probes }),
  };
  return { recording, edited: () => findEdited(parsed, digests.files) };
}

function parseFile(path: string, text: string): JsonValue {
  const parsed = parseJson(text, ceilings);
  if (!parsed.ok) throw faulty(path, parsed.message);
  const repeated = parsed.notes.find((note) => note.code === 'json-duplicate-key');
  if (repeated !== undefined)
    throw faulty(path, `names a member twice: ${repeated.names.map((name) => JSON.stringify(name)).join(', ')}`);
  return parsed.value;
}

function check<S extends z.ZodType>(path: string, schema: S, value: JsonValue | undefined): z.output<S> {
  const checked = schema.safeParse(value);
  if (!checked.success) throw faulty(path, describeFaults(checked.error));
  return checked.data;
}

function readToolList(value: JsonValue | undefined): ToolList {
  const { tools, ...rest } = check(layout.toolList, toolListFile, value);
  const named = Object.entries(tools).map(
    ([name, tool]): JsonObject => Object.fromEntries([['name', name], ...Object.entries(tool)]),
  );
  return { ...rest, tools: named.sort((a, b) => byCodeUnit(String(a.name), String(b.name))) };
}

function readCall(path: string, value: JsonValue): { call: CallRecord; shape: ResultShape | null } {
  if (member(value, 'error') !== undefined) {
    const file = check(path, errorCallFile, value);
    return { call: { ...callOf(file), outcome: { kind: 'error', error: file.error } }, shape: null };
  }
  const file = check(path, resultCallFile, value);
  return {
    call: { ...callOf(file), outcome: { kind: 'result', result: file.result } },
    shape: readShape(path, file.shape),
  };
}

const callOf = (file: z.output<typeof resultCallFile> | z.output<typeof errorCallFile>) => ({
  tool: file.request.name,
  case: file.case,
  arguments: file.request.arguments,
  transport: file.transport,
});

function readShape(path: string, value: JsonObject): ResultShape {
  try {
    return shapeFromJson(value);
  } catch (error) {
    throw faulty(path, `/shape: ${isCanaryError(error) ? error.message : 'is no shape'}`, error);
  }
}

const findEdited = (files: ParsedFiles, digests: JsonObject): string[] =>
  [...new Set([...files.keys(), ...Object.keys(digests)])]
    .filter((path) => path !== layout.recording)
    .filter((path) => {
      const value = files.get(path);
      return value === undefined || member(digests, path) !== partDigest(value);
    })
    .sort(byCodeUnit);

const faulty = (path: string, fault: string, cause?: unknown): CanaryError =>
  new CanaryError(
    'recording',
    `${path}: ${fault}`,
    'Restore the file from version control, or take the recording again: mcp-canary record <target> --update',
    { cause },
  );
