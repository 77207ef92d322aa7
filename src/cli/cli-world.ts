import type { Clock, Random } from '../ports.ts';

/** What a command may touch of the outside. `main.ts` makes the real one. */
export interface CliWorld {
  readonly version: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly clock: Clock;
  readonly random: Random;
  /** Fires on SIGINT and SIGTERM. */
  readonly signal: AbortSignal;
  /** Standard input. */
  readonly input: AsyncIterable<Uint8Array>;
  /** The report goes here, and nothing else. */
  writeOut(text: string): void;
  /** Progress and messages. */
  writeErr(text: string): void;
  /** Where the worker of the schemas lies. Absent: beside the bundle. */
  readonly schemaWorker?: URL;
  /** Likewise the thread that checks. */
  readonly checkThread?: URL;
  /** From now on less memory is worth more than less work: a command that runs for days is about to begin. */
  readonly spareMemory?: () => void;
  readonly outIsTerminal: boolean;
  readonly errIsTerminal: boolean;
}

/** Options that every command with a run has. */
export interface CommonOptions {
  readonly config: string;
  readonly reporter: readonly string[];
  readonly failOn?: string;
  readonly concurrency?: string;
  readonly confirm: boolean;
  readonly quiet: boolean;
  readonly color?: boolean;
  readonly allowSharedSecrets: boolean;
}
