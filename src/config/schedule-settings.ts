import { z } from 'zod';

/** When runs begin: cron fields, read in a time zone. */
export interface Timetable {
  readonly cron: string;
  /** IANA name. */
  readonly timezone: string;
}

/** The `schedule` part of targets.yaml, defaults filled in. */
export interface ScheduleSettings {
  /** null: none is configured for all targets. */
  readonly cron: string | null;
  readonly timezone: string;
  /** Targets at a time. */
  readonly concurrency: number;
  /** Checks of one slot are spread over so many milliseconds. */
  readonly jitterMs: number;
}

/** The `history` part: where past runs are kept, and for how long. */
export interface HistorySettings {
  readonly place:
    | { readonly kind: 'file'; readonly file: string }
    | { readonly kind: 'postgres'; readonly variable: string };
  readonly keepDays: number;
}

const timetable = () => ({
  cron: z.string().describe('Five cron fields (six with seconds), or @daily and the like.'),
  timezone: z.string().min(1).optional().describe('The time zone of the fields, as Europe/Berlin; UTC by default.'),
});

export const buildTimetableSchema = () => z.strictObject(timetable()).describe('When this target is checked.');

export const buildScheduleSchema = () =>
  z
    .strictObject({
      ...timetable(),
      concurrency: z.int().min(1).max(64).optional().describe('Targets at a time; 16 by default.'),
      jitterSeconds: z
        .int()
        .min(0)
        .max(3_600)
        .optional()
        .describe('Checks of one slot are spread over so many seconds, each target at its own; 30 by default.'),
    })
    .describe('When `mcp-canary schedule` checks.');

export const buildHistorySchema = () =>
  z
    .strictObject({
      file: z
        .string()
        .min(1)
        .optional()
        .describe('The file that past runs are kept in, from the working folder; .mcp-canary/history.db by default.'),
      postgres: z
        .string()
        .optional()
        .describe('Instead: the NAME of an environment variable with the address of a Postgres database.'),
      keepDays: z.int().min(1).max(3_660).optional().describe('Older runs are forgotten; 400 by default.'),
    })
    .describe('Where past runs are kept.');

type Schedule = z.output<ReturnType<typeof buildScheduleSchema>>;

export const resolveSchedule = (given: Schedule | undefined): ScheduleSettings => ({
  cron: given?.cron ?? null,
  timezone: given?.timezone ?? 'UTC',
  concurrency: given?.concurrency ?? 16,
  jitterMs: (given?.jitterSeconds ?? 30) * 1_000,
});

/** The timetable of a target: its own, or the one for all; null: it is checked by hand only. */
export function resolveTimetable(
  own: z.output<ReturnType<typeof buildTimetableSchema>> | undefined,
  all: Schedule | undefined,
): Timetable | null {
  const cron = own?.cron ?? all?.cron;
  return cron === undefined ? null : { cron, timezone: own?.timezone ?? all?.timezone ?? 'UTC' };
}

export const resolveHistory = (
  given: z.output<ReturnType<typeof buildHistorySchema>> | undefined,
): HistorySettings | null =>
  given === undefined
    ? null
    : {
        place:
          given.postgres === undefined
            ? { kind: 'file', file: given.file ?? '.mcp-canary/history.db' }
            : { kind: 'postgres', variable: given.postgres },
        keepDays: given.keepDays ?? 400,
      };
