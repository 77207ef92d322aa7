import type { IssueRecord } from '../../src/alert/alert-issue.ts';
import type { Answer, IssueTracker, TrackerFault } from '../../src/alert/sinks/issue-tracker.ts';

/** An issue as the service holds it. */
export interface HeldIssue {
  readonly number: number;
  readonly author: string;
  title: string;
  body: string;
  state: 'open' | 'closed';
  stateReason: string | null;
  closedAt: number | null;
  closedBy: string | null;
  labels: string[];
  locked: boolean;
  readonly comments: { readonly author: string; readonly body: string }[];
}

export interface Write {
  readonly kind: string;
  readonly number: number | null;
}

/**
 * What a request of a bad day becomes: crash before or after it is carried out, its answer is lost, or it and all after
 * it are refused by a rate limit.
 */
export type Fault = 'crash-before' | 'crash-after' | 'lose' | 'lose-before' | 'limit';

export class Crash extends Error {}

/** A service with issues in memory, and with bad days. */
export class MemoryTracker {
  readonly author = 'github-actions[bot]';
  readonly issues: HeldIssue[] = [];
  readonly writes: Write[] = [];
  now = 0;
  /** Fails the nth request from now on (1 is the next). */
  fault: { nth: number; how: Fault } | null = null;
  /** The next list lacks what is newer than this number. */
  staleAfter: number | null = null;
  bodyLimit = 65_536;
  mayWrite: TrackerFault | null = null;
  takesLabels = true;
  #nextNumber = 1;

  open(): readonly HeldIssue[] {
    return this.issues.filter(({ state, author }) => state === 'open' && author === this.author);
  }

  issue(number: number): HeldIssue {
    const found = this.issues.find((issue) => issue.number === number);
    if (found === undefined) throw new Error(`no issue ${number}`);
    return found;
  }

  add(given: Partial<HeldIssue> = {}): HeldIssue {
    const issue: HeldIssue = {
      author: this.author,
      title: '',
      body: '',
      state: 'open',
      stateReason: null,
      closedAt: null,
      closedBy: null,
      labels: [],
      locked: false,
      comments: [],
      ...given,
      number: this.#nextNumber,
    };
    this.#nextNumber += 1;
    this.issues.push(issue);
    return issue;
  }

  humanCloses(number: number, stateReason: string, closedBy = 'maintainer'): void {
    Object.assign(this.issue(number), { state: 'closed', stateReason, closedAt: this.now, closedBy });
  }

  humanReopens(number: number): void {
    Object.assign(this.issue(number), { state: 'open', stateReason: 'reopened', closedAt: null, closedBy: null });
  }

  /** One request: counts towards a fault, and lets other runs go first. */
  async #request<T>(act: () => Answer<T>): Promise<Answer<T>> {
    await Promise.resolve();
    const how = this.#takeFault();
    if (how === 'crash-before') throw new Crash();
    if (how === 'limit') return { ok: false, fault: 'limited', message: 'You have exceeded a secondary rate limit.' };
    if (how === 'lose-before') return { ok: false, fault: 'lost', message: 'connection reset' };
    const answer = act();
    if (how === 'crash-after') throw new Crash();
    return how === 'lose' ? { ok: false, fault: 'lost', message: 'connection reset' } : answer;
  }

  #takeFault(): Fault | null {
    if (this.fault === null) return null;
    this.fault.nth -= 1;
    if (this.fault.nth > 0) return null;
    const { how } = this.fault;
    if (how !== 'limit') this.fault = null;
    return how;
  }

  #record(issue: HeldIssue, isSingle: boolean): IssueRecord {
    const { locked: _locked, comments, ...rest } = issue;
    return {
      ...rest,
      labels: [...issue.labels],
      comments: comments.length,
      closedBy: isSingle ? issue.closedBy : null,
    };
  }

  #write<T>(kind: string, number: number | null, body: string | undefined, act: () => T): Answer<T> {
    if (this.mayWrite !== null)
      return { ok: false, fault: this.mayWrite, message: 'Resource not accessible by integration' };
    if (body !== undefined && body.length > this.bodyLimit)
      return { ok: false, fault: 'too-long', message: 'body is too long' };
    this.writes.push({ kind, number });
    return { ok: true, value: act() };
  }

  tracker(label = 'mcp-drift'): IssueTracker {
    return {
      repository: () =>
        this.#request(() => ({
          ok: true,
          value: { fullName: 'owner/canary', hasIssues: true, isArchived: false, defaultBranch: 'main' },
        })),
      viewer: async () => this.author,
      mayWrite: () =>
        this.#request(() =>
          this.mayWrite === null ? { ok: true, value: null } : { ok: false, fault: this.mayWrite, message: 'no' },
        ),
      listIssues: () =>
        this.#request(() => {
          const newest = this.staleAfter ?? Number.POSITIVE_INFINITY;
          this.staleAfter = null;
          const last = new Set(this.issues.filter(({ author }) => author === this.author).slice(-100));
          const listed = this.issues.filter(
            (issue) => issue.number <= newest && (issue.labels.includes(label) || last.has(issue)),
          );
          return { ok: true, value: listed.map((issue) => this.#record(issue, false)).reverse() };
        }),
      issue: (number) => this.#request(() => ({ ok: true, value: this.#record(this.issue(number), true) })),
      createIssue: ({ title, body, labels }) =>
        this.#request(() =>
          this.#write('create', null, body, () =>
            this.#record(this.add({ title, body, labels: this.takesLabels ? [...labels] : [] }), true),
          ),
        ),
      updateIssue: (number, { title, body, state, reason }) =>
        this.#request(() =>
          this.#write(state === 'closed' ? 'close' : state === 'open' ? 'reopen' : 'patch', number, body, () => {
            const issue = this.issue(number);
            if (title !== undefined) issue.title = title;
            if (body !== undefined) issue.body = body;
            if (state === 'closed' && issue.state === 'open')
              Object.assign(issue, { closedAt: this.now, closedBy: this.author });
            if (state === 'open') Object.assign(issue, { closedAt: null, closedBy: null });
            if (state !== undefined) Object.assign(issue, { state, stateReason: reason ?? null });
            return null;
          }),
        ),
      listComments: (number) => this.#request(() => ({ ok: true, value: [...this.issue(number).comments] })),
      createComment: (number, body) =>
        this.#request(() => {
          const issue = this.issue(number);
          if (issue.locked) return { ok: false, fault: 'locked', message: 'the issue is locked' };
          return this.#write('comment', number, body, () => {
            issue.comments.push({ author: this.author, body });
            return null;
          });
        }),
      ensureLabel: () => this.#request(() => ({ ok: true, value: null })),
      addLabels: (number, names) =>
        this.#request(() =>
          this.#write('label', number, undefined, () => {
            const issue = this.issue(number);
            issue.labels = [...new Set([...issue.labels, ...names])];
            return null;
          }),
        ),
    };
  }
}
