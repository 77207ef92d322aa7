import type { Environment } from '../../../src/config/secret-variables.ts';

/** One wrong configuration, and the one line that says so. */
export interface FaultCase {
  readonly what: string;
  readonly text: string;
  readonly env?: Environment;
  /** `line:column path` */
  readonly place: string;
  readonly says: string;
  readonly mend: string;
  /** What must not be in the message. */
  readonly hides?: string;
}
