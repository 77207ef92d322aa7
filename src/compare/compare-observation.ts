import type { Finding } from '../findings/finding.ts';
import { orderFindings } from '../findings/order.ts';
import { applyWaivers, type Waiver } from '../findings/waivers.ts';
import type { ToolList } from '../protocol/tool-list.ts';
import type { ConsumerUse } from '../recording/consumer-use.ts';
import type { Contract, Observation } from '../recording/observation.ts';
import type { Recording } from '../recording/recording.ts';
import type { RuleId } from '../rules/catalogue.ts';
import type { SchemaValidator } from '../schemas/schema-validator.ts';
import { buildFindings } from './build-findings.ts';
import { isComparable } from './checks/list-members.ts';
import { collectChanges } from './collect-changes.ts';
import type { Comparison, PairedTools } from './comparison.ts';
import { loadExplainChange } from './explain-change.ts';
import type { Found } from './found.ts';
import { groupChanges } from './group-changes.ts';
import { inhibit } from './inhibit.ts';
import { isEqual } from './is-equal.ts';
import { pairTools } from './pair-tools.ts';
import { judgeArguments, judgeRecording, judgeWaivers } from './run-findings.ts';
import { createSchemaBudget } from './schema/schema-budget.ts';
import { weighChange } from './weigh-changes.ts';

export interface ComparisonInput {
  readonly recording: Recording;
  /** Redacted and in normal form, as the recording is. */
  readonly observation: Observation;
  readonly use: ConsumerUse;
  readonly validator: SchemaValidator;
  /** YYYY-MM-DD, UTC. */
  readonly today: string;
}

export interface Judgement {
  /** Drift of the server, worst first; waived and inhibited ones included and marked. */
  readonly findings: readonly Finding[];
  /** Findings about the run itself. */
  readonly canary: readonly Finding[];
}

/**
 * Compares what a look brought back with what was recorded and accepted, for one consumer. Pure but for the validator:
 * the same input gives the same findings in the same order, whatever the order of tools and members. Equal sides give no
 * finding.
 */
export async function compareObservation(input: ComparisonInput): Promise<Judgement> {
  const { recording, observation, use, validator, today } = input;
  const paired = pairLists(recording.contract.list, observation);
  // A steady night has nothing to explain, and does not pay for what explains.
  const isSteady = definesTheSame(recording.contract, observation.contract, paired);
  const explain = isSteady ? () => [] : await loadExplainChange();
  const comparison: Comparison = { recording, observation, use, paired, explain, budget: createSchemaBudget() };
  const changes = comparable(await collectChanges(comparison, validator), recording);
  const weighed = changes.map((change) => weighChange(change, use, recording.contract.calls));
  const built = buildFindings(groupChanges(weighed, isWaivedAlone(use.waivers, today)), recording.target);
  const found = inhibit(built);
  const { findings, stale } = applyWaivers(found, use.waivers, today);
  return {
    findings: orderFindings(findings),
    canary: orderFindings([
      ...judgeRecording(recording, observation, use, today),
      ...(await judgeArguments(recording, observation, validator)),
      ...judgeWaivers(stale, recording.target, observation.failures.length === 0),
    ]),
  };
}

const pairLists = (recorded: ToolList | null, observation: Observation): PairedTools | null =>
  recorded !== null && observation.contract.list !== null && isComparable(observation)
    ? pairTools(recorded, observation.contract.list)
    : null;

const definesTheSame = (a: Contract, b: Contract, paired: PairedTools | null): boolean =>
  isEqual(a.handshake?.result ?? null, b.handshake?.result ?? null) &&
  isEqual(a.list?.members ?? null, b.list?.members ?? null) &&
  (paired === null || paired.changed.length + paired.removed.length + paired.added.length === 0);

/** Rules about words. A recording that was put together from elsewhere has no words to hold a server to. */
const wordRules: ReadonlySet<RuleId> = new Set<RuleId>([
  'init-instructions-added',
  'init-instructions-changed',
  'init-instructions-removed',
  'init-server-display-changed',
  'tool-title-changed',
  'tool-description-reflowed',
  'tool-description-changed',
  'tool-description-removed',
  'tool-text-suspicious',
  'tool-text-grew',
  'annotation-title-changed',
  'input-description-changed',
  'input-title-changed',
  'input-examples-changed',
  'output-description-changed',
  'result-error-text-changed',
  'result-text-suspicious',
]);

function comparable(changes: readonly Found[], recording: Recording): readonly Found[] {
  if (recording.provenance === 'live') return changes;
  const recorded = new Set(recording.contract.list?.tools.map((tool) => tool.name));
  // The words of a tool that is new tonight are judged by themselves.
  const isOfNewTool = ({ tool }: Found): boolean => tool !== null && !recorded.has(tool);
  return changes.filter((change) => !wordRules.has(change.rule) || isOfNewTool(change));
}

/** A waiver for one tool would not fit a group of several: what it waives stays by itself. */
function isWaivedAlone(waivers: readonly Waiver[], today: string): (change: Found) => boolean {
  const inForce = waivers.filter(({ tool, until }) => tool !== undefined && (until === undefined || until >= today));
  return (change) => inForce.some(({ rule, tool }) => rule === change.rule && tool === change.tool);
}
