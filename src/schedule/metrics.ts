import type { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Report } from '../findings/report.ts';
import { keepNewest } from '../keep-newest.ts';
import type { ShownState } from '../report/page/page-view.ts';
import { severities } from '../rules/rule.ts';
import type { Standing } from './standing.ts';

type PromClient = Pick<
  typeof import('prom-client'),
  'Counter' | 'Gauge' | 'Histogram' | 'Registry' | 'collectDefaultMetrics'
>;

export interface Metrics {
  readonly contentType: string;
  /** Counts a run, or a part of one, of this process. */
  observe(report: Report): void;
  /** Everything in the text format of Prometheus; gauges as they stand now. */
  write(standing: Standing): Promise<string>;
}

const states: readonly ShownState[] = ['steady', 'drifted', 'inconclusive', 'unseen'];
const judgedStates = ['steady', 'drifted', 'inconclusive'] as const;

/** Runs come in parts, thousands of them; so many of the newest are known again. */
const runsKnown = 1_000;

/** Seconds that a request may take. */
const stepBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/**
 * What Prometheus asks for. Labels are ids of configured targets, methods, and words of ours, so that no server can make
 * the number of series grow. Gauges come from the store, so that they outlive this process; counters are its own.
 */
export function createMetrics(prom: PromClient, version: string): Metrics {
  const registry = new prom.Registry();
  prom.collectDefaultMetrics({ register: registry });
  // Gauges that are called totals: `promtool check metrics` has them for faults, and their parts stand beside them.
  for (const kind of ['handles', 'requests', 'resources']) registry.removeSingleMetric(`nodejs_active_${kind}_total`);
  const info = { name: 'mcp_canary_info', help: 'The version that runs.', labelNames: ['version'] as const };
  new prom.Gauge({ ...info, registers: [registry] }).set({ version }, 1);
  const counters = createCounters(prom, registry);
  const known = new Map<string, true>();
  const gauges = createGauges(prom, registry);
  return {
    contentType: registry.contentType,
    observe: (report) => {
      if (!known.has(report.run)) counters.runs.inc();
      keepNewest(known, report.run, true, runsKnown);
      observe(report, counters);
    },
    write: (standing) => {
      setGauges(gauges, standing);
      return registry.metrics();
    },
  };
}

interface Counters {
  readonly runs: Counter;
  readonly checks: Counter<'state'>;
  readonly steps: Histogram<'method' | 'outcome'>;
}

function createCounters(prom: PromClient, registry: Registry): Counters {
  const registers = [registry];
  const runs = new prom.Counter({
    name: 'mcp_canary_runs_total',
    help: 'Runs that this process took part in.',
    registers,
  });
  const checks = new prom.Counter({
    name: 'mcp_canary_checks_total',
    help: 'Looks of this process at a target, by the state it was found in.',
    labelNames: ['state'],
    registers,
  });
  const steps = new prom.Histogram({
    name: 'mcp_canary_step_duration_seconds',
    help: 'How long requests of this process took, by method and outcome.',
    labelNames: ['method', 'outcome'],
    buckets: stepBuckets,
    registers,
  });
  // A series that begins with its first count cannot be seen to rise.
  for (const state of judgedStates) checks.inc({ state }, 0);
  return { runs, checks, steps };
}

function observe({ targets }: Report, { checks, steps }: Pick<Counters, 'checks' | 'steps'>): void {
  for (const { state, replayed } of targets) {
    checks.inc({ state });
    for (const { method, outcome, durationMs } of replayed)
      if (outcome !== 'skipped') steps.observe({ method, outcome }, durationMs / 1_000);
  }
}

interface Gauges {
  readonly state: Gauge<'target' | 'state'>;
  readonly findings: Gauge<'target' | 'severity'>;
  readonly lastLook: Gauge<'target'>;
  readonly lastJudged: Gauge<'target'>;
  readonly overdue: Gauge<'target'>;
  readonly lastRun: Gauge;
  readonly lastRunTook: Gauge;
}

function createGauges(prom: PromClient, registry: Registry): Gauges {
  const gauge = <L extends string = never>(name: string, help: string, ...labelNames: readonly L[]): Gauge<L> =>
    new prom.Gauge({ name: `mcp_canary_${name}`, help, labelNames: [...labelNames], registers: [registry] });
  return {
    state: gauge('target_state', '1 for the state that a target is in, 0 for the others.', 'target', 'state'),
    findings: gauge('target_findings', 'Findings of a target that count, by severity.', 'target', 'severity'),
    lastLook: gauge('target_last_look_timestamp_seconds', 'When the newest run began that looked at it.', 'target'),
    lastJudged: gauge(
      'target_last_judged_timestamp_seconds',
      'When the newest run began that could judge it.',
      'target',
    ),
    overdue: gauge('target_overdue', '1 where a target was not looked at when its schedule said so.', 'target'),
    lastRun: gauge('last_run_timestamp_seconds', 'When the newest run began.'),
    lastRunTook: gauge('last_run_duration_seconds', 'How long the newest run took.'),
  };
}

const secondsOf = (moment: string): number => Date.parse(moment) / 1_000;

function setGauges(gauges: Gauges, { targets, lastRun }: Standing): void {
  // Targets that are no longer configured leave no series behind.
  for (const gauge of Object.values(gauges)) gauge.reset();
  for (const { id: target, state, isOverdue, lastJudged, now } of targets) {
    for (const one of states) gauges.state.set({ target, state: one }, one === state ? 1 : 0);
    for (const severity of severities) gauges.findings.set({ target, severity }, now?.counting[severity] ?? 0);
    gauges.overdue.set({ target }, isOverdue ? 1 : 0);
    if (now !== null) gauges.lastLook.set({ target }, secondsOf(now.startedAt));
    if (lastJudged !== null) gauges.lastJudged.set({ target }, secondsOf(lastJudged));
  }
  if (lastRun === null) return;
  gauges.lastRun.set(secondsOf(lastRun.startedAt));
  gauges.lastRunTook.set(secondsOf(lastRun.finishedAt) - secondsOf(lastRun.startedAt));
}
