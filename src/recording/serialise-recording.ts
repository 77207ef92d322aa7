import { CanaryError } from '../errors.ts';
import { canonicalJson } from '../json/canonical-json.ts';
import { sha256Of } from '../json/digest.ts';
import type { JsonObject, JsonValue } from '../json/json-value.ts';
import { writeJson } from '../json/write-json.ts';
import type { AuthChallenge, RpcError, TransportFacts } from '../protocol/exchange.ts';
import type { ToolList } from '../protocol/tool-list.ts';
import { byCodeUnit } from '../text/by-code-unit.ts';
import { contractDigest } from './contract-digest.ts';
import { nameOf, normaliseContract } from './normal-form.ts';
import type { CallRecord, Handshake } from './observation.ts';
import { probesToJson } from './probes.ts';
import { caseKey, type Recording } from './recording.ts';
import { callPath, layout } from './recording-layout.ts';
import { shapeToJson } from './shape-json.ts';

/**
 * The files of a recording: relative path to text. The same recording gives the same bytes, whatever order anything of
 * it is in: LF, final line end, members sorted, hidden characters escaped.
 */
export function recordingToFiles(recording: Recording): ReadonlyMap<string, string> {
  const { handshake, list, calls } = normaliseContract(recording.contract);
  const parts = new Map<string, JsonValue>();
  if (handshake !== null) parts.set(layout.handshake, handshakeToJson(handshake));
  if (list !== null) parts.set(layout.toolList, toolListToJson(list));
  for (const call of calls) {
    const path = callPath(call.tool, call.case);
    if (parts.has(path)) throw twoCallsInOneFile(path);
    parts.set(path, callToJson(call, recording));
  }
  if (recording.probes !== undefined) parts.set(layout.probes, probesToJson(recording.probes));
  const head: JsonObject = {
    formatVersion: recording.formatVersion,
    target: recording.target,
    era: recording.era,
    revision: recording.revision,
    recordedAt: recording.recordedAt,
    provenance: recording.provenance,
    authenticated: recording.authenticated,
    challenge: challengeToJson(recording.challenge),
    acceptances: recording.acceptances.map((acceptance) => ({ ...acceptance })),
    ...breachesToJson(recording.breaches ?? []),
    digests: {
      contract: contractDigest(recording.contract),
      files: Object.fromEntries([...parts].map(([path, value]) => [path, partDigest(value)])),
    },
  };
  return new Map([[layout.recording, head] as const, ...parts].map(([path, value]) => [path, writeFile(value)]));
}

const twoCallsInOneFile = (path: string): CanaryError =>
  new CanaryError('recording', `two recorded calls would be written to ${path}`, 'Give the cases different names.');

/** By value, so that line ends, indentation and a byte order mark do not count as edits. */
export const partDigest = (value: JsonValue): string => sha256Of(canonicalJson(value));

const writeFile = (value: JsonValue): string => writeJson(value, { finalNewline: true });

const transportToJson = (transport: TransportFacts): JsonObject => ({ ...transport });

/** Scopes are a set (RFC 6749, section 3.3). */
const challengeToJson = (challenge: AuthChallenge | null): JsonObject | null =>
  challenge === null ? null : { ...challenge, scopes: [...challenge.scopes].sort(byCodeUnit) };

/** Most recordings have none, and say nothing of it. */
const breachesToJson = (breaches: NonNullable<Recording['breaches']>): JsonObject => {
  const sorted = [...breaches].sort(
    (a, b) => byCodeUnit(a.method, b.method) || byCodeUnit(a.code, b.code) || byCodeUnit(a.name ?? '', b.name ?? ''),
  );
  return sorted.length === 0 ? {} : { breaches: sorted.map((breach) => ({ ...breach })) };
};

const handshakeToJson = (handshake: Handshake): JsonObject => ({
  offered: handshake.offered,
  result: handshake.result,
  initialized: handshake.initialized === null ? null : { ...handshake.initialized },
  session: handshake.session,
  transport: transportToJson(handshake.transport),
});

const toolListToJson = (list: ToolList): JsonObject => ({
  // The name is the key; it is put back when read.
  tools: Object.fromEntries(
    list.tools.map((tool) => [
      nameOf(tool),
      Object.fromEntries(Object.entries(tool).filter(([key]) => key !== 'name')),
    ]),
  ),
  duplicates: list.duplicates,
  malformed: list.malformed.map(({ index, value }) => ({ index, value })),
  pages: list.pages,
  beyondFirstPage: list.beyondFirstPage,
  members: list.members,
  transport: transportToJson(list.transport),
});

const errorToJson = (error: RpcError): JsonObject => ({
  code: error.code,
  message: error.message,
  ...(error.data === undefined ? {} : { data: error.data }),
});

function callToJson(call: CallRecord, recording: Recording): JsonObject {
  const common = {
    case: call.case,
    request: { name: call.tool, arguments: call.arguments },
    transport: transportToJson(call.transport),
  };
  if (call.outcome.kind === 'error') return { ...common, error: errorToJson(call.outcome.error) };
  const shape = recording.shapes.get(caseKey(call.tool, call.case));
  if (shape === undefined) throw new TypeError('a recorded result has no shape'); // our own fault, never a server's
  return { ...common, result: call.outcome.result, shape: shapeToJson(shape) };
}
