import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { loadReporter, type ReporterName, reporterNames } from '../../src/report/reporters.ts';
import { hostileTexts } from '../alert/hostile-texts.ts';
import { alive } from '../alert/living-text.ts';
import { hostileReport } from '../helpers/hostile-report.ts';
import { realModules } from '../helpers/real-server.ts';
import { representativeReport } from '../helpers/representative-report.ts';

const load = async <T>(module: string): Promise<T> =>
  (await import(pathToFileURL(path.join(realModules, module)).href)) as T;

const { validateXML } = await load<{
  validateXML(options: {
    readonly xml: readonly { readonly fileName: string; readonly contents: string }[];
    readonly schema: string;
    readonly maxMemoryPages: number;
  }): Promise<{ readonly valid: boolean; readonly errors: readonly { readonly message: string }[] }>;
}>('xmllint-wasm/index-node.js');

const { default: Ajv } = await load<{
  default: new (
    options: object,
  ) => { compile(schema: object): { (value: unknown): boolean; readonly errors?: unknown } };
}>('ajv-draft-04/dist/index.js').then(({ default: module }) =>
  typeof module === 'function' ? { default: module } : (module as { default: never }),
);
const sarif = JSON.parse(
  readFileSync(path.join(realModules, '@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json'), 'utf8'),
) as object;
const isSarif = new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false }).compile(sarif);

const junit = readFileSync(path.join(import.meta.dirname, 'junit.xsd'), 'utf8');
const validateJunit = (documents: readonly string[]) =>
  validateXML({
    xml: documents.map((contents, i) => ({ fileName: `junit-${i}.xml`, contents })),
    schema: junit,
    maxMemoryPages: 8_192,
  });

/** What makes a report one that its reader takes: a line for each fault. Reporters that are not named here are only inert. */
const validators: Readonly<Partial<Record<ReporterName, (texts: readonly string[]) => Promise<readonly unknown[]>>>> = {
  markdown: async (texts) => texts.flatMap(alive),
  json: async (texts) => texts.filter((text) => JSON.parse(text) === null),
  junit: async (texts) => (await validateJunit(texts)).errors.map(({ message }) => message),
  sarif: async (texts) => texts.flatMap((text) => (isSarif(JSON.parse(text)) ? [] : [isSarif.errors])),
  github: async (texts) =>
    texts.flatMap((text) =>
      text
        .trimEnd()
        .split('\n')
        .filter((line) => !/^::(?:error|warning|notice)(?: title=[^:,]*)?::/.test(line)),
    ),
};

const unseen =
  /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Cf}\p{Cs}\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]/u;

/** Elements and attributes that a report about a plain text does not have; in what we escape there is no bracket. */
function foreignMarkup(text: string): readonly string[] {
  const tags = (html: string): readonly string[] => html.match(/<[^\s<>]*[^<>]*>?/g) ?? [];
  const known = new Set(tags(plainPage).map((tag) => tag.split(/[\s>]/)[0]));
  return tags(text).filter(
    (tag) => !known.has(tag.split(/[\s>]/)[0]) || /\son\w+\s*=|javascript:|https?:\/\/evil/i.test(tag),
  );
}
const plainPage = (await loadReporter('html'))(hostileReport('plain text'), { color: false });

/** What would act wherever the text is printed or shown. */
function acting(name: ReporterName, text: string): readonly string[] {
  const found: string[] = [];
  if (unseen.test(text)) found.push('an invisible character');
  if (text.includes('##[')) found.push('##[');
  if (name !== 'github' && /^\s*::/m.test(text)) found.push('a workflow command');
  if (name === 'html') found.push(...foreignMarkup(text));
  return found;
}

describe.each(reporterNames)('three hundred hostile texts, each in every place of a report: %s', (name) => {
  it('leaves nothing that acts, and a report that its reader takes', { timeout: 300_000 }, async () => {
    const render = await loadReporter(name);
    const texts = hostileTexts.map((text) => render(hostileReport(text), { color: false }));
    expect(texts.length).toBeGreaterThan(300);
    expect(texts.flatMap((text, i) => acting(name, text).map((what) => [hostileTexts[i], what]))).toEqual([]);
    expect(await validators[name]?.([...texts, render(representativeReport, { color: false })])).toEqual(
      validators[name] === undefined ? undefined : [],
    );
  });
});

describe('the validators', () => {
  it('find what is wrong', async () => {
    const junitText = (await loadReporter('junit'))(representativeReport, { color: false });
    const broken = [
      junitText.replace('<testcase ', '<testcase nonsense="x" '),
      junitText.replace('&quot;', '<'),
      junitText.replace('</testsuites>', '\u0001</testsuites>'),
    ];
    for (const text of broken) expect((await validateJunit([text])).valid).toBe(false);
    const sarifText = (await loadReporter('sarif'))(representativeReport, { color: false });
    expect(isSarif(JSON.parse(sarifText.replace('"level":', '"lvl":')))).toBe(false);
  });
});
