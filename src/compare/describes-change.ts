import type { JsonValue } from '../json/json-value.ts';
import { wordsOf, writeWords } from '../protocol/write-words.ts';

/** Words that mean a change wherever they stand in a name; the others of `writeWords` are nouns as often as verbs. */
const plainChanges = new Set(
  'buy create delete disable enable modify purchase register remove rename renew revoke set transfer unregister update wipe write'.split(
    ' ',
  ),
);

/** Words that make a question of what follows: `get_update_status` reads. */
const questions = new Set(
  'can check count describe download estimate explain fetch find get has inspect is list lookup preview query read search show suggest validate verify view whois'.split(
    ' ',
  ),
);

/**
 * Whether a tool's name, or the first word of its description, says that it changes something. A lint about words: it
 * speaks only of what stands first, since every description of a registrar mentions registering somewhere.
 */
export const describesChange = (name: string, description: JsonValue | undefined): boolean =>
  nameDescribesChange(wordsOf(name)) || (typeof description === 'string' && isChange(firstWord(description)));

function nameDescribesChange(words: readonly string[]): boolean {
  const at = words.findIndex((word) => questions.has(word));
  const first = words.findIndex((word, index) => (index === 0 ? writeWords.has(word) : plainChanges.has(word)));
  return first >= 0 && (at < 0 || first < at);
}

const firstWord = (text: string): string =>
  /^[\s"'`*_#[(]*(\p{L}+)/u.exec(text.slice(0, 200))?.[1]?.toLowerCase() ?? '';

/** The verb as it is, with -s or -es: "Renews a domain", "Purchases", "Transfer". */
const isChange = (word: string): boolean =>
  [word, word.replace(/s$/, ''), word.replace(/es$/, ''), word.replace(/ies$/, 'y')].some((form) =>
    plainChanges.has(form),
  );
