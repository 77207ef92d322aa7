import { member } from '../json/json-value.ts';
import type { ToolList } from '../protocol/tool-list.ts';
import type { SchemaValidator } from '../schemas/schema-validator.ts';
import { compareAuth } from './checks/auth.ts';
import { compareBreaches } from './checks/breaches.ts';
import { compareInit } from './checks/init.ts';
import { compareListMembers } from './checks/list-members.ts';
import { compareMirroredHeaders } from './checks/mirrored-headers.ts';
import { compareResults } from './checks/results.ts';
import { judgeInstructions, judgeNewTexts, judgeTexts, surroundingsOf } from './checks/suspicious-text.ts';
import { compareAnnotations, judgeNewAnnotations } from './checks/tool-annotations.ts';
import { compareIcons, judgeNewIcons, recordedIconHosts } from './checks/tool-icons.ts';
import { compareMembers } from './checks/tool-members.ts';
import { comparePresence } from './checks/tool-presence.ts';
import { compareToolSchemas, judgeNewSchemas } from './checks/tool-schemas.ts';
import { compareTexts } from './checks/tool-text.ts';
import { compareTransport } from './checks/transport.ts';
import { type Comparison, nameOfTool, type PairedTools } from './comparison.ts';
import type { Found } from './found.ts';

/** Every structural difference between a recording and what a look brought back, not yet weighed. */
export async function collectChanges(comparison: Comparison, validator: SchemaValidator): Promise<readonly Found[]> {
  const recorded = comparison.recording.contract.list;
  const live = comparison.observation.contract.list;
  return [
    ...compareBreaches(comparison),
    ...compareAuth(comparison),
    ...compareTransport(comparison),
    ...compareInit(comparison),
    ...(recorded === null || live === null || comparison.paired === null
      ? []
      : await compareLists(recorded, live, comparison.paired, comparison, validator)),
    ...(await compareResults(comparison, validator)),
  ];
}

/** Both catalogues, and the texts of the server beside them. */
async function compareLists(
  recorded: ToolList,
  live: ToolList,
  paired: PairedTools,
  comparison: Comparison,
  validator: SchemaValidator,
): Promise<readonly Found[]> {
  const { recording, observation, use, explain } = comparison;
  const presence = comparePresence(recorded, live, paired);
  const instructions = [recording, observation].map(({ contract }) =>
    member(contract.handshake?.result, 'instructions'),
  );
  const surroundings = surroundingsOf(recorded, live, presence.renames, instructions[0]);
  const iconHosts = recordedIconHosts(recorded, member(recording.contract.handshake?.result, 'serverInfo'));
  const isHeaderEnforced = observation.era === 'stateless' && use.transport === 'streamable-http';

  const found: Found[] = [
    ...compareListMembers(recorded, live, comparison),
    ...presence.changes,
    ...judgeInstructions(instructions[0], instructions[1], surroundings),
  ];
  for (const pair of paired.changed) {
    found.push(...compareTexts(pair), ...judgeTexts(pair, surroundings), ...compareAnnotations(pair, explain));
    found.push(
      ...compareMembers(pair, explain),
      ...compareIcons(pair, iconHosts),
      ...compareMirroredHeaders(pair, isHeaderEnforced),
    );
    found.push(...(await compareToolSchemas(pair, comparison, validator)));
  }
  const renamedFrom = new Map(presence.renames.map(({ before, after }) => [after, before]));
  for (const tool of paired.added) {
    const name = nameOfTool(tool);
    const before = renamedFrom.get(tool);
    found.push(
      ...(before === undefined
        ? judgeNewTexts(tool, surroundings)
        : judgeTexts({ name, before, after: tool }, surroundings)),
    );
    found.push(
      ...judgeNewAnnotations(tool, name),
      ...judgeNewIcons(name, tool, iconHosts),
      ...judgeNewSchemas(tool, comparison),
    );
  }
  return found;
}
