import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  type Scalar,
} from 'yaml';
import { formatPointer } from '../json/json-pointer.ts';
import type { JsonValue } from '../json/json-value.ts';
import { parseJson } from '../json/parse-json.ts';
import { integerDigits } from '../json/scan-json.ts';
import { type ConfigFault, type ConfigPath, renderPath } from './config-fault.ts';

export interface Place {
  readonly line: number;
  readonly column: number;
}

/** A YAML text as a JSON value that knows where each of its parts stands. */
export interface ReadDocument {
  readonly value: JsonValue;
  /** What is wrong with the YAML itself; with `broken` the value cannot be trusted. */
  readonly faults: readonly ConfigFault[];
  readonly broken: boolean;
  /** Where the name or the value of a path stands; of a path that is not there, its nearest parent. */
  placeOf(path: ConfigPath, at: 'key' | 'value'): Place;
}

/** Beside what the text itself can say: stops an alias bomb. */
const moreNodes = 200_000;
/** Far beyond any configuration; stops a text that nests for its own sake. */
const maxDepth = 100;

interface Reading {
  readonly document: Document;
  readonly places: Map<string, { key: number; value: number }>;
  readonly say: (offset: number, path: ConfigPath, problem: string, mend: string) => void;
  readonly maxNodes: number;
  nodes: number;
}

/**
 * Reads YAML 1.2 (and so JSON). An integer beyond 2^53 is a bigint; a name is the text that was written, whatever it
 * looks like; anchors and aliases work, merge keys, tags and further documents do not.
 */
export const readDocument = (text: string): ReadDocument => readPlainJson(text) ?? readYaml(text);

/**
 * JSON, as programs write it for thousands of targets: its value costs a fraction of the time and memory that the YAML of
 * the same text takes. Whatever is odd about it, and where something stands in it, is asked of the YAML.
 */
