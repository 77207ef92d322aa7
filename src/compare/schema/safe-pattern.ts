/** Units of a pattern and of a text that are tried in this process. */
const mostUnits = 200;

/** Patterns that every text matches. */
const matchesAll: ReadonlySet<string> = new Set(['', '.*', '^', '$', '^[\\s\\S]*$', '[\\s\\S]*']);

export const isTrivialPattern = (pattern: string): boolean => matchesAll.has(pattern);

/**
 * Whether a text matches a pattern, or null where that is not decided here: a pattern comes from the server and may take
 * ages. Without groups and with at most one repetition a match costs no more than the square of its length.
 */
export function matchesSafely(pattern: string, text: string): boolean | null {
  if (isTrivialPattern(pattern)) return true;
  if (pattern.length > mostUnits || text.length > mostUnits || !isCheap(pattern)) return null;
  const compiled = compilePattern(pattern);
  return compiled === null ? null : compiled.test(text);
}

function isCheap(pattern: string): boolean {
  const bare = pattern.replace(/\\./gu, 'x').replace(/\[[^\]]*\]/gu, 'x');
  return !/[()|{\\]/.test(bare) && (bare.match(/[*+?]/g) ?? []).length <= 1;
}

/** The pattern as validators read it (ECMA-262, Unicode), else without Unicode; null where it is none at all. */
export function compilePattern(pattern: string): RegExp | null {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(pattern, flags);
    } catch {
      // Next way of reading it: many published patterns escape more than Unicode mode allows.
    }
  }
  return null;
}

/** A name that matches a pattern which begins with plain letters (`^x-` gives `x-a`), or null. */
export function nameMatching(pattern: string): string | null {
  const plain = /^\^?([\w-]{0,40})/.exec(pattern)?.[1] ?? '';
  return [`${plain}a`, plain, `${plain}1`, 'a'].find((name) => matchesSafely(pattern, name) === true) ?? null;
}
