import { randomFrom, type SeededRandom } from '../../helpers/seeded-random.ts';

/** A tool as a server lists it, and what whoever made it up knows about its name. */
export interface MadeUpTool {
  readonly name: string;
  readonly isWrite: boolean;
  /** `annotations` as JSON text; null: none at all. */
  readonly annotations: string | null;
}

/** One state of a server's list: pages of tools, and how the pages behave. */
export interface MadeUpList {
  readonly pages: readonly (readonly MadeUpTool[])[];
  /** This page is answered with an error of the server. */
  readonly failsAt: number | null;
  /** While this page is read the server says that its list has changed, and from then on it is the next one. */
  readonly changesAt: number | null;
}

export interface MadeUpCatalogue {
  readonly era: 'handshake' | 'stateless';
  /** In the order in which the server goes through them; the last one stays. */
  readonly lists: readonly [MadeUpList, ...MadeUpList[]];
  readonly callable: ReadonlySet<string>;
  /** What is called, in this order, after each listing. */
  readonly calls: readonly string[];
  readonly listings: number;
}

const seed = 20_261_202;

/** The catalogue of a number: always the same one. */
export function madeUpCatalogue(number: number): MadeUpCatalogue {
  const random = randomFrom(seed + number);
  const names = Array.from({ length: 1 + random.below(8) }, () => madeUpName(random));
  const strangers = ['constructor', '__proto__', 'toString', '', 'nowhere', ...names.map(({ name }) => `${name} `)];
  const listed = names.map(({ name }) => name);
  const lists = Array.from({ length: 1 + random.below(3) }, () => madeUpList(names, random));
  return {
    era: random.percent(25) ? 'stateless' : 'handshake',
    lists: lists as [MadeUpList, ...MadeUpList[]],
    callable: new Set([...listed, ...strangers].filter(() => random.percent(65))),
    calls: [...listed, ...strangers].filter((_, at) => at < listed.length || random.percent(30)),
    listings: 1 + random.below(2),
  };
}

function madeUpList(names: readonly Pick<MadeUpTool, 'name' | 'isWrite'>[], random: SeededRandom): MadeUpList {
  const tools = names
    .filter(() => random.percent(85))
    .flatMap((name) =>
      Array.from({ length: random.percent(15) ? 2 : 1 }, () => ({ ...name, annotations: madeUpAnnotations(random) })),
    );
  const count = 1 + random.below(3);
  const pages = Array.from({ length: count }, (_, page) => tools.filter((_, at) => at % count === page));
  return {
    pages,
    failsAt: random.percent(10) ? random.below(count) : null,
    changesAt: random.percent(15) ? random.below(count) : null,
  };
}

type Texts = [string, ...string[]];
const writes =
  'buy purchase register renew transfer delete remove update set create add cancel order pay submit unlock'.split(
    ' ',
  ) as Texts;
const reads = 'get list check search find lookup suggest show describe whois count is'.split(' ') as Texts;
const things = 'domain domains status price availability tld contact records orders transfers'.split(' ') as Texts;
/** Plurals of these are things that are read, not what is done to them. */
const plurals = 'orders updates transfers purchases sets'.split(' ') as Texts;
/** Cyrillic, Greek, full-width, with marks, with characters that do not show. */
const masks: [(word: string) => string, ...((word: string) => string)[]] = [
  (word) => word.replaceAll('a', 'а').replaceAll('e', 'е').replaceAll('o', 'о').replaceAll('p', 'р'),
  (word) => word.replaceAll('u', 'υ').replaceAll('d', 'ԁ').replaceAll('r', 'г').replaceAll('c', 'с'),
  (word) => word.replace(/[a-z]/g, (letter) => String.fromCodePoint(letter.charCodeAt(0) + 0xfee0)),
  (word) => word.replace(/[aeou]/g, '$&\u0301'),
  (word) => word.replace(/./g, '$&\u200b'),
  (word) => `${word.slice(0, 2)}\u00ad${word.slice(2)}`,
];
const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
const joiners: [(words: readonly string[]) => string, ...((words: readonly string[]) => string)[]] = [
  (words) => words.join('_'),
  (words) => words.join('-'),
  (words) => words.join('.'),
  (words) => words.join('/'),
  (words) => words.join(' '),
  (words) => words.map((word, at) => (at === 0 ? word : capital(word))).join(''),
  (words) => words.map(capital).join(''),
  (words) => words.join('_').toUpperCase(),
  (words) => words.map(capital).join('_'),
];

function madeUpName(random: SeededRandom): Pick<MadeUpTool, 'name' | 'isWrite'> {
  const join = random.pick(joiners);
  const thing = random.pick(things);
  if (random.percent(40)) {
    const about = random.percent(30) ? [random.pick(reads), random.pick(plurals)] : [random.pick(reads), thing];
    return { name: join(decorate(about, random)), isWrite: false };
  }
  const verb = random.pick(writes);
  const spelled = random.pick<() => string>([
    () => join(decorate(random.percent(50) ? [verb, thing] : [thing, verb], random)),
    () => join(decorate([random.pick(reads), verb, thing], random)),
    () => join([`${random.pick(['re', 'un', 'auto', 'bulk'])}${verb}`, thing]),
    () => join(decorate([random.pick(masks)(verb), thing], random)),
    () => `${verb}${random.pick(['domain', 'contact', 'dns', 'record'])}`,
    () => `domain${random.pick(['register', 'transfer', 'delete', 'renew'])}`,
    () => `${random.pick(['deletes', 'buys', 'renews', 'removes', 'creates', 'cancels'])}_${thing}`,
    () => `${verb.toUpperCase()}${thing}`,
    () => verb,
  ])();
  return { name: spelled, isWrite: true };
}

const decorate = (words: readonly string[], random: SeededRandom): readonly string[] => [
  ...(random.percent(30) ? [random.pick(['domains', 'v2', 'api', 'acme'])] : []),
  ...words,
  ...(random.percent(20) ? [random.pick(['v2', 'beta', '1', 'by', 'now'])] : []),
];

const hintValues: Texts = [
  'true',
  'true',
  'true',
  'false',
  'false',
  '"true"',
  '1',
  '0',
  'null',
  '"false"',
  '{}',
  '[true]',
];

function madeUpAnnotations(random: SeededRandom): string | null {
  if (random.percent(12)) return null;
  if (random.percent(12)) return random.pick(['null', '"readOnlyHint"', '[]', '5', 'true', '[{"readOnlyHint":true}]']);
  if (random.percent(8)) return '{"__proto__":{"readOnlyHint":true,"destructiveHint":false}}';
  const hint = (name: string, missing: number): readonly string[] =>
    random.percent(missing) ? [] : [`"${name}":${random.pick(hintValues)}`];
  // The last of two equal names stands (RFC 8259 leaves it open; JSON.parse and every server's own parser say so).
  const members = [
    ...(random.percent(55) ? ['"readOnlyHint":true'] : hint('readOnlyHint', 20)),
    ...(random.percent(50) ? ['"destructiveHint":false'] : hint('destructiveHint', 40)),
    ...hint('idempotentHint', 60),
    ...hint('openWorldHint', 60),
    ...(random.percent(5) ? hint('readOnlyHint', 0) : []),
    ...(random.percent(5) ? ['"ReadOnlyHint":true', '"readonlyHint":true'] : []),
  ];
  return `{${members.join(',')}}`;
}
