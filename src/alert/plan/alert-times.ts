const day = 24 * 60 * 60;

/** How long things hold, in seconds, and how often they may happen. */
export const alertTimes = {
  /** Two runs closer together count as one: a late one and a restarted one say nothing more about the server. */
  runGap: 30 * 60,
  /** What comes back within this time reopens its issue; later it gets a new one. */
  reopenWithin: 14 * day,
  /** A dismissed security finding speaks again after this time. */
  securityMute: 30 * day,
  /** What is written down may be so much younger than a report that is still about: artifacts of a run are kept that long. */
  oldestReport: 30 * day,
  /** Flapping and crowded issues are counted over this time. */
  week: 7 * day,
} as const;

export const alertCounts = {
  /** Judged runs without a matter after which its issue is closed; those of a mere slowness, and of a flapping issue. */
  patience: 2,
  slowPatience: 5,
  flappingPatience: 6,
  /** Openings and closings in a week after which an issue is kept open longer. */
  flaps: 3,
  /** Comments about changes in a week after which there is one a week. */
  changes: 3,
  /** Failing runs after which a person's "completed" is answered by reopening, once. */
  failingAfterCompleted: 2,
  /** Runs that must see a mere slowness before it opens an issue. */
  slowRuns: 2,
  /** Writes of one run that send mail. */
  issuesPerRun: 10,
  commentsPerRun: 20,
  /** So many targets failing alike, and half of the run, say something about the runner. */
  alike: 3,
} as const;

/**
 * Whether a time that was written down can be, seen from a run that started at `startedAt`. One far ahead came with a
 * forged report or by hand; believed, it would make every honest run after it look outdated, and silence it.
 */
export const isPossible = (at: number, startedAt: number): boolean => at <= startedAt + alertTimes.oldestReport;
