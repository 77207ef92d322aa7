import { type JsonObject, member } from '../json/json-value.ts';
import { effectiveHint, explicitHint } from '../protocol/annotations.ts';
import { type Mirrored, mirrorArguments } from '../protocol/mirrored-arguments.ts';
import { describesWrite } from '../protocol/write-words.ts';
import type { CallRefusal } from './mcp-client.ts';

export interface CallGate {
  /** Tools that have `calls` in the configuration. */
  readonly callable: ReadonlySet<string>;
  /** Tonight's entries of each name: more than one where the server lists a name twice. */
  readonly listed: ReadonlyMap<string, readonly JsonObject[]>;
}

/**
 * Why a call must not be sent, or null: the configuration allows it, its name describes no write, and tonight's list has
 * it as read-only. Hints can veto a call, never authorise one. Which entry of a repeated name the server would run is
 * undefined, so all of them must be harmless.
 */
export function refuseCall(gate: CallGate, tool: string): CallRefusal | null {
  if (!gate.callable.has(tool)) return 'tool-not-configured';
  if (describesWrite(tool) !== null) return 'name-describes-write';
  const entries = gate.listed.get(tool) ?? [];
  if (entries.length === 0) return 'tool-not-listed';
  if (!entries.every((entry) => effectiveHint(entry, 'readOnlyHint'))) return 'not-read-only';
  if (entries.some((entry) => explicitHint(entry, 'destructiveHint') === true)) return 'destructive';
  return null;
}

/** The headers that tonight's schema of a tool asks for; null where no header can say them. */
export const mirroredBy = (gate: CallGate, tool: string, args: JsonObject): Mirrored | null =>
  mirrorArguments(member(gate.listed.get(tool)?.[0], 'inputSchema'), args);
