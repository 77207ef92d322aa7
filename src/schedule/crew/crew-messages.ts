import type { TargetConfig } from '../../config/config.ts';
import type { CheckedTarget, CheckOptions } from '../../run/check-target.ts';
import { Secret } from '../../text/secret.ts';

/**
 * What a thread is told. Checks that are broken off together have the same `group`. The secrets that are known, of which
 * there may be thousands, go before the first check, and again when they are others.
 */
export type ToThread =
  | { readonly kind: 'secrets'; readonly secrets: readonly PlainSecret[] }
  | {
      readonly kind: 'check';
      readonly id: number;
      readonly group: number;
      readonly target: PlainTarget;
      readonly options: CheckOptions;
      /** The files of the recording, by path; null: the thread is to read them, and to say why it cannot. */
      readonly texts: ReadonlyMap<string, string> | null;
    }
  | { readonly kind: 'break-off'; readonly group: number }
  | { readonly kind: 'end' };

/** What a thread answers; `fault`: it came to nothing, through no fault of the server. */
export type FromThread =
  | { readonly id: number; readonly found: Looked }
  | { readonly id: number; readonly fault: string };

/** What a check found, without what only accepting needs. */
export type Looked = Pick<CheckedTarget, 'report' | 'canary'>;

export interface PlainSecret {
  readonly value: string;
  readonly source: string;
}

/** A target as it crosses to a thread: a secret does not let itself be copied, so it is taken apart and made again. */
export interface PlainTarget extends Omit<TargetConfig, 'credentials' | 'secrets'> {
  readonly credentials: {
    readonly bearer: PlainSecret | null;
    readonly headers: readonly (readonly [string, PlainSecret])[];
  } | null;
}

export const takeApart = (secret: Secret): PlainSecret => ({ value: secret.reveal(), source: secret.source });
export const makeAgain = ({ value, source }: PlainSecret): Secret => new Secret(value, source);

export const toPlain = ({ secrets: _, ...target }: TargetConfig): PlainTarget => ({
  ...target,
  credentials:
    target.credentials === null
      ? null
      : {
          bearer: target.credentials.bearer === null ? null : takeApart(target.credentials.bearer),
          headers: [...target.credentials.headers].map(([name, secret]) => [name, takeApart(secret)] as const),
        },
});

export const fromPlain = (target: PlainTarget, secrets: readonly Secret[]): TargetConfig => ({
  ...target,
  credentials:
    target.credentials === null
      ? null
      : {
          bearer: target.credentials.bearer === null ? null : makeAgain(target.credentials.bearer),
          headers: new Map(target.credentials.headers.map(([name, secret]) => [name, makeAgain(secret)])),
        },
  secrets,
});
