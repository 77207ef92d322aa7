import type { TransportName } from '../findings/report.ts';
import type { Era, Revision } from '../protocol/revisions.ts';
import type { ProbeAnswer } from '../recording/probes.ts';
import type { RuleId } from '../rules/catalogue.ts';

/** How much a revision of the specification asks of the server; null: it says nothing. */
export type Level = 'MUST' | 'SHOULD' | 'MAY';

export const grades = ['conforms', 'departs-must', 'departs-should', 'not-defined', 'could-not-look'] as const;
export type Grade = (typeof grades)[number];

/** A revision that never was: no server can support it. */
export const unknownRevision = '1900-01-01';
/** The host is reserved (RFC 6761), so no server can mean to serve pages of it. */
export const foreignOrigin = 'https://invalid.example';
export const bogusCursor = 'mcp-canary-no-such-cursor';

/** What a probe sends, as data. Everything it does not say is as a conforming client sends it. */
export interface Sending {
  readonly verb: 'GET' | 'POST' | 'DELETE' | 'OPTIONS';
  /** The message of a POST. Never a call. */
  readonly method?: 'initialize' | 'tools/list';
  /** `cut`: its text without the end. `foreign`: JSON that is no JSON-RPC. `batch`: an array of two. Absent: as it is. */
  readonly form?: 'cut' | 'foreign' | 'batch';
  readonly params?: Readonly<Record<string, string>>;
  /** Headers that are set instead; null: left out. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** Absent: the live session's id, if there is one. */
  readonly session?: 'none' | 'unknown' | 'ended';
  /** Said in place of the right one, wherever it is said. */
  readonly revision?: string;
  /** Stateless era: `_meta` is left out. */
  readonly withoutMeta?: true;
  /** The head of the answer is enough: a stream would not end. */
  readonly headOnly?: true;
}

/** What is known of the server beside the one answer. */
export interface Circumstances {
  readonly era: Era;
  readonly revision: Revision;
  readonly transport: TransportName;
  readonly isLoopback: boolean;
  /** It issued a legal session id. */
  readonly hasSession: boolean;
  /** Its list has more than one page; null: no list came. */
  readonly paginates: boolean | null;
  /** It says that there is no `initialize`; null: nobody asked, or no answer says so. */
  readonly isStatelessOnly: boolean | null;
}

/**
 * One reading of an answer. `departs` is weighed by the level of the revision, `departs-mildly` never more than a SHOULD,
 * `open` is for the server to decide. The first one that holds counts; where none does, the answer departs.
 */
export interface Verdict {
  readonly when: (answer: ProbeAnswer, circumstances: Circumstances) => boolean;
  readonly then: 'conforms' | 'departs' | 'departs-mildly' | 'open';
  /** Said beside the grade. */
  readonly because?: string;
}

export interface Probe {
  readonly id: string;
  /** What is asked, for a row of the table. */
  readonly asks: string;
  readonly transport: Exclude<TransportName, 'stdio'>;
  /** Absent: both. */
  readonly era?: Era;
  /** By revision, oldest first (`protocol/revisions.ts`). */
  readonly levels: Levels;
  /** null: nothing is sent, the answers to other requests show it. */
  readonly sends: Sending | null;
  readonly verdicts: readonly Verdict[];
  /** The rule by which `check` judges the same thing. */
  readonly rule?: RuleId;
}

type L = Level | null;
export type Levels = readonly [L, L, L, L, L];

/** What came of one probe. */
export type SeenProbe =
  | { readonly kind: 'answered'; readonly answer: ProbeAnswer }
  /** It has no meaning for this server. */
  | { readonly kind: 'not-sent'; readonly why: string }
  | { readonly kind: 'failed'; readonly why: string };
