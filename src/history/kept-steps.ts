import { CanaryError } from '../errors.ts';
import type { TargetReport } from '../findings/report.ts';
import type { JsonValue } from '../json/json-value.ts';
import { parseJson } from '../json/parse-json.ts';
import { writeJson } from '../json/write-json.ts';
import type { TimedStep } from './history.ts';

/**
 * JSON on one line. Characters that a database stumbles over (NUL, lone surrogates) are escapes, and integers beyond 2^53
 * have all their digits: the platform's own writer knows none, and is several times faster where there is none.
 */
export function toText(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return writeJson(value as JsonValue, { order: 'kept', indent: 0 });
  }
}

/** What `toText` wrote. @throws CanaryError `input` where it is something else */
export function fromText<T>(text: string): T {
  const parsed = parseJson(text, { depth: 300, nodes: 5_000_000 });
  if (parsed.ok) return parsed.value as T;
  throw new CanaryError('input', `The history holds a text that ${parsed.message}.`, 'Take the store from a backup.');
}

/** A step that was answered, as it is kept. */
export type KeptStep = readonly [method: string, tool: string | null, caseName: string | null, milliseconds: number];

export const stepsOf = ({ replayed }: TargetReport): readonly KeptStep[] =>
  replayed
    .filter(({ outcome }) => outcome === 'answered')
    .map((step) => [step.method, step.tool, step.case, Math.round(step.durationMs * 100) / 100]);

export const timedStep = ([method, tool, caseName, ms]: KeptStep): TimedStep => ({
  method: method as TimedStep['method'],
  tool,
  case: caseName,
  ms,
});

export const readSteps = (text: string): readonly TimedStep[] => fromText<readonly KeptStep[]>(text).map(timedStep);
