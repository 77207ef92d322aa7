import { unmask } from './look-alikes.ts';

/**
 * Words that, as a word of a tool's name, say that the tool changes something. Such a tool is never called, whatever its
 * hints claim. Rather one too many: a tool that is refused can still be watched.
 */
export const writeWords: ReadonlySet<string> = new Set(
  `abort accept acquire activate add apply approve archive assign attach bid book buy cancel change charge checkout claim clear
  close commit configure create deactivate delete deploy destroy detach disable drop edit enable erase execute extend flush grant
  import insert install invite kill lock merge migrate modify move order patch pause pay place post provision publish purchase purge
  push put redeem refund register reject release remove rename renew replace reserve reset restart restore resubmit resume revoke
  rotate run save sell send set start stop submit subscribe suspend sync terminate transfer trigger unassign uninstall unlink
  unlock unregister unset unsubscribe update upgrade upload upsert wipe withdraw write`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

/** The words of a name: split at every character that is no letter or digit, and at the humps of camelCase. */
export const wordsOf = (name: string): string[] =>
  name
    .normalize('NFKC')
    .replace(/(\p{Ll}|\p{N})(?=\p{Lu})|(\p{Lu})(?=\p{Lu}\p{Ll})|(\p{L})(?=\p{N})|(\p{N})(?=\p{L})/gu, '$& ')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

/**
 * The first word of the name that describes a write, or null: in whatever script it is spelled, with a prefix (`reactivate`),
 * in the third person where that is no plural (`deletes_domain`), or written together with what it changes (`domainrenew`).
 */
export function describesWrite(name: string): string | null {
  for (const word of unmask(name).flatMap((shown) => [...wordsOf(shown), ...shoutedWords(shown)])) {
    const found = formsOf(word).find((form) => writeWords.has(form));
    if (found !== undefined) return found;
  }
  return null;
}

/** `DELETEdomain` is cut at its capitals, too: a hump stands for the last of them only where the rest is an abbreviation. */
const shoutedWords = (name: string): string[] =>
  [...name.matchAll(/\p{Lu}{3,}(?=\p{Ll})/gu)].map(([word]) => word.toLowerCase());

const prefixes = /^(?:re|un|de|dis|auto|bulk|mass|multi|over|pre)(?=...)/;
const things =
  'certificates?|contacts?|dns|dnssec|domains?|emails?|hosting|mailbox|nameservers?|ns|orders?|records?|ssl|zones?';
const thingBehind = new RegExp(`(?:${things})$`);
const thingInFront = new RegExp(`^(?:${things})(?=.{5})`);

/** Read as nouns where they end with s: `list_transfers` reads. */
const nouns: ReadonlySet<string> = new Set(
  `archive bid book change charge checkout claim commit drop edit extend grant import install invite lock merge move order patch
  place post provision purchase push put refund register release reserve reset restore run set start stop sync transfer trigger
  update upgrade upload write`.split(/\s+/),
);

function formsOf(word: string): readonly string[] {
  // A preset is a thing.
  const bare = word === 'preset' ? word : word.replace(prefixes, '');
  const verbs = [word.replace(/s$/, ''), word.replace(/es$/, ''), word.replace(/ies$/, 'y')];
  return [
    word,
    bare,
    ...verbs.filter((verb) => verb !== word && !nouns.has(verb)),
    word.replace(thingBehind, ''),
    word.replace(thingInFront, ''),
  ];
}
