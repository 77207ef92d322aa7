/** What kind of mistake it was; the command line maps each to an exit code (see `cli/exit-codes.ts`). */
export type ErrorCode =
  | 'usage' // the command line is wrong: 2
  | 'config' // targets.yaml is wrong, or a variable it names is missing: 2
  | 'recording' // a recording is missing, unreadable or locked: 3
  | 'recording-exists' // would be overwritten: 2
  | 'secret-found' // a secret survived redaction, so nothing was written: 3
  | 'input' // a file given as input cannot be read: 3
  | 'delivery' // an alert could not be delivered: 3
  | 'canceled' // Ctrl-C: 130
  | 'internal'; // ours to mend: 3

/**
 * The one error type of the product. `message` says what is wrong and names the file, key or target; `mend` says what
 * to do next. Neither ever holds a secret. `cause` is for developers and is not shown to users.
 */
export class CanaryError extends Error {
  readonly code: ErrorCode;
  readonly mend: string;

  constructor(code: ErrorCode, message: string, mend: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = 'CanaryError';
    this.code = code;
    this.mend = mend;
  }
}

export const isCanaryError = (value: unknown): value is CanaryError => value instanceof CanaryError;

/** What a log says of an error: of one of ours what is wrong and what to do next, of any other its message. */
export function sayFault(error: unknown): string {
  if (isCanaryError(error)) return `${error.message} ${error.mend}`;
  return error instanceof Error ? error.message : String(error);
}

/** The code of an error that the system, a driver or a library gives (`ENOENT`); null where it has none. */
export const codeOf = (error: unknown): string | null =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code !== '' ? error.code : null;
