import type { Consumer, FailOn, TransportName } from '../findings/report.ts';
import type { Waiver } from '../findings/waivers.ts';
import type { JsonObject } from '../json/json-value.ts';
import type { RuleId } from '../rules/catalogue.ts';
import type { Severity } from '../rules/rule.ts';
import type { Pins } from './pin.ts';

/** One call the consumer makes. */
export interface CallCase {
  readonly arguments: JsonObject;
  readonly pins: Pins;
  /** false: sent in the first look only. */
  readonly repeat: boolean;
  /** An error is the recorded contract. */
  readonly mustFail: boolean;
}

export interface ToolUse {
  /** By case name; empty: watched, never called. */
  readonly calls: Readonly<Record<string, CallCase>>;
}

/** What the consumer uses of a target, and how it wants differences weighed. Its part of targets.yaml, resolved. */
export interface ConsumerUse {
  readonly target: string;
  readonly transport: TransportName;
  readonly consumer: Consumer;
  readonly failOn: FailOn;
  /** null: every tool is watched, none is called. */
  readonly tools: ReadonlyMap<string, ToolUse> | null;
  /** Revisions the consumer's client can speak; null: all that are known. */
  readonly supports: readonly string[] | null;
  readonly severity: ReadonlyMap<RuleId, Severity>;
  readonly waivers: readonly Waiver[];
  /** A result that matches one is a failure of class server-error, not drift. */
  readonly failurePatterns: readonly string[];
  /** `digest`: the server's wording is not ours to publish, so no recording holds it. Absent: `words`. */
  readonly texts?: 'words' | 'digest';
}

export const isWatched = (use: ConsumerUse, tool: string): boolean => use.tools === null || use.tools.has(tool);

export const casesOf = (use: ConsumerUse, tool: string): ReadonlyMap<string, CallCase> =>
  new Map(Object.entries(use.tools?.get(tool)?.calls ?? {}));
