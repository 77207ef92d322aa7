import { CanaryError, codeOf, isCanaryError } from '../errors.ts';
import type { Clock } from '../ports.ts';
import { systemClock } from '../system-clock.ts';
import { askHistory } from './ask-history.ts';
import { groupReads } from './group-reads.ts';
import { groupWrites } from './group-writes.ts';
import type { History } from './history.ts';
import { keepReports } from './keep-reports.ts';
import { readLatency } from './latency.ts';
import { type HistoryPlace, openTables } from './open-tables.ts';
import { forget } from './retention.ts';
import { latenciesOf, openRunBook } from './run-book.ts';

export interface HistoryOptions {
  readonly clock?: Pick<Clock, 'after'>;
  /** What is asked and kept within so many milliseconds goes to the database together; 0: what comes in one turn. */
  readonly momentMs?: number;
}

/**
 * Opens a history, and brings its tables up to date first.
 * @throws CanaryError `usage` where its packages are not installed, `input` where it cannot be opened
 */
export async function openHistory(place: HistoryPlace, options: HistoryOptions = {}): Promise<History> {
  const { clock = systemClock, momentMs = 0 } = options;
  const { db, close } = await openTables(place).catch((error: unknown) => {
    throw inputError(place, 'opened', error);
  });
  const keep = groupWrites((all) => keepReports(db, all), clock, momentMs);
  const latencyOf = groupReads((targets) => latenciesOf(db, targets), clock, momentMs);
  const methods: History = {
    ...askHistory(db),
    ...openRunBook(db),
    keep: (report, slot) => keep({ report, slot: slot ?? null, isUntold: slot !== undefined }),
    latencyFigures: async (target, recorded) => readLatency((await latencyOf(target)) ?? null, recorded),
    forget: (before) => forget(db, before),
    close,
  };
  return wordFaults(methods, place);
}

/** What a driver says may hold the address with its password, so only its code is repeated. */
function inputError(place: HistoryPlace, what: string, error: unknown): CanaryError {
  if (isCanaryError(error)) return error;
  const name = place.kind === 'file' ? place.file : `the database of ${place.url.source}`;
  const code = codeOf(error);
  const mend = isFull(code)
    ? 'Make room on its disk.'
    : place.kind === 'file'
      ? 'Check that the folder is there and may be written, and that the file is a history of mcp-canary.'
      : 'Check that the database answers, and that the user may create tables in it.';
  return new CanaryError(
    'input',
    `The history in ${name} cannot be ${what}${code === null ? '' : ` (${code})`}.`,
    mend,
    { cause: error },
  );
}

/** What SQLite, Postgres and the system call a full disk. */
const isFull = (code: string | null): boolean => code === 'SQLITE_FULL' || code === '53100' || code === 'ENOSPC';

function wordFaults(history: History, place: HistoryPlace): History {
  const worded = Object.entries(history).map(([name, method]) => [
    name,
    (...args: unknown[]) =>
      (method as (...args: unknown[]) => Promise<unknown>)(...args).catch((error: unknown) => {
        throw inputError(place, 'used', error);
      }),
  ]);
  return Object.fromEntries(worded) as unknown as History;
}
