import type { Clock } from '../../ports.ts';
import { renderForTerminal } from '../../text/render-terminal.ts';
import { type IssueRecord, isSameLogin } from '../alert-issue.ts';
import type { AlertOperation, AlertStep, AlertTexts } from '../alert-plan.ts';
import { readCommentToken, readMarkedBody } from '../marker.ts';
import { type Answer, type IssueTracker, mendOf, type TrackerFault } from './issue-tracker.ts';

export interface CarriedOut {
  /** Issues made, as the service gave them back. */
  readonly created: readonly IssueRecord[];
  /** What could not be delivered, one line each. */
  readonly failures: readonly string[];
  /** Harmless, but worth a line. */
  readonly notes: readonly string[];
  /** Something was moved or deleted under our hands: reading and planning once more is right. */
  readonly isStale: boolean;
}

export interface Hands {
  readonly tracker: IssueTracker;
  readonly clock: Clock;
  readonly author: string;
  /** Issues as they were read: an issue without comments need not be searched for one of ours. */
  readonly issues: readonly IssueRecord[];
}

const tries = 3;
/** After these, going on would only hammer. */
const endings: readonly TrackerFault[] = ['forbidden', 'limited', 'disabled'];

/**
 * Carries a plan out, one write after the other. Within a step the first failure ends it (a state must not say that
 * people were told when they were not); other steps go on.
 */
export async function carryOut(steps: readonly AlertStep[], hands: Hands): Promise<CarriedOut> {
  const created: IssueRecord[] = [];
  const failures: string[] = [];
  const notes: string[] = [];
  let isStale = false;
  for (const step of steps) {
    const fault = await carryOutStep(step, hands, { created, notes });
    if (fault === null) continue;
    const who = step.target === null ? 'canary-health' : `${step.target}, ${step.class}`;
    // What was to be made cannot have gone: there the repository refuses.
    const isMade = step.operations.some(({ kind }) => kind === 'create');
    if (fault.fault === 'gone' && !isMade) {
      isStale = true;
      notes.push(`${who}: the issue was moved or deleted; it counts as absent.`);
      continue;
    }
    failures.push(`${who}: could not ${step.why}: ${fault.fault}: ${renderForTerminal(fault.message)}`);
    if (!endings.includes(fault.fault)) continue;
    failures.push(mendOf[fault.fault]);
    break;
  }
  return { created, failures, notes, isStale };
}

type Fault = Extract<Answer<never>, { ok: false }>;
interface Notebook {
  readonly created: IssueRecord[];
  readonly notes: string[];
}

async function carryOutStep(step: AlertStep, hands: Hands, notebook: Notebook): Promise<Fault | null> {
  for (const operation of step.operations) {
    const answer = await perform(operation, hands, notebook);
    if (!answer.ok) return answer;
  }
  return null;
}

async function perform(operation: AlertOperation, hands: Hands, notebook: Notebook): Promise<Answer<unknown>> {
  const { tracker } = hands;
  switch (operation.kind) {
    case 'create':
      return create(operation, hands, notebook);
    case 'comment':
      return comment(operation, hands, notebook);
    case 'label': {
      const answer = await tracker.addLabels(operation.number, operation.labels);
      if (!answer.ok) notebook.notes.push(`#${operation.number}: the label could not be set.`);
      return { ok: true, value: null };
    }
    case 'patch':
      return patch(operation.number, operation.body, { ...titled(operation.title) }, tracker);
    case 'reopen':
      return patch(
        operation.number,
        operation.body,
        { ...titled(operation.title), state: 'open', reason: 'reopened' },
        tracker,
      );
    case 'close': {
      const answer = await patch(
        operation.number,
        operation.body,
        { state: 'closed', reason: operation.reason },
        tracker,
      );
      // Not every GitHub knows the reason "duplicate".
      if (answer.ok || answer.fault !== 'refused' || operation.reason !== 'duplicate') return answer;
      return patch(operation.number, operation.body, { state: 'closed', reason: 'not_planned' }, tracker);
    }
  }
}

const titled = (title: string | null): { readonly title?: string } => (title === null ? {} : { title });

