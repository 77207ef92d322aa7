import type { Finding } from '../findings/finding.ts';
import type { JsonObject, JsonValue } from '../json/json-value.ts';
import type { Breach } from '../protocol/breach.ts';
import { noTransport } from '../protocol/exchange.ts';
import { newestHandshakeRevision } from '../protocol/revisions.ts';
import { mergePages, type ToolList } from '../protocol/tool-list.ts';
import type { ConsumerUse } from '../recording/consumer-use.ts';
import { nameOf, normaliseTool } from '../recording/normal-form.ts';
import type { Contract, Observation } from '../recording/observation.ts';
import type { Recording } from '../recording/recording.ts';
import type { SchemaValidator } from '../schemas/schema-validator.ts';
import { compareObservation } from './compare-observation.ts';
import { isEqual } from './is-equal.ts';

/** How a consumer that says nothing of itself uses a server: every tool counts, a model reads its texts, none is called. */
const watchingAll = (target: string): ConsumerUse => ({
  target,
  transport: 'streamable-http',
  consumer: 'agent',
  failOn: 'breaking',
  tools: null,
  supports: null,
  severity: new Map(),
  waivers: [],
  failurePatterns: [],
});

/**
 * Compares two recordings offline, the second taken for what a look brought back. `use` absent: every tool is watched.
 */
export async function compareRecordings(
  before: Recording,
  after: Recording,
  validator: SchemaValidator,
  use: ConsumerUse = watchingAll(before.target),
): Promise<readonly Finding[]> {
  const today = after.recordedAt.slice(0, 10);
  const judged = await compareObservation({
    recording: before,
    observation: observationOf(after),
    use,
    validator,
    today,
  });
  return judged.findings;
}

const observationOf = ({ target, era, revision, challenge, contract, breaches = [] }: Recording): Observation => ({
  target,
  era,
  revision,
  contract,
  breaches: breaches.map(
    ({ code, method, name }): Breach => ({
      code,
      method,
      tool: null,
      case: null,
      pointer: null,
      evidence: null,
      ...(name === undefined ? {} : { facts: { name } }),
    }),
  ),
  failures: [],
  notes: [],
  replayed: [],
  challenge,
});

/** Compares two bare lists of tools, as `tools/list` results hold them, every tool watched. */
export const compareBareLists = (
  before: readonly JsonValue[],
  after: readonly JsonValue[],
  validator: SchemaValidator,
): Promise<readonly Finding[]> => compareToolLists(listOf(before), listOf(after), validator);

/** The same for lists with what their pages say beside the tools. */
export async function compareToolLists(
  before: ToolList,
  after: ToolList,
  validator: SchemaValidator,
): Promise<readonly Finding[]> {
  const target = 'diff';
  const [from, to] = normaliseBoth(before, after);
  const recording: Recording = {
    formatVersion: 1,
    target,
    era: 'handshake',
    revision: newestHandshakeRevision,
    recordedAt: '1970-01-01T00:00:00Z',
    provenance: 'live',
    authenticated: false,
    challenge: null,
    acceptances: [],
    contract: contractOf(from),
    shapes: new Map(),
  };
  const observation: Observation = { ...observationOf(recording), contract: contractOf(to) };
  const judged = await compareObservation({
    recording,
    observation,
    use: watchingAll(target),
    validator,
    today: '1970-01-01',
  });
  return judged.findings;
}

const contractOf = (list: ToolList): Contract => ({ handshake: null, list, calls: [] });

const listOf = (tools: readonly JsonValue[]): ToolList => mergePages([{ tools }], noTransport);

/**
 * Both lists in the normal form that a recording has. Tools that are equal as they came stand for each other: writing out
 * the normal form of thousands of them would cost more than the whole comparison.
 */
function normaliseBoth(before: ToolList, after: ToolList): readonly [ToolList, ToolList] {
  const known = new Map(before.tools.map((tool) => [nameOf(tool), tool]));
  const shared = new Set<JsonObject>();
  const tools = after.tools.map((tool) => {
    const other = known.get(nameOf(tool));
    if (other === undefined || !isEqual(other, tool)) return normaliseTool(tool);
    shared.add(other);
    return other;
  });
  return [
    { ...before, tools: before.tools.map((tool) => (shared.has(tool) ? tool : normaliseTool(tool))) },
    { ...after, tools },
  ];
}