function readPlainJson(text: string): ReadDocument | null {
  if (!/^\s*\{/.test(text)) return null;
  const parsed = parseJson(text, { nodes: moreNodes + text.length, depth: maxDepth });
  if (!parsed.ok || parsed.notes.length > 0) return null;
  let yaml: ReadDocument | null = null;
  return {
    value: parsed.value,
    faults: [],
    broken: false,
    placeOf: (path, at) => {
      // JSON may be indented with tabs, YAML may not; in a string of JSON there is none.
      yaml ??= readYaml(text.replaceAll('\t', ' '));
      return yaml.placeOf(path, at);
    },
  };
}

function readYaml(text: string): ReadDocument {
  const lines = new LineCounter();
  const faults: ConfigFault[] = [];
  const say: Reading['say'] = (offset, path, problem, mend) => {
    const { line, col } = lines.linePos(offset);
    faults.push({ line: Math.max(1, line), column: Math.max(1, col), path: renderPath(path), problem, mend });
  };
  const document = parse(text, lines);
  if (document === null) {
    say(0, [], 'cannot be read as YAML', 'It nests too deeply.');
    return { value: null, faults, broken: true, placeOf: () => ({ line: 1, column: 1 }) };
  }
  let broken = false;
  for (const error of [...document.errors, ...document.warnings]) {
    // JSON knows no such ceiling, and a configuration may be JSON.
    if (error.code === 'KEY_OVER_1024_CHARS') continue;
    const [problem, mend] = wordings[error.code] ?? unknownWording;
    if (error.code !== 'TAG_RESOLVE_FAILED') broken = true;
    say(error.pos[0], [], problem, mend);
  }
  const reading: Reading = { document, places: new Map(), say, maxNodes: moreNodes + text.length, nodes: 0 };
  const value = broken ? null : convertNode(reading, document.contents, []);
  return { value, faults, broken, placeOf: (path, at) => findPlace(reading.places, lines, path, at) };
}

function parse(text: string, lines: LineCounter): Document | null {
  try {
    return parseDocument(text, {
      intAsBigInt: true,
      prettyErrors: false,
      uniqueKeys: false,
      lineCounter: lines,
      logLevel: 'error',
    }) as Document;
  } catch {
    return null;
  }
}

function convertNode(reading: Reading, node: Node | null | undefined, path: ConfigPath): JsonValue {
  reading.nodes += 1;
  if (!node) return null;
  const offset = node.range?.[0] ?? 0;
  const known = reading.places.get(formatPointer(path));
  reading.places.set(formatPointer(path), { key: known?.key ?? offset, value: offset });
  if (path.length > maxDepth || reading.nodes > reading.maxNodes) {
    if (path.length === maxDepth + 1 || reading.nodes === reading.maxNodes + 1)
      reading.say(offset, [], 'nests too deeply, or is too large', 'Use fewer aliases.');
    return null;
  }
  if (isAlias(node)) {
    const target = node.resolve(reading.document);
    if (target) return convertNode(reading, target, path);
    reading.say(offset, path, `refers to &${node.source}, which is not set above it`, 'Set the anchor first.');
    return null;
  }
  if (isMap(node)) return mapOf(reading, node.items as readonly { key: unknown; value: unknown }[], path);
  if (isSeq(node)) return node.items.map((item, at) => convertNode(reading, item as Node, [...path, at]));
  return isScalar(node) ? scalarOf(reading, node, path, offset) : null;
}

function mapOf(reading: Reading, items: readonly { key: unknown; value: unknown }[], path: ConfigPath): JsonValue {
  const entries = new Map<string, JsonValue>();
  for (const { key, value } of items) {
    const name = isScalar(key) ? nameOf(key) : null;
    const offset = ((key as Node | null)?.range ?? [0])[0];
    if (name === null) {
      reading.say(offset, path, 'has a name that is no text', 'A name is a single word or a text in quotes.');
      continue;
    }
    const child = [...path, name];
    if (entries.has(name)) {
      reading.say(offset, child, 'is there twice', 'Keep one of them.');
      continue;
    }
    reading.places.set(formatPointer(child), { key: offset, value: offset });
    entries.set(name, convertNode(reading, value as Node | null, child));
  }
  return Object.fromEntries(entries);
}

/** `404:` and `true:` are names, too: what counts is what was written. */
const nameOf = (key: Scalar): string | null =>
  typeof key.value === 'string' ? key.value : key.value === null ? null : (key.source ?? String(key.value));

function scalarOf(reading: Reading, node: Scalar, path: ConfigPath, offset: number): JsonValue {
  const value: unknown = node.value;
  if (typeof value === 'bigint') return exact(value);
  if (typeof value === 'number') {
    // 1e400 is an integer, too, and as exact as in JSON.
    const digits = integerDigits(node.source ?? '');
    if (digits !== null && digits !== 'too-long') return exact(BigInt(digits));
    if (Number.isFinite(value)) return value;
    reading.say(offset, path, 'is no number that JSON can say', 'Write a finite number.');
    return null;
  }
  return typeof value === 'string' || typeof value === 'boolean' ? value : null;
}

const exact = (value: bigint): number | bigint => (Number.isSafeInteger(Number(value)) ? Number(value) : value);

function findPlace(places: Reading['places'], lines: LineCounter, path: ConfigPath, at: 'key' | 'value'): Place {
  for (let length = path.length; length >= 0; length -= 1) {
    const place = places.get(formatPointer(path.slice(0, length)));
    if (!place) continue;
    // What is missing is missing under its parent's name, not inside the parent's first member.
    const { line, col } = lines.linePos(length === path.length ? place[at] : place.key);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  }
  return { line: 1, column: 1 };
}

/** Problem and mend. The parser's own messages quote the text, and the text may hold a secret; so these are ours. */
const wordings: Readonly<Record<string, readonly [string, string]>> = {
  TAB_AS_INDENT: ['a line is indented with a tab', 'Indent with blanks.'],
  MULTIPLE_DOCS: ['a second document begins here', 'Keep one document: remove the line ---.'],
  TAG_RESOLVE_FAILED: ['a tag (!…) means nothing here', 'Remove the tag.'],
  MISSING_CHAR: ['a quote or bracket is not closed', 'Close it.'],
  BAD_INDENT: ['the indentation fits nothing above it', 'Indent members of one mapping alike.'],
  BLOCK_AS_IMPLICIT_KEY: ['a mapping begins inside a value', 'Put the text in quotes, or begin a new line.'],
  MULTILINE_IMPLICIT_KEY: ['a name goes over several lines', 'Put a colon after each name.'],
};
const unknownWording = [
  'the YAML cannot be understood here',
  'Look for a missing colon, quote or bracket, here or on the line above.',
] as const;
