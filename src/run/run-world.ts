import type { Clock, Files, Random } from '../ports.ts';
import type { OpenFetch } from '../probe/probe-target.ts';
import type { RecordingShelf } from '../recording/recording-shelf.ts';
import type { SchemaValidator } from '../schemas/schema-validator.ts';
import type { OpenClient } from './take-look.ts';

/** What a run needs of the outside. */
export interface RunWorld {
  readonly clock: Clock;
  readonly random: Random;
  readonly files: Files;
  /** For who checks the same targets again and again. Absent: each check reads its recording. */
  readonly recordings?: RecordingShelf;
  readonly validator: SchemaValidator;
  readonly openClient: OpenClient;
  /** For probes, which are no method of a client. */
  readonly openFetch: OpenFetch;
  readonly signal: AbortSignal;
  readonly progress: RunProgress;
}

/** Told as it goes, for a person who waits. */
export interface RunProgress {
  started(target: string): void;
  secondLook(target: string): void;
  ended(target: string, state: string): void;
}

export const silentProgress: RunProgress = {
  started: () => undefined,
  secondLook: () => undefined,
  ended: () => undefined,
};
