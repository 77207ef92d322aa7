/**
 * Words that, as a word of a tool's name, say that the tool changes something. Such a tool is never called, whatever its
 * hints claim. Rather one too many: a tool that is refused can still be watched.
 */
export const writeWords: ReadonlySet<string> = new Set(
  `accept acquire activate add apply approve archive assign attach bid book buy cancel change charge checkout claim clear
  close commit configure create deactivate delete deploy destroy detach disable drop edit enable erase execute flush grant
  import insert install invite kill lock merge migrate modify move order patch pay place post provision publish purchase purge
  push put redeem refund register reject release remove rename renew replace reserve reset restart restore resubmit revoke
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

/** The first word of the name that describes a write, or null. */
export const describesWrite = (name: string): string | null =>
  wordsOf(name).find((word) => writeWords.has(word)) ?? null;
