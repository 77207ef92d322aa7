/** What each command takes beside the options that all of them have, as commander hands it over. */

export interface InitOptions {
  readonly call: readonly string[];
  readonly target?: string;
  readonly revision?: string;
  readonly github: boolean;
}

export interface CheckOptions {
  readonly candidate?: string;
  readonly alert: boolean;
  readonly keep: boolean;
}

export interface AcceptOptions {
  readonly finding: readonly string[];
  readonly all: boolean;
  readonly candidate?: string;
  readonly reason: string;
}

export interface RecordOptions {
  readonly update: boolean;
  readonly force: boolean;
}

export interface AlertOptions {
  readonly report: string;
  readonly candidate?: string;
  readonly sink: 'github' | 'json' | 'webhook';
  readonly dryRun: boolean;
}

export interface StandInOptions {
  readonly port?: number;
  readonly transport?: 'http' | 'sse';
  readonly bearerEnv?: string;
  readonly instructions?: string;
  readonly allowHost: readonly string[];
}

export interface RehearseOptions {
  readonly rule?: string;
  readonly all: boolean;
}

export interface ProbeOptions {
  readonly record: boolean;
  readonly force: boolean;
}

export interface ScheduleOptions {
  readonly reports?: string;
  readonly once: boolean;
  readonly worker: boolean;
  readonly alert: boolean;
  readonly sink: 'github' | 'webhook';
  readonly page?: number;
  readonly pageHost?: string;
  readonly allowHost: readonly string[];
}
