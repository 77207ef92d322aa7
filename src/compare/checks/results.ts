import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import { member } from '../../json/json-value.ts';
import { effectiveHint } from '../../protocol/annotations.ts';
import type { ToolList } from '../../protocol/tool-list.ts';
import { type CallCase, casesOf } from '../../recording/consumer-use.ts';
import type { CallRecord } from '../../recording/observation.ts';
import { caseKey } from '../../recording/recording.ts';
import { revealDigests } from '../../recording/text-digest.ts';
import type { SchemaValidator } from '../../schemas/schema-validator.ts';
import { type Comparison, nameOfTool } from '../comparison.ts';
import type { Found } from '../found.ts';
import { compareResult } from '../results/compare-result.ts';

/** A recorded call of which the config says no more than its arguments: nothing is pinned. */
const plainCase = (args: JsonObject): CallCase => ({ arguments: args, pins: {}, repeat: true, mustFail: false });

/** Results of the calls that were answered on both sides, each against its recorded shape. */
export async function compareResults(comparison: Comparison, validator: SchemaValidator): Promise<readonly Found[]> {
  const { recording, observation, use } = comparison;
  const recordedTools = byName(recording.contract.list);
  const liveTools = byName(observation.contract.list);
  const found: Found[] = [];
  for (const live of observation.contract.calls) {
    const recorded = recording.contract.calls.find((call) => call.tool === live.tool && call.case === live.case);
    if (recorded === undefined) continue;
    found.push(
      ...(await compareResult({
        recorded: reveal(recorded, live),
        shape: recording.shapes.get(caseKey(live.tool, live.case)) ?? null,
        live,
        callCase: casesOf(use, live.tool).get(live.case) ?? plainCase(recorded.arguments),
        recordedOutputSchema: schemaOf(recordedTools.get(live.tool)),
        liveOutputSchema: schemaOf(liveTools.get(live.tool)),
        openWorld: isOpenWorld(recordedTools.get(live.tool), liveTools.get(live.tool)),
        validator,
        revision: observation.revision,
      })),
    );
  }
  return found;
}

const byName = (list: ToolList | null): ReadonlyMap<string, JsonObject> =>
  new Map((list?.tools ?? []).map((tool) => [nameOfTool(tool), tool]));

const schemaOf = (tool: JsonObject | undefined): JsonValue | undefined => member(tool, 'outputSchema') ?? undefined;

/** Only a tool that said so on both sides may bring in what strangers wrote; one that says so tonight has changed. */
const isOpenWorld = (recorded: JsonObject | undefined, live: JsonObject | undefined): boolean =>
  recorded !== undefined &&
  effectiveHint(recorded, 'openWorldHint') &&
  (live === undefined || effectiveHint(live, 'openWorldHint'));

function reveal(recorded: CallRecord, live: CallRecord): CallRecord {
  if (recorded.outcome.kind !== 'result' || live.outcome.kind !== 'result') return recorded;
  const result = revealDigests(recorded.outcome.result, live.outcome.result) as JsonObject; // an object stays an object
  return { ...recorded, outcome: { kind: 'result', result } };
}
