import type { GithubAlertSettings } from '../../config/alert-settings.ts';
import { CanaryError } from '../../errors.ts';
import type { Clock } from '../../ports.ts';
import { renderForTerminal } from '../../text/render-terminal.ts';
import { groupByKey, type IssueRecord, isSameLogin, readAlertIssues } from '../alert-issue.ts';
import type { AlertStep } from '../alert-plan.ts';
import { healDuplicates } from '../plan/heal-duplicates.ts';
import { type AlertInput, nightOf, type PlannedAlerts, planAlerts } from '../plan-alerts.ts';
import type { AlertMemory } from '../streaks.ts';
import { type CarriedOut, carryOut } from './carry-out.ts';
import { type Answer, type IssueTracker, mendOf } from './issue-tracker.ts';

export interface GithubDelivery {
  /** What is planned for, but for the issues: those are read here. */
  readonly input: Omit<AlertInput, 'issues'>;
  readonly tracker: IssueTracker;
  readonly clock: Clock;
  readonly isDryRun: boolean;
  /** Keeps what no issue can; called before anything is written to the service. */
  saveMemory(memory: AlertMemory): Promise<void>;
}

export interface Delivered {
  readonly plan: PlannedAlerts;
  readonly failures: readonly string[];
  readonly messages: readonly string[];
}

/**
 * Reads the issues, plans, and carries the plan out.
 * @throws CanaryError `delivery` where nothing can be delivered at all: no issues, no permission, another author.
 */
export async function deliverToGithub({
  input,
  tracker,
  clock,
  isDryRun,
  saveMemory,
}: GithubDelivery): Promise<Delivered> {
  const { settings } = input;
  let issues = orThrow(await tracker.listIssues(), 'read the issues');
  const plan = await planWithClosers(input, issues, tracker);
  if (isDryRun) return { plan, failures: [], messages: plan.warnings };
  const messages: string[] = [...plan.warnings];
  // A night that writes finds out by writing; a quiet one asks, or a missing permission would show on the worst night.
  if (plan.steps.length === 0) orThrow(await askPermission(tracker), 'write issues');
  await saveMemory(plan.memory);
  if (hasCreations(plan.steps)) {
    await checkAuthor(tracker, settings);
    messages.push(...(await ensureLabels(tracker, settings.labels)));
  }
  const failures: string[] = [];
  let done = await carryOut(plan.steps, { tracker, clock, author: settings.author, issues });
  messages.push(...done.notes);
  failures.push(...done.failures, ...wrongAuthor(done.created, settings.author));
  if (done.isStale && done.failures.length === 0) {
    // Somebody moved or deleted an issue meanwhile. Once: where it happens again, something else is wrong.
    issues = orThrow(await tracker.listIssues(), 'read the issues again');
    const again = await planWithClosers({ ...input, memory: plan.memory }, issues, tracker);
    done = await carryOut(again.steps, { tracker, clock, author: settings.author, issues });
    messages.push(...done.notes);
    failures.push(...done.failures, ...wrongAuthor(done.created, settings.author));
    if (done.isStale) failures.push('An issue that GitHub lists cannot be written: it says that it is not there.');
  }
  if (done.created.length > 0) failures.push(...(await healAfterCreating(done, { input, tracker, clock })));
  return { plan, failures, messages };
}

async function askPermission(tracker: IssueTracker): Promise<Answer<null>> {
  const answer = await tracker.mayWrite();
  // No answer says nothing about the token: whether it may write shows when it does.
  return !answer.ok && answer.fault === 'lost' ? { ok: true, value: null } : answer;
}

const hasCreations = (steps: readonly AlertStep[]): boolean =>
  steps.some(({ operations }) => operations.some(({ kind }) => kind === 'create'));

/** A list does not say who closed an issue; where the plan takes a closing for ours, that is asked for. */
async function planWithClosers(
  input: Omit<AlertInput, 'issues'>,
  issues: readonly IssueRecord[],
  tracker: IssueTracker,
): Promise<PlannedAlerts> {
  const plan = planAlerts({ ...input, issues });
  if (plan.asks.length === 0) return plan;
  const closers = new Map<number, string>();
  for (const number of plan.asks) {
    const answer = await tracker.issue(number);
    // Not told: then it stays ours, or the plan would ask for ever.
    closers.set(
      number,
      (answer.ok && answer.value.number === number && answer.value.closedBy) || input.settings.author,
    );
  }
  return planAlerts({
    ...input,
    issues: issues.map((issue) => ({ ...issue, closedBy: closers.get(issue.number) ?? issue.closedBy })),
  });
}

/** Another run may have opened the same issue at the same time: list again, and let the lowest number stand. */
async function healAfterCreating(
  done: CarriedOut,
  { input, tracker, clock }: Pick<GithubDelivery, 'input' | 'tracker' | 'clock'>,
): Promise<readonly string[]> {
  const listed = await tracker.listIssues();
  // The next run heals what this one cannot see.
  if (!listed.ok) return [];
  const { author } = input.settings;
  const known = new Map([...done.created, ...listed.value].map((issue) => [issue.number, issue]));
  const keys = groupByKey(readAlertIssues([...known.values()], author).issues);
  const night = nightOf(input);
  const steps = [...keys.values()].flatMap((issues) => healDuplicates(issues, night).steps);
  return (await carryOut(steps, { tracker, clock, author, issues: [...known.values()] })).failures;
}

/** Issues of another author would not be found again, and the next night would open them once more. */
async function checkAuthor(tracker: IssueTracker, { author }: GithubAlertSettings): Promise<void> {
  const login = await tracker.viewer();
  if (login === null || isSameLogin(login, author)) return;
  throw new CanaryError(
    'delivery',
    `The token writes as ${renderForTerminal(login)}, but issues of ${author} are taken for ours, so nothing was written.`,
    `Set alerts.github.author to ${renderForTerminal(login)} in targets.yaml, or use a token of ${author}.`,
  );
}

const wrongAuthor = (created: readonly IssueRecord[], author: string): readonly string[] =>
  created
    .filter((issue) => !isSameLogin(issue.author, author))
    .map(
      (issue) =>
        `#${issue.number} was written as ${renderForTerminal(issue.author)}, not as ${author}: set alerts.github.author, or it will be opened again.`,
    );

async function ensureLabels(tracker: IssueTracker, labels: readonly string[]): Promise<readonly string[]> {
  const messages: string[] = [];
  for (const label of labels) {
    const answer = await tracker.ensureLabel(label);
    if (!answer.ok) messages.push(`The label ${renderForTerminal(label)} could not be made (${answer.fault}).`);
  }
  return messages;
}

/** The value, or the end of the delivery. */
export function orThrow<T>(answer: Answer<T>, what: string): T {
  if (answer.ok) return answer.value;
  throw new CanaryError(
    'delivery',
    `GitHub did not let us ${what} (${answer.fault}): ${renderForTerminal(answer.message)}`,
    mendOf[answer.fault],
  );
}
