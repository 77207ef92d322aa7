import type { TargetLimits } from '../limits.ts';
import type { ChildCommand } from '../ports.ts';
import type { Era } from '../protocol/revisions.ts';
import type { Secret } from '../text/secret.ts';

/** What every transport's client needs to know of its target. */
export interface ClientSettings {
  readonly era: Era;
  /** Offered in the handshake, or spoken without one. */
  readonly revision: string;
  /** How we introduce ourselves. */
  readonly identity: { readonly name: string; readonly version: string; readonly userAgent: string };
  /** Tools that have `calls` in the configuration: nothing else is ever called. */
  readonly callable: ReadonlySet<string>;
  readonly limits: TargetLimits;
  /** Ctrl-C: ends what is under way with failure `canceled`. */
  readonly signal?: AbortSignal;
  /** When the look must be over, by the monotonic clock. Absent: `limits.targetMs` after the client was made. */
  readonly deadline?: number;
}

export interface HttpSettings extends ClientSettings {
  /** Byte for byte as configured. */
  readonly url: string;
  /** null: anonymous. */
  readonly credentials: HttpCredentials | null;
}

export interface HttpCredentials {
  readonly bearer: Secret | null;
  /** By header name. */
  readonly headers: ReadonlyMap<string, Secret>;
}

export interface StdioSettings extends ClientSettings, ChildCommand {
  /** Takes secrets out of what the child wrote, before it is cut and quoted. */
  readonly redact: (text: string) => string;
}
