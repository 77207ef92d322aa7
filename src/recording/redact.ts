import { isJsonArray, isJsonObject, type JsonValue } from '../json/json-value.ts';
import { numberText } from '../json/write-json.ts';
import { limits } from '../limits.ts';
import type { Secret } from '../text/secret.ts';
import { type DecodedView, decodedViews, mayHoldEscapes, squeeze } from './decoded-view.ts';
import { renameMembers } from './rename-members.ts';
import { patternsOf, type SecretPattern } from './secret-patterns.ts';
import { type FoundSecret, findSecretIn, type Needles, needlesOf } from './secret-search.ts';
import { createTextFinder } from './text-finder.ts';
import { numbered, redactClasses, redactionMark, redactTokens } from './token-classes.ts';

/** Takes secrets out of what is kept or shown, and says whether one is left. */
export interface Redactor {
  /** Every known secret in every wrapping becomes the mark; the rest of the text stays. */
  redactText(text: string): string;
  /** The same for all strings, keys and numbers of a value. */
  redactJson<T extends JsonValue>(value: T): T;
  /** `redactJson`, and what is a credential by its look or by the name of its member: for results and their like. */
  redactResult<T extends JsonValue>(value: T): T;
  /** `redactText`, and what is a credential by its look: for messages that quote a server. */
  redactMessage(text: string): string;
  /** The last search before anything is written: by other means than the redaction above. null: clean. */
  findSecret(text: string): FoundSecret | null;
  /** One that knows a further secret: a session id, a cookie. */
  withSecret(secret: Secret): Redactor;
}

/** Texts of an array are joined to look for a secret that is spread over them, up to this many at a time. */
const joinedItems = 10_000;

/** Some secrets, and what is made of them to take them out and to find them. */
interface KnownSecrets {
  readonly patterns: Patterns;
  readonly needles: Needles;
}

/** All targets of a config have one list of secrets, which may be thousands, and each check has a redactor of its own. */
const ready = new WeakMap<readonly Secret[], readonly KnownSecrets[]>();

export function createRedactor(secrets: readonly Secret[]): Redactor {
  const known = ready.get(secrets) ?? know(secrets);
  ready.set(secrets, known);
  return redactorOf(known);
}

/** None where there is nothing to search for. */
function know(secrets: readonly Secret[]): readonly KnownSecrets[] {
  const searched = secrets.filter(isSearched);
  if (searched.length === 0) return [];
  return [{ patterns: knowPatterns(dropCovered(searched.flatMap(patternsOf))), needles: needlesOf(searched) }];
}

function redactorOf(known: readonly KnownSecrets[]): Redactor {
  const patterns = known.map((some) => some.patterns);
  const needles = known.map((some) => some.needles);
  const redactText = (text: string): string => cutOut(text, patterns);
  const redactJson = (value: JsonValue): JsonValue => (known.length === 0 ? value : redactValue(value, redactText));
  return {
    redactText,
    redactJson: <T extends JsonValue>(value: T) => redactJson(value) as T,
    redactResult: <T extends JsonValue>(value: T) => redactClasses(redactJson(value)) as T,
    redactMessage: (text) => redactTokens(redactText(text)),
    findSecret: (text) => findSecretIn(text, needles),
    withSecret: (secret) => (isPlainWord(secret) ? redactorOf(known) : redactorOf([...known, ...know([secret])])),
  };
}

/** A shorter value would be found everywhere, and redacting it would change texts that hold no secret. */
const isSearched = (secret: Secret): boolean => secret.reveal().length >= limits.secretCharacters;

/** What a server mints as a session id or cookie is a secret, unless it is a word like `production`. */
const isPlainWord = (secret: Secret): boolean => /^[A-Za-z]{1,15}$/.test(secret.reveal());

const dropCovered = (patterns: readonly SecretPattern[]): readonly SecretPattern[] => {
  const seen = new Set<string>();
  return patterns.filter(({ text }) => !seen.has(text) && seen.add(text));
};