/** A change is the same when it is made twice, so the client may repeat it; too long, it is made once more in short. */
async function patch(
  number: number,
  body: AlertTexts,
  change: Parameters<IssueTracker['updateIssue']>[1],
  tracker: IssueTracker,
): Promise<Answer<null>> {
  const answer = await tracker.updateIssue(number, { ...change, body: body.full });
  return !answer.ok && answer.fault === 'too-long'
    ? tracker.updateIssue(number, { ...change, body: body.short })
    : answer;
}

/**
 * Sends what must not be done twice; after an answer that never came, looks whether it was done. Where that cannot be
 * seen either, it is left to the next run: what was not done is mended, what was done twice is not.
 */
async function sendOnce<T>(
  send: (text: 'full' | 'short') => Promise<Answer<T>>,
  find: () => Promise<Answer<T | null>>,
  clock: Clock,
): Promise<Answer<T>> {
  let text: 'full' | 'short' = 'full';
  for (let round = 1; ; round += 1) {
    const answer = await send(text);
    if (answer.ok) return answer;
    if (answer.fault === 'too-long' && text === 'full') {
      text = 'short';
      continue;
    }
    if (answer.fault !== 'lost') return answer;
    const found = await findPatiently(find, clock, round);
    if (!found.ok) return found;
    if (found.value !== null) return { ok: true, value: found.value };
    if (round >= tries) return answer;
  }
}

/** What is there is not always seen at once, nor at the first try. */
async function findPatiently<T>(
  find: () => Promise<Answer<T | null>>,
  clock: Clock,
  from: number,
): Promise<Answer<T | null>> {
  for (let round = from; ; round += 1) {
    await clock.sleep(1_000 * 2 ** round);
    const found = await find();
    if (found.ok || found.fault !== 'lost' || round >= tries) return found;
  }
}

async function create(
  { key, title, body, labels }: Extract<AlertOperation, { kind: 'create' }>,
  { tracker, clock, author }: Hands,
  notebook: Notebook,
): Promise<Answer<unknown>> {
  const find = async (): Promise<Answer<IssueRecord | null>> => {
    const answer = await tracker.listIssues();
    const ours = (issue: IssueRecord): boolean =>
      issue.state === 'open' && isSameLogin(issue.author, author) && readMarkedBody(issue.body)?.key === key;
    return answer.ok ? { ok: true, value: answer.value.find(ours) ?? null } : answer;
  };
  let answer = await sendOnce((text) => tracker.createIssue({ title, body: body[text], labels }), find, clock);
  if (!answer.ok && answer.fault === 'refused' && labels.length > 0) {
    // An alert without labels is better than none.
    answer = await sendOnce((text) => tracker.createIssue({ title, body: body[text], labels: [] }), find, clock);
  }
  if (!answer.ok) return answer;
  notebook.created.push(answer.value);
  const bears = new Set(answer.value.labels.map((label) => label.toLowerCase()));
  if (labels.some((label) => !bears.has(label.toLowerCase()))) {
    notebook.notes.push(`#${answer.value.number}: the token may not set labels; it is found by its author alone.`);
  }
  return answer;
}

async function comment(
  { number, token, body }: Extract<AlertOperation, { kind: 'comment' }>,
  { tracker, clock, author, issues }: Hands,
  notebook: Notebook,
): Promise<Answer<unknown>> {
  const find = async (): Promise<Answer<true | null>> => {
    const answer = await tracker.listComments(number);
    if (!answer.ok) return answer;
    const isThere = answer.value.some((c) => isSameLogin(c.author, author) && readCommentToken(c.body) === token);
    return { ok: true, value: isThere ? true : null };
  };
  // A run that broke off after the comment left it behind: the rest of its step is ours to do.
  const hasComments = issues.find((issue) => issue.number === number)?.comments !== 0;
  const before = hasComments ? await find() : null;
  if (before !== null && (!before.ok || before.value !== null)) return before;
  const send = async (text: 'full' | 'short'): Promise<Answer<true>> => {
    const answer = await tracker.createComment(number, body[text]);
    return answer.ok ? { ok: true, value: true } : answer;
  };
  const answer = await sendOnce(send, find, clock);
  if (answer.ok || answer.fault !== 'locked') return answer;
  notebook.notes.push(`#${number} is locked: no comment.`);
  return { ok: true, value: true };
}
