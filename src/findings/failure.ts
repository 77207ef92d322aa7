import type { Method } from '../protocol/methods.ts';

/** Why no answer came; nothing is compared for that step. The table of the README's "what could not be judged". */
export const failureClasses = [
  'unreachable',
  'timeout',
  'tls',
  'protocol',
  'session-lost',
  'auth',
  'blocked',
  'rate-limited',
  'server-error',
  'undecodable',
  'stream-cut',
  'too-large',
  'exited',
  'refused',
  'internal',
  'canceled',
  'recording',
  'unstable',
] as const;
export type FailureClass = (typeof failureClasses)[number];

/** What is done beside the four methods and can fail. */
export const otherSteps = ['recording', 'connect', 'confirm', 'probe'] as const;

export interface Failure {
  readonly class: FailureClass;
  /** The step that failed: a method, or what was done before one was sent. */
  readonly step: Method | (typeof otherSteps)[number];
  /** Ours, redacted; server text in it is rendered. */
  readonly message: string;
}

/** Something odd but harmless about the wire: kept in the report, never an alert. */
export interface Note {
  readonly code: string;
  readonly step: Failure['step'] | 'close';
  readonly message: string;
}