interface Patterns {
  readonly all: readonly SecretPattern[];
  /** Units of the shortest one. */
  readonly shortest: number;
  /** Whether a decoded text holds any of them; `lower` is the same text in lower case. */
  readonly standIn: (text: string, lower: string) => boolean;
}

function knowPatterns(all: readonly SecretPattern[]): Patterns {
  const inAnyCase = createTextFinder(all.filter((pattern) => pattern.anyCase));
  const inItsCase = createTextFinder(all.filter((pattern) => !pattern.anyCase));
  return {
    all,
    shortest: Math.min(...all.map((pattern) => pattern.text.length)),
    standIn: (text, lower) => inAnyCase(lower) !== null || inItsCase(text) !== null,
  };
}

interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Cutting may bring two halves together; more rounds than this only a text made for it needs. */
const rounds = 4;

function cutOut(text: string, patterns: readonly Patterns[]): string {
  // One character is at most three bytes of a view.
  const shortest = Math.min(...patterns.map((some) => some.shortest)) / 3;
  let left = text;
  for (let round = 0; round < rounds && left.length >= shortest; round += 1) {
    const stretches = findStretches(left, patterns);
    if (stretches.length === 0) break;
    left = replaceStretches(left, stretches);
  }
  return left;
}

function findStretches(text: string, patterns: readonly Patterns[]): readonly Stretch[] {
  if (!mayHoldEscapes(text)) {
    const squeezed = squeeze(text);
    const lower = squeezed.toLowerCase();
    if (!patterns.some((some) => some.standIn(squeezed, lower))) return []; // nearly every text, without a map of places
  }
  return decodedViews(text).flatMap((view) => {
    const lower = view.text.toLowerCase();
    return patterns
      .filter((some) => some.standIn(view.text, lower))
      .flatMap((some) => some.all)
      .flatMap((pattern) => findPattern(text, view, pattern.anyCase ? lower : view.text, pattern));
  });
}

function findPattern(source: string, view: DecodedView, searched: string, { text, run }: SecretPattern): Stretch[] {
  const found: Stretch[] = [];
  for (let at = searched.indexOf(text); at !== -1; at = searched.indexOf(text, at + text.length)) {
    let from = view.starts[at] ?? 0;
    let to = view.ends[at + text.length - 1] ?? source.length;
    while (run?.test(source[from - 1] ?? '') === true) from -= 1;
    while (run?.test(source[to] ?? '') === true) to += 1;
    found.push({ from, to });
  }
  return found;
}

function replaceStretches(text: string, stretches: readonly Stretch[]): string {
  const parts: string[] = [];
  let done = 0;
  for (const { from, to } of [...stretches].sort((a, b) => a.from - b.from || a.to - b.to)) {
    if (from >= done) parts.push(text.slice(done, from), redactionMark);
    done = Math.max(done, to);
  }
  parts.push(text.slice(done));
  return parts.join('');
}

function redactValue(value: JsonValue, redactText: (text: string) => string): JsonValue {
  if (typeof value === 'string') return redactText(value);
  if (typeof value === 'number' || typeof value === 'bigint') {
    const text = numberText(value);
    return redactText(text) === text ? value : redactionMark;
  }
  if (isJsonArray(value))
    return redactSpread(
      value.map((item) => redactValue(item, redactText)),
      redactText,
    );
  if (!isJsonObject(value)) return value;
  const rename = (key: string, number: number): string => numbered(redactText(key), number);
  return renameMembers(value, rename, (inner) => redactValue(inner, redactText));
}

/** A secret may be spread over the lines of an array of texts: then all texts of that array go. */
function redactSpread(items: readonly JsonValue[], redactText: (text: string) => string): readonly JsonValue[] {
  const texts = items.filter((item) => typeof item === 'string');
  if (texts.length < 2 || texts.length > joinedItems) return items;
  const joined = texts.join('\n');
  return redactText(joined) === joined ? items : items.map((item) => (typeof item === 'string' ? redactionMark : item));
}
