import type { limits, TargetLimits } from '../../../src/limits.ts';

/** Every ceiling there is. */
export type Ceiling = keyof TargetLimits | keyof typeof limits;

/** What a server, a child or a file does, by its name; resolves where the ceiling held. */
export type Deeds = Readonly<Record<string, () => Promise<void>>>;
export type CeilingCases = Readonly<Partial<Record<Ceiling, Deeds>>>;

/** A case that stands among the tests of another room: the file, and words of it. */
export interface HeldElsewhere {
  readonly file: string;
  readonly words: string;
}
