import type { ShownState } from './page-view.ts';

/** Where the pages are, as seen from the one that is written. Relative, so that a proxy may put them below any path. */
export interface Places {
  readonly home: string;
  target(id: string): string;
  /** The overview with a part of its rows; null: it has all of them always. */
  readonly part: ((find: string, state: ShownState | null, page: number) => string) | null;
  /** What else the server has; null in a file of its own. */
  readonly report: string | null;
  readonly metrics: string | null;
}

function partOf(find: string, state: ShownState | null, page: number): string {
  const query = new URLSearchParams();
  if (find !== '') query.set('find', find);
  if (state !== null) query.set('state', state);
  if (page > 1) query.set('page', String(page));
  const text = query.toString();
  return text === '' ? './' : `./?${text}`;
}

/** From the overview of a server. */
export const fromOverview: Places = {
  home: './',
  target: (id) => `targets/${encodeURIComponent(id)}`,
  part: partOf,
  report: 'api/report.json',
  metrics: 'metrics',
};

/** From the page of a target. */
export const fromTarget: Places = {
  home: '../',
  target: (id) => encodeURIComponent(id),
  part: null,
  report: '../api/report.json',
  metrics: '../metrics',
};

/** The id of a target's section where all are in one file; a target's own id may hold anything. */
export const sectionId = (index: number): string => `target-${index + 1}`;

/** In one file. */
export function fromExport(targets: readonly string[]): Places {
  const indexes = new Map(targets.map((target, i) => [target, i]));
  return {
    home: '#content',
    target: (id) => `#${sectionId(indexes.get(id) ?? 0)}`,
    part: null,
    report: null,
    metrics: null,
  };
}
