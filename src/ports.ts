/** The world, handed in. Every module that needs it takes the few functions it needs; tests pass fakes. */

/** The part of a response that the client reads. The platform's `Response` satisfies it. */
export interface FetchResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null; forEach(visit: (value: string, name: string) => void): void };
  readonly body: AsyncIterable<Uint8Array> | null;
  /** The body is as it travelled: its content-codings are the reader's to undo. The platform's fetch has undone them. */
  readonly isRaw?: boolean;
  /** Whether more came than the length of the body said; asked once the body has ended. Never rejects. */
  readonly isMisframed?: () => Promise<boolean>;
}

/** As much of the platform's AbortSignal as is used where one is made for each request. */
export interface EndSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: () => void, options?: { readonly once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

export interface FetchRequest {
  readonly method: 'GET' | 'POST' | 'DELETE' | 'OPTIONS';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Always 'manual': redirects are never followed. */
  readonly redirect: 'manual';
  readonly signal: EndSignal;
  /** Not over a connection that was used before: it may be the dead one. */
  readonly needsNewConnection?: boolean;
}

/** One HTTP exchange; resolves when the head of the answer is there. */
export type FetchLike = (url: string, request: FetchRequest) => Promise<FetchResponse>;

export interface Clock {
  /** Milliseconds since 1970, for what is shown to people. */
  now(): number;
  /** Milliseconds from some start, for durations. */
  monotonic(): number;
  /** Resolves after `ms`, or rejects with the signal's reason. */
  sleep(ms: number, signal?: EndSignal): Promise<void>;
  /** Calls `act` once after `ms`, unless the function that it returns is called before: much cheaper than a signal. */
  after(ms: number, act: () => void): () => void;
}

export interface Random {
  uuid(): string;
  /** 0 <= x < 1 */
  fraction(): number;
}

/** Progress and messages for a person; never the report. */
export interface Log {
  info(message: string, facts?: LogFacts): void;
  warn(message: string, facts?: LogFacts): void;
}

/** What a machine that reads the log wants to know beside the message: names and figures, no text of a server. */
export type LogFacts = Readonly<Record<string, string | number | boolean | null>>;

export interface FolderEntry {
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'other';
}

/** Who holds a lock: `run` tells two processes apart that had the same number, one after the other. */
export interface LockOwner {
  readonly host: string;
  readonly pid: number;
  readonly run: string;
}

/**
 * The file system, as far as recordings need it. Rejections are the platform's errors, with their `code`; what an
 * absent file means is said for each.
 */
export interface Files {
  /** null where there is no such file. Rejects with code `EFBIG` above `ceiling` bytes. */
  read(path: string, ceiling: number): Promise<Uint8Array | null>;
  /** Whether there is a file or a folder of that name. */
  exists(path: string): Promise<boolean>;
  /** Sorted by name; null where there is no such folder. */
  list(path: string): Promise<readonly FolderEntry[] | null>;
  /** Parents, too; one that is there already is fine. */
  makeFolder(path: string): Promise<void>;
  /** Creates or replaces; resolves when the bytes are on the disk (fsync). */
  write(path: string, bytes: Uint8Array): Promise<void>;
  /** Creates whole or not at all: nobody ever reads half of it. false where something has that name already. */
  create(path: string, bytes: Uint8Array): Promise<boolean>;
  /** Puts the names in a folder on the disk, as fsync does for bytes. */
  syncFolder(path: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** A file, or a folder with all that is in it; an absent one is fine. Links are removed, not followed. */
  remove(path: string): Promise<void>;
  /** This process, as a lock names it. */
  readonly owner: LockOwner;
  /** Whether a process of this host is running. */
  isAlive(pid: number): boolean;
}

/** What is started, and all that it is given: it inherits nothing of ours, no variable and no open file. */
export interface ChildCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** Its whole environment. */
  readonly environment: ReadonlyMap<string, string>;
}

/** How a child came to its end. */
export interface ChildEnd {
  /** null where a signal ended it, or where it never started. */
  readonly code: number | null;
  readonly signal: string | null;
  /** The platform's code where it could not be started. */
  readonly startError: string | null;
}

/** A child with the group of all processes that it starts in turn. */
export interface Child {
  /** Ends when no process holds the other end any more. Neither rejects. */
  readonly stdout: AsyncIterable<Uint8Array>;
  readonly stderr: AsyncIterable<Uint8Array>;
  /** When the child itself has ended; its group may live on. Never rejects. */
  readonly ended: Promise<ChildEnd>;
  /** Queues the text for its stdin; neither waits nor throws, be the child deaf or gone. */
  write(text: string): void;
  /** Closes its stdin; what is still queued for a child that does not read is given up. */
  closeInput(): void;
  isGroupAlive(): boolean;
  signalGroup(signal: 'SIGTERM' | 'SIGKILL'): void;
  /** Lets go of pipes and handles; whatever of the group is left is left for good. */
  release(): void;
}

/** Starts children, and kills the group of every child that was not released should this process end before it could. */
export interface Processes {
  start(command: ChildCommand): Child;
}
