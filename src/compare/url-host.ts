import type { JsonValue } from '../json/json-value.ts';

/** The host (with a port that is not the scheme's own) of a URL, lower case; null for what is none or has none. */
export function hostOf(url: JsonValue | undefined): string | null {
  if (typeof url !== 'string' || url.length > 4096) return null;
  try {
    return new URL(url).host || null;
  } catch {
    return null; // not a URL
  }
}
