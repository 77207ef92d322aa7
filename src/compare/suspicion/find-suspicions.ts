import { hostOf } from '../url-host.ts';
import { hiddenCharacters, unveil } from './hidden-characters.ts';
import {
  blobPatterns,
  formattingTags,
  type SuspicionKind,
  tagPair,
  tagPatterns,
  urlPattern,
  wordingPatterns,
} from './patterns.ts';

/** One odd thing in a text. `token` is what it is, folded: the same token was there before where it is no news. */
export interface Suspicion {
  readonly kind: SuspicionKind;
  readonly token: string;
}

export interface SuspicionContext {
  /** The tool a word names, by the name that stands for it in the recording; null for what names none. */
  readonly toolNamed: (word: string) => string | null;
  /** Words for a reader. Else names and patterns, in which a blob, a host or a tool's name is nothing odd. */
  readonly isWords: boolean;
}

/** Everything odd in one text that a model reads. Not a verdict: what was there when it was recorded is no news. */
export function findSuspicions(text: string, context: SuspicionContext): readonly Suspicion[] {
  const found: Suspicion[] = hiddenCharacters(text).map((token) => ({ kind: 'hidden-character', token }));
  const read = unveil(text);
  const lower = read.toLowerCase();
  for (const { kind, pattern } of [...wordingPatterns, ...tagPatterns]) {
    for (const match of lower.matchAll(pattern)) found.push({ kind, token: foldToken(match[0]) });
  }
  for (const match of read.matchAll(tagPair)) {
    if (!formattingTags.has((match[1] ?? '').toLowerCase()))
      found.push({ kind: 'pseudo-tag', token: `<${(match[1] ?? '').toLowerCase()}>` });
  }
  if (!context.isWords) return found;
  return [...found, ...findBlobs(read), ...findHosts(read), ...findToolNames(read, context.toolNamed)];
}

const foldToken = (text: string): string => text.toLowerCase().replace(/\s+/g, ' ').trim();

function findBlobs(text: string): readonly Suspicion[] {
  const withoutUrls = hasUrl(text) ? text.replace(urlPattern, ' ') : text;
  return blobPatterns
    .flatMap((pattern) => [...withoutUrls.matchAll(pattern)].map(([run]) => run))
    .filter(isOpaque)
    .map((token) => ({ kind: 'blob', token }));
}

/** A long path or a list of words joined by dashes can be read; what mixes cases and digits without them cannot. */
function isOpaque(run: string): boolean {
  if (/^[0-9a-f]+$/i.test(run)) return run.length > 64; // a digest of 64 digits is a common sight
  if (/^[\\%]/.test(run)) return true;
  const joints = run.match(/[/_-]/g)?.length ?? 0;
  return /[a-z]/.test(run) && /[A-Z]/.test(run) && /\d/.test(run) && joints * 12 < run.length;
}

/**
 * The hosts that writers of documentation take for one (RFC 2606, section 3), the machine itself, and where schemas are
 * named. Nobody writes the reserved top-level names of section 2 into a description, so a host below one is news.
 */
const documentHost =
  /^(?:(?:.+\.)?example\.(?:com|net|org)|(?:.+\.)?localhost|127\.\d+\.\d+\.\d+|\[::1\]|json-schema\.org)(?::\d+)?$/;

const hasUrl = (text: string): boolean => text.includes('://');

function findHosts(text: string): readonly Suspicion[] {
  if (!hasUrl(text)) return [];
  return [...text.matchAll(urlPattern)].flatMap(([url]): readonly Suspicion[] => {
    const host = hostOf(url);
    return host === null || documentHost.test(host) ? [] : [{ kind: 'new-host', token: host }];
  });
}

/** A word as a tool's name may be written. */
const nameLike = /[\p{L}\p{N}][\p{L}\p{N}_./:-]{0,127}/gu;

/** A name that no text has by chance: parts joined by a mark, a hump, or a digit. */
const isUnmistakable = (name: string): boolean => /[_./:-]|\p{Ll}\p{Lu}|\p{L}\p{N}/u.test(name);

function findToolNames(text: string, toolNamed: SuspicionContext['toolNamed']): readonly Suspicion[] {
  const found: Suspicion[] = [];
  for (const match of text.matchAll(nameLike)) {
    const written = match[0];
    for (const name of new Set([written, written.replace(/[./:-]+$/, '')])) {
      const tool = name === text ? null : toolNamed(name);
      if (tool !== null && (isUnmistakable(name) || isMarked(text, match.index, name))) {
        found.push({ kind: 'tool-name', token: tool });
      }
    }
  }
  return found;
}

/** Whether what stands around an everyday word makes a name of it: quotes, "call", "use", or "tool". */
const isMarked = (text: string, at: number, name: string): boolean =>
  /[`'"‘“]$|\b(?:call|calls|calling|use|using|run|invoke) $/i.test(text.slice(Math.max(0, at - 12), at)) ||
  /^(?:[`'"’”]| tool\b)/i.test(text.slice(at + name.length, at + name.length + 8));
