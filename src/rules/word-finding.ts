import { quoteName } from '../text/quote-name.ts';
import { type RuleId, ruleOf } from './catalogue.ts';
import type { Area } from './rule.ts';

/** What a sentence is made of: the place of a change, its values, and the facts its check found. */
export interface ToWord {
  readonly rule: RuleId;
  readonly tool: string | null;
  readonly case: string | null;
  readonly pointer: string | null;
  readonly before?: unknown;
  readonly after?: unknown;
  readonly facts?: Readonly<Record<string, string | number>>;
  /** The places of a grouped finding, or how many tools they are in; then `tool` is null. */
  readonly places?: number | readonly { readonly tool: string | null }[];
}

/**
 * Facts that wordings of the catalogue know beside the placeholders that every finding has. Two more, `from` and `to`
 * (or `before` and `after`), stand for the sides of the change where `before` and `after` hold more than a sentence takes.
 */
export const factNames = [
  'code',
  'count',
  'days',
  'header',
  'host',
  'kind',
  'limit',
  'milliseconds',
  'name',
  'reason',
  'revision',
  'scope',
  'status',
  'step',
  'value',
] as const;
const isFactName = (name: string): boolean => (factNames as readonly string[]).includes(name);
export const placeNames = ['tool', 'case', 'pointer', 'property', 'before', 'after'] as const;

const nouns: Readonly<Partial<Record<Area, { readonly one: string; readonly root: string; readonly any: string }>>> = {
  input: { one: 'the argument', root: 'the arguments object', any: 'an argument' },
  output: { one: 'the field', root: 'the result', any: 'a field' },
};

/** A value that may stand in a sentence; null says "nothing was there", which the sentence says better. */
const isSimple = (value: unknown): value is string | number | bigint | boolean =>
  typeof value === 'number' ||
  typeof value === 'bigint' ||
  typeof value === 'boolean' ||
  (typeof value === 'string' && /^[\w.+/-]{1,40}$/.test(value));

/**
 * The property a pointer into a schema leads to, as a dotted path: `/inputSchema/properties/filter/items/properties/min`
 * is `filter[].min`. Empty at the root.
 */
export function propertyPath(pointer: string): string {
  const tokens = pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
  let path = '';
  for (let i = 1; i < tokens.length; i += 1) {
    const [token, next] = [tokens[i], tokens[i + 1]];
    if (token === 'properties' && next !== undefined) {
      path += path === '' ? next : `.${next}`;
      i += 1;
    } else if (token === 'items' && path !== '') {
      path += '[]';
    }
  }
  return path;
}

type Quote = (name: string) => string;

function property({ rule, pointer }: ToWord, quote: Quote): string | undefined {
  const noun = nouns[ruleOf(rule).area];
  if (pointer === null) return noun?.any;
  if (noun !== undefined) {
    const path = propertyPath(pointer);
    return path === '' ? noun.root : `${noun.one} ${quote(path)}`;
  }
  const last = pointer.split('/').at(-1) ?? '';
  return last === '' ? undefined : quote(last.replaceAll('~1', '/').replaceAll('~0', '~'));
}

const toolsOf = ({ places = 1 }: ToWord): readonly string[] =>
  typeof places === 'number' ? [] : [...new Set(places.flatMap((place) => place.tool ?? []))];

function countTools(finding: ToWord): number {
  if (finding.tool !== null) return 1;
  return typeof finding.places === 'number' ? finding.places : toolsOf(finding).length;
}

function tool(finding: ToWord, quote: Quote): string {
  if (finding.tool !== null) return `the tool ${quote(finding.tool)}`;
  const [first] = toolsOf(finding);
  if (countTools(finding) > 1) return `${countTools(finding)} tools`;
  return first === undefined ? 'a tool' : `the tool ${quote(first)}`;
}

/** A fact is a name or a number by its type. */
const factText = (value: string | number | undefined, quote: Quote): string | undefined =>
  typeof value === 'string' ? quote(value) : value?.toString();

/** One side of a change, where it is short enough for a sentence. */
function side(value: unknown, quote: Quote): string | undefined {
  if (!isSimple(value)) return undefined;
  return typeof value === 'string' ? quote(value) : String(value);
}

/** The value of a placeholder, or undefined where this finding has none. */
function fillingOf(placeholder: string, finding: ToWord, quote: Quote): string | undefined {
  switch (placeholder) {
    case 'tool':
      return tool(finding, quote);
    case 'case':
      return finding.case === null ? undefined : `the call ${quote(finding.case)}`;
    case 'pointer':
      return finding.pointer === null || finding.pointer === '' ? undefined : quote(finding.pointer);
    case 'property':
      return property(finding, quote);
    case 'before':
      return factText(finding.facts?.from ?? finding.facts?.before, quote) ?? side(finding.before, quote);
    case 'after':
      return factText(finding.facts?.to ?? finding.facts?.after, quote) ?? side(finding.after, quote);
    default:
      return isFactName(placeholder) ? factText(finding.facts?.[placeholder], quote) : undefined;
  }
}

/** Said where a placeholder outside brackets has no value. */
const instead: Readonly<Record<string, string>> = {
  case: 'a recorded call',
  pointer: 'its top level',
  property: 'a member',
  step: 'a step',
};

/** A part of a wording with its placeholders filled; `isWhole` says whether each had a value. */
function fill(part: string, finding: ToWord, quote: Quote): { readonly text: string; readonly isWhole: boolean } {
  let isWhole = true;
  const text = part.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = fillingOf(name, finding, quote);
    if (value === undefined) isWhole = false;
    return value ?? instead[name] ?? 'something';
  });
  return { text, isWhole };
}

/**
 * The sentence of a finding, from its rule's wording: `{name}` is filled, `{one/several}` fits the number of tools, and a
 * part in brackets is left out where one of its names has no value. Names from outside go through `quote`, which makes plain text of them (a writer of Markdown
 * hands in `renderInlineCode`). One line, one sentence.
 */
export function wordFinding(finding: ToWord, quote: Quote = quoteName): string {
  // The wording is taken apart before anything is filled in: a name may hold brackets and braces of its own.
  const wording = ruleOf(finding.rule).wording.replace(
    /\{([^{}/]*)\/([^{}/]*)\}/g,
    (_, one: string, several: string) => (countTools(finding) > 1 ? several : one),
  );
  const parts = wording.split(/\[([^\]]*)\]/);
  const sentence = parts
    .map((part, i) => {
      const filled = fill(part, finding, quote);
      return i % 2 === 1 && !filled.isWhole ? '' : filled.text;
    })
    .join('');
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
