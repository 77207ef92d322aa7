import type { JsonObject } from '../json/json-value.ts';
import { byCodeUnit } from '../text/by-code-unit.ts';

/** What a body turned out to be. `unread`: a stream whose head was enough. `json`: no JSON-RPC response. */
export const probeBodies = ['unread', 'empty', 'result', 'error', 'batch', 'json', 'html', 'text'] as const;
export type ProbeBody = (typeof probeBodies)[number];

/**
 * How a server answered one probe, in words of ours and numbers only: nothing a server wrote is in it, so nothing of it
 * needs redaction or rendering.
 */
export interface ProbeAnswer {
  /** null where nothing was sent: what was seen in earlier answers. */
  readonly status: number | null;
  readonly body: ProbeBody | null;
  /** Of a JSON-RPC error. */
  readonly code: number | bigint | null;
  /** Further words, each of a closed set (`probe/probe.ts`), sorted. */
  readonly facts: readonly string[];
}

/** The accepted answers of one target to the probes. */
export interface ProbeRecord {
  /** Spoken when they were taken: in another one other rules hold. */
  readonly revision: string;
  /** By the id of the probe. */
  readonly answers: ReadonlyMap<string, ProbeAnswer>;
}

export const isSameAnswer = (a: ProbeAnswer, b: ProbeAnswer): boolean =>
  a.status === b.status &&
  a.body === b.body &&
  a.code === b.code &&
  [...a.facts].sort(byCodeUnit).join() === [...b.facts].sort(byCodeUnit).join();

export const answerToJson = ({ status, body, code, facts }: ProbeAnswer): JsonObject => ({
  status,
  body,
  code,
  facts: [...facts].sort(byCodeUnit),
});

/** The content of `probes.json`. */
export const probesToJson = ({ revision, answers }: ProbeRecord): JsonObject => ({
  revision,
  answers: Object.fromEntries([...answers].map(([id, answer]) => [id, answerToJson(answer)])),
});
