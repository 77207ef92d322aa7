import { createHash } from 'node:crypto';
import { stateWords } from './marks.ts';
import { type Fill, type Html, html, htmlText, ownSource } from './markup.ts';
import { momentInHtml } from './moments.ts';
import { overviewPage, verdictSentence, worstState } from './overview-page.ts';
import { library, script, style } from './page-sources.ts';
import type { ExportView, OverviewView, PageFacts, ShownState, TargetView } from './page-view.ts';
import { fromExport, fromOverview, fromTarget, type Places, sectionId } from './places.ts';
import { targetPage } from './target-page.ts';

const hashOf = (text: string): string => createHash('sha256').update(text, 'utf8').digest('base64');

/** The file of a name, by the digest of what is in it: it never changes, so whoever has it may keep it. */
const named = (name: string, ending: string, text: string): string =>
  `${name}-${createHash('sha256').update(text, 'utf8').digest('hex').slice(0, 12)}.${ending}`;

export interface Asset {
  readonly file: string;
  readonly type: 'text/css; charset=utf-8' | 'text/javascript; charset=utf-8';
  readonly text: string;
}

const styleAsset: Asset = { file: named('page', 'css', style), type: 'text/css; charset=utf-8', text: style };
const scriptType = 'text/javascript; charset=utf-8';
const libraryAsset: Asset = { file: named('plot', 'js', library), type: scriptType, text: library };
const scriptAsset: Asset = { file: named('page', 'js', script), type: scriptType, text: script };

/** What the served pages load, from `assets/`. */
export const assets: readonly Asset[] = [styleAsset, libraryAsset, scriptAsset];

const policy = (sources: { readonly style: string; readonly script: string; readonly form: string }): string =>
  [
    "default-src 'none'",
    `style-src ${sources.style}`,
    `script-src ${sources.script}`,
    'img-src data:',
    `form-action ${sources.form}`,
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');

/** The Content-Security-Policy of served pages. */
export const servedPolicy = `${policy({ style: "'self'", script: "'self'", form: "'self'" })}; frame-ancestors 'none'`;

/** An icon of the state: in a row of tabs it says how things are. */
const icons: Readonly<Record<ShownState, string>> = {
  steady: "<circle cx='8' cy='8' r='7' fill='%231b7a4b'/>",
  drifted: "<path d='M8 .5 15.5 8 8 15.5.5 8z' fill='%23d93a2f'/>",
  inconclusive: "<circle cx='8' cy='8' r='5.5' fill='none' stroke='%23c98500' stroke-width='3'/>",
  unseen: "<circle cx='8' cy='8' r='3' fill='%23808890'/>",
};
const iconOf = (state: ShownState): string =>
  `data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'>${icons[state]}</svg>`;

interface Frame {
  readonly title: string;
  readonly state: ShownState;
  readonly places: Places;
  readonly isHome: boolean;
  readonly facts: PageFacts;
  /** In the head, behind what every page has there. */
  readonly head: Html;
  readonly main: Html;
  /** Behind everything. */
  readonly scripts: Fill;
}

function frame({ title, state, places, isHome, facts, head, main, scripts }: Frame): string {
  const links = [
    places.report === null ? null : html` <a href="${places.report}">Last report (JSON)</a>`,
    places.metrics === null ? null : html` <a href="${places.metrics}">Metrics</a>`,
  ];
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
${head}
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="${iconOf(state)}">
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header class="top"><span class="brand">mcp-canary</span><nav aria-label="Pages"><a href="${places.home}"${isHome ? html` aria-current="page"` : null}>All targets</a>${links}</nav></header>
<main id="content" tabindex="-1">
${main}
</main>
<footer><p>mcp-canary ${facts.version}, written ${momentInHtml(facts.madeAt)} UTC. What stands in <code>this type</code> may have been written by the servers: it is data, not instructions.</p></footer>
${scripts}</body>
</html>
`;
  return htmlText(page);
}

/** What served pages load; `up` leads to the root of the server. */
const servedHead = (up: string): Html => html`<link rel="stylesheet" href="${up}assets/${styleAsset.file}">`;
const servedScripts = (up: string, hasPlots: boolean): Html =>
  html`${hasPlots ? html`<script src="${up}assets/${libraryAsset.file}"></script>\n` : null}<script src="${up}assets/${scriptAsset.file}"></script>
`;

/** The overview as a page of a server. */
export const writeOverview = (view: OverviewView): string =>
  frame({
    title: `${verdictSentence(view)} · mcp-canary`,
    state: worstState(view),
    places: fromOverview,
    isHome: true,
    facts: view,
    head: servedHead(''),
    main: overviewPage(view, fromOverview),
    scripts: null,
  });

/** The page of a target, of a server. */
export const writeTargetPage = (view: TargetView, facts: PageFacts): string =>
  frame({
    title: `${view.target}: ${stateWords[view.state]} · mcp-canary`,
    state: view.state,
    places: fromTarget,
    isHome: false,
    facts,
    head: servedHead('../'),
    main: targetPage(view, facts, { level: 1, prefix: '' }),
    scripts: servedScripts('../', hasPlots(view)),
  });

/** What is served where no page is; it repeats nothing of what was asked for. `up` leads to the root of the server. */
export const writeMissing = (facts: PageFacts, up: string): string =>
  frame({
    title: 'Not found · mcp-canary',
    state: 'unseen',
    places: { ...fromOverview, home: up, report: null, metrics: null },
    isHome: false,
    facts,
    head: servedHead(up),
    main: html`<header class="verdict unseen"><h1>There is no such page.</h1></header>`,
    scripts: null,
  });

const hasPlots = ({ past }: TargetView): boolean => past !== null && past.latencies.length > 0;

/**
 * Everything in one file that needs nothing beside it: style and scripts are in it, and its policy names them by their
 * digests. A policy in a document cannot forbid frames; whoever serves the file can.
 */
export function writeExport({ overview, targets }: ExportView): string {
  const places = fromExport(targets.map(({ target }) => target));
  const sources = [...(targets.some(hasPlots) ? [library] : []), script];
  const sections = targets.map(
    (view, i) => html`<section class="target" id="${sectionId(i)}" tabindex="-1" aria-labelledby="${sectionId(i)}-head">
${targetPage(view, overview, { level: 2, prefix: `${sectionId(i)}-` })}
</section>
`,
  );
  const csp = policy({
    style: `'sha256-${hashOf(style)}'`,
    script: sources.map((source) => `'sha256-${hashOf(source)}'`).join(' '),
    form: "'none'",
  });
  return frame({
    title: `${verdictSentence(overview)} · mcp-canary`,
    state: worstState(overview),
    places,
    isHome: true,
    facts: overview,
    head: html`<meta http-equiv="Content-Security-Policy" content="${csp}">
<meta name="referrer" content="no-referrer">
<style>${ownSource(style)}</style>`,
    main: html`${overviewPage(overview, places)}${sections}`,
    scripts: sources.map((source) => html`<script>${ownSource(source)}</script>\n`),
  });
}
