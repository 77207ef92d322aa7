import type { TargetConfig } from '../config/config.ts';
import type { Finding } from '../findings/finding.ts';
import type { Recording } from '../recording/recording.ts';
import { isRuleId, type RuleId } from '../rules/catalogue.ts';
import type { Severity } from '../rules/rule.ts';
import type { Drift } from '../stand-in/drifts/drift.ts';
import { drifts } from '../stand-in/drifts/drifts.ts';
import { unrehearsable } from '../stand-in/drifts/unrehearsable.ts';
import type { CheckedTarget } from './check-target.ts';
import { mapConcurrently } from './map-concurrently.ts';
import { type RehearseOptions, rehearseDrift } from './rehearse-drift.ts';
import { type RunWorld, silentProgress } from './run-world.ts';

export type DrillOutcome =
  /** The rule fired; `beside`: what was reported with it, and was expected to be. */
  | {
      readonly kind: 'fired';
      readonly severity: Severity;
      readonly beside: readonly RuleId[];
      /** A waiver of the config keeps it quiet. */
      readonly isWaived: boolean;
    }
  | { readonly kind: 'impossible'; readonly because: string }
  /** The check did not report the rule, but these. */
  | { readonly kind: 'missed'; readonly reported: readonly RuleId[] }
  /** The rule fired, and these that nobody expected. */
  | { readonly kind: 'unexpected'; readonly beside: readonly RuleId[] };

/** One rule, rehearsed on one target. */
export interface Drill {
  readonly rule: RuleId;
  /** What happened to the stand-in; null for a rule that no stand-in sets off. */
  readonly story: string | null;
  readonly outcome: DrillOutcome;
  readonly checked: CheckedTarget | null;
}

export interface Rehearsal {
  /** The same check of a stand-in without a drift. */
  readonly control: CheckedTarget;
  /** In the order of `rules`. */
  readonly drills: readonly Drill[];
}

/** Sets off each rule by a stand-in with its drift, as far as that can happen to the recording. */
export async function rehearseRules(
  target: TargetConfig,
  recording: Recording,
  rules: readonly RuleId[],
  options: RehearseOptions & { readonly concurrency: number },
  world: RunWorld,
): Promise<Rehearsal> {
  const quiet = { ...world, progress: silentProgress };
  const control = await rehearseDrift(target, recording, null, options, quiet);
  if (control === null) throw new TypeError('a recording can always be served as it is');
  const known = new Set(reportedBy(control).map(({ rule }) => rule));
  const drills = await mapConcurrently(rules, options.concurrency, async (rule) => {
    world.progress.started(rule);
    const drill = await rehearseRule(rule, { target, recording, known }, options, quiet);
    world.progress.ended(rule, drill.outcome.kind);
    return drill;
  });
  return { control, drills };
}

interface Scene {
  readonly target: TargetConfig;
  readonly recording: Recording;
  /** What the check reports without a drift. */
  readonly known: ReadonlySet<RuleId>;
}

async function rehearseRule(rule: RuleId, scene: Scene, options: RehearseOptions, world: RunWorld): Promise<Drill> {
  const { target, recording, known } = scene;
  const drift = drifts.get(rule);
  if (drift === undefined)
    return impossible(rule, null, unrehearsable.get(rule) ?? 'no drift is known that sets it off');
  if (known.has(rule)) return impossible(rule, drift.story, 'the check reports it without a drift');
  const checked = await rehearseDrift(inLooks(target, drift), recording, drift, lookingAt(drift, options), world);
  return checked === null
    ? impossible(rule, drift.story, `there is no ${drift.needs}`)
    : { rule, story: drift.story, checked, outcome: judge(drift, checked, scene) };
}

const impossible = (rule: RuleId, story: string | null, because: string): Drill => ({
  rule,
  story,
  checked: null,
  outcome: { kind: 'impossible', because },
});

/** What is seen in one of two looks only needs two. */
const isBrief = (drift: Drift): boolean => drift.rule === 'observation-unstable';
const lookingAt = (drift: Drift, options: RehearseOptions): RehearseOptions =>
  isBrief(drift) ? { ...options, confirm: true } : options;
const inLooks = (target: TargetConfig, drift: Drift): TargetConfig =>
  isBrief(drift) ? { ...target, confirm: { ...target.confirm, looks: 2 } } : target;

function judge(drift: Drift, checked: CheckedTarget, { known, recording }: Scene): DrillOutcome {
  const reported = reportedBy(checked);
  const own = reported.filter(({ rule }) => rule === drift.rule);
  const others = [...new Set(reported.map(({ rule }) => rule))].filter((rule) => rule !== drift.rule);
  if (own.length === 0) return { kind: 'missed', reported: others };
  const expected = new Set<RuleId>([
    ...known,
    ...(drift.others ?? []),
    // Whatever else is rehearsed, the stand-in asks for no sign-in.
    ...(recording.challenge === null ? [] : (['auth-no-longer-required'] as const)),
  ]);
  const unexpected = others.filter((rule) => !expected.has(rule));
  if (unexpected.length > 0) return { kind: 'unexpected', beside: unexpected };
  const severity = own.map((finding) => finding.severity).reduce(worse);
  return { kind: 'fired', severity, beside: others, isWaived: own.every(({ waived }) => waived !== null) };
}

const order: readonly Severity[] = ['info', 'warning', 'breaking', 'security'];
const worse = (a: Severity, b: Severity): Severity => (order.indexOf(a) >= order.indexOf(b) ? a : b);

/** What a check reports for itself: neither what follows from something else, nor what only one look showed. */
function reportedBy({ report, canary }: CheckedTarget): readonly (Finding & { readonly rule: RuleId })[] {
  const own = report.findings.filter(({ inhibitedBy, unconfirmed }) => inhibitedBy === null && !unconfirmed);
  const ofRun = canary.filter(({ rule }) => rule === 'observation-unstable');
  return [...own, ...ofRun].filter((finding): finding is Finding & { readonly rule: RuleId } => isRuleId(finding.rule));
}
