import type { Consumer, FailOn, TransportName } from '../findings/report.ts';
import type { TargetLimits } from '../limits.ts';
import type { Era, Revision } from '../protocol/revisions.ts';
import type { ConsumerUse } from '../recording/consumer-use.ts';
import type { Secret } from '../text/secret.ts';
import type { AlertSettings } from './alert-settings.ts';
import type { HistorySettings, ScheduleSettings, Timetable } from './schedule-settings.ts';

/** targets.yaml, resolved: defaults filled in, secrets looked up. */
export interface Config {
  readonly formatVersion: 1;
  /** As it was given; recordings lie in the same folder. */
  readonly file: string;
  readonly failOn: FailOn;
  readonly consumer: Consumer;
  /** Every target of the file, selected or not, in the order of the file. */
  readonly configured: readonly string[];
  /** The selected ones, in the order of the file. */
  readonly targets: ReadonlyMap<string, TargetConfig>;
  readonly client: ClientIdentity;
  readonly alerts: AlertSettings;
  readonly schedule: ScheduleSettings;
  /** null: past runs are not kept. */
  readonly history: HistorySettings | null;
  /** Every secret that the file names and the environment has, of all targets: what no output may hold. */
  readonly secrets: readonly Secret[];
}

/** How we introduce ourselves: as the consumer does, so that no server treats the canary better than its client. */
export interface ClientIdentity {
  readonly name: string;
  readonly version: string;
  readonly userAgent: string;
}

export interface TargetConfig {
  readonly id: string;
  readonly registrar: string | null;
  readonly transport: TransportName;
  readonly endpoint: Endpoint;
  readonly era: Era;
  /** What we offer (handshake), or speak (stateless). */
  readonly revision: Revision;
  readonly use: ConsumerUse;
  readonly identity: ClientIdentity;
  readonly limits: TargetLimits;
  readonly confirm: { readonly looks: 1 | 2; readonly delayMs: number };
  readonly probes: boolean;
  /** null: no schedule checks it. */
  readonly schedule: Timetable | null;
  /** null: anonymous. */
  readonly credentials: Credentials | null;
  /** What must be redacted from everything this target brings: every secret that is known, whichever server it was sent to. */
  readonly secrets: readonly Secret[];
}

/** Where a target is reached. `http` for streamable-http and sse. */
export type Endpoint = HttpEndpoint | StdioEndpoint;

export interface HttpEndpoint {
  readonly kind: 'http';
  /** Byte for byte as configured. */
  readonly url: string;
  /** Path of a file with the certificate authorities (PEM) to trust; resolved beside targets.yaml. */
  readonly caFile: string | null;
  readonly proxy: ProxySettings | null;
}

/** What the environment says about proxies; null where a variable is not set. */
export interface ProxySettings {
  readonly https: string | null;
  readonly http: string | null;
  readonly noProxy: string | null;
}

export interface StdioEndpoint {
  readonly kind: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment of the child. */
  readonly environment: ReadonlyMap<string, string>;
}

export interface Credentials {
  readonly bearer: Secret | null;
  /** By header name, as written. */
  readonly headers: ReadonlyMap<string, Secret>;
}
