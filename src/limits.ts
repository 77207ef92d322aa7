/** Every ceiling of the product, in one table. A target may lower those of `TargetLimits`, never raise them. */
export interface TargetLimits {
  /** Milliseconds until a connection stands. */
  readonly connectMs: number;
  /** Milliseconds until the first byte of an answer. */
  readonly firstByteMs: number;
  /** Milliseconds for one whole request; heartbeats do not extend it. */
  readonly requestMs: number;
  /** Milliseconds for one look at a target. */
  readonly targetMs: number;
  /** Bytes of one decoded body, counted while it streams. */
  readonly bodyBytes: number;
  /** JSON values in one body: 8 MiB of empty objects take 31 times their bytes as JavaScript objects. */
  readonly nodes: number;
  /** Nesting of one JSON body. */
  readonly depth: number;
  /** Pages of one tools/list. */
  readonly pages: number;
  /** Tools of one tools/list. */
  readonly tools: number;
  /** Messages of one event stream. */
  readonly messages: number;
  /** Requests a second to one origin. */
  readonly requestsPerSecond: number;
}

export const targetLimits: TargetLimits = {
  connectMs: 10_000,
  firstByteMs: 30_000,
  requestMs: 60_000,
  targetMs: 180_000,
  bodyBytes: 8 * 1024 * 1024,
  nodes: 500_000,
  depth: 200,
  pages: 100,
  tools: 10_000,
  messages: 10_000,
  requestsPerSecond: 20,
};

/** Ceilings that no configuration moves. */
export const limits = {
  /** A Retry-After beyond this is not waited for (milliseconds); absent or unreadable, `retryAfterDefaultMs`. */
  retryAfterMs: 30_000,
  retryAfterDefaultMs: 1_000,
  /** How long a DELETE of a session may take (milliseconds). */
  sessionEndMs: 2_000,
  /** Bytes and milliseconds for a body that is not our answer (an error page, the reply to a notification). */
  sideBodyBytes: 64 * 1024,
  sideBodyMs: 1_000,
  /** Milliseconds of silence after which a complete answer is taken though its message or its stream has not ended. */
  silenceMs: 300,
  /** Milliseconds that a stream may still take to end after our answer, so that its connection can be used again. */
  lastBytesMs: 50,
  /** Longest wait that a stream's `retry` field may ask for before it is resumed (milliseconds). */
  resumeWaitMs: 5_000,
  /** Requests of a server on one stream that are answered. */
  serverRequests: 100,
  /** How many bodies' bytes and values all pages of one tools/list may have together. */
  listBodies: 4,
  /** Content-codings one inside another. */
  contentCodings: 3,
  /** Sessions started anew after one was lost. */
  sessionRestarts: 2,
  /** Digits of a JSON number. */
  numberDigits: 1_000,
  /** Shortest secret that is accepted; a shorter one would be "found" everywhere. */
  secretCharacters: 8,
  /** Lines and bytes of a stdio child's stdout that are no JSON-RPC. */
  junkLines: 1_000,
  junkBytes: 1024 * 1024,
  /** Bytes kept of a stdio child's stderr. */
  stderrBytes: 64 * 1024,
  /** Milliseconds between closing a child's stdin, SIGTERM and SIGKILL. */
  childGraceMs: 2_000,
  /** Milliseconds between a child's own end and the end of its output, whichever comes first. */
  childEndMs: 500,
  /** Milliseconds of silence after which an answer that stands among junk is taken for all that comes. */
  framingMs: 1_000,
  /** Milliseconds one probe may take, and how many begin within a second: they are for production systems, too. */
  probeMs: 10_000,
  probesPerSecond: 5,
  /** Units kept of a text from outside that is only quoted, until its secrets are taken out: what is cut before is half a secret. */
  rawTextUnits: 16 * 1024,
  /** Bytes of all headers of one answer. */
  headerBytes: 64 * 1024,
  /** Bytes of a report that `alert` reads. */
  reportBytes: 64 * 1024 * 1024,
  /** Bytes of one request that a stand-in reads. */
  standInRequestBytes: 1024 * 1024,
  /** Messages of one batch that a stand-in answers. */
  standInBatchMessages: 100,
  /** Recordings that a process keeps in mind. */
  shelvedRecordings: 64,
  /** Bytes of one file of a recording. */
  recordingBytes: 32 * 1024 * 1024,
  /** Nodes, depth, branches and pairs of nodes one schema comparison may visit. */
  schemaNodes: 20_000,
  schemaDepth: 100,
  schemaBranches: 64,
  schemaPairs: 50_000,
  /** The same for all schemas of one look, how many of them values are made up for, and how often the worker may be late. */
  schemaPairsInAll: 400_000,
  schemaProofsInAll: 1_000,
  validationTimeoutsInAll: 6,
  /** Changes one schema comparison tells; of more the gravest. */
  schemaChanges: 500,
  /** Units of one result as JSON; beyond them it costs a reader more context than most can spare. */
  resultUnits: 100_000,
  /** Milliseconds one validation in the worker may take. */
  validationMs: 2_000,
  /** Units (UTF-16) of an issue body or comment; GitHub refuses 65,536. */
  issueBodyUnits: 60_000,
  /** Units of the state in an issue's marker. */
  issueStateUnits: 8 * 1024,
  /** Milliseconds one request of an alert may take, and for which a rate limit is waited out in all. */
  alertRequestMs: 30_000,
  alertWaitMs: 10 * 60_000,
  /** Bytes of the candidate recording that a pull request carries. */
  candidateBytes: 16 * 1024 * 1024,
  /** Units of one rendered line of untrusted text. */
  renderedLineUnits: 500,
} as const;
