import { type JsonValue, member } from '../../json/json-value.ts';

export type Dialect = 'draft-07' | '2019-09' | '2020-12';

const known: readonly (readonly [RegExp, Dialect])[] = [
  // draft-04 and -06 differ from draft-07 in nothing the walk compares, but for boolean exclusive bounds, which it folds.
  [/^https?:\/\/json-schema\.org\/draft-0[467]\/(?:hyper-)?schema#?$/, 'draft-07'],
  [/^https?:\/\/json-schema\.org\/draft\/2019-09\/schema#?$/, '2019-09'],
  [/^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/, '2020-12'],
];

/** The dialect a schema is read in: by its own mark, else by the given one. An unknown mark is read as 2020-12. */
export function dialectOf(schema: JsonValue, unmarked: Dialect): Dialect {
  const mark = member(schema, '$schema');
  if (typeof mark !== 'string') return unmarked;
  return known.find(([pattern]) => pattern.test(mark))?.[1] ?? '2020-12';
}

/** The mark without what means nothing in it; null where there is none. */
export function dialectMark(schema: JsonValue): string | null {
  const mark = member(schema, '$schema');
  return typeof mark === 'string' ? mark.replace(/^http:/, 'https:').replace(/#$/, '') : null;
}

/** Keywords that only some dialects have; elsewhere they are annotations, as every unknown keyword is. */
const since: ReadonlyMap<string, readonly Dialect[]> = new Map(
  (
    [
      ['prefixItems', ['2020-12']],
      ['unevaluatedItems', ['2019-09', '2020-12']],
      ['unevaluatedProperties', ['2019-09', '2020-12']],
      ['dependentRequired', ['2019-09', '2020-12']],
      ['dependentSchemas', ['2019-09', '2020-12']],
      ['minContains', ['2019-09', '2020-12']],
      ['maxContains', ['2019-09', '2020-12']],
    ] as const
  ).map(([keyword, dialects]) => [keyword, dialects]),
);

/** Whether a keyword means anything in a dialect. */
export const hasKeyword = (dialect: Dialect, keyword: string): boolean => since.get(keyword)?.includes(dialect) ?? true;
