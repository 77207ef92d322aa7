import type { Report } from '../findings/report.ts';
import type { PagePast } from './page/view-of-report.ts';

export interface ReporterOptions {
  /** Colours of a terminal; the others take no notice. */
  readonly color: boolean;
  /** What is kept of earlier runs, for `html`; the others take no notice. null or absent: the report alone. */
  readonly past?: PagePast | null;
}

/** Renders a whole run as text; it writes nothing anywhere. */
export type Reporter = (report: Report, options: ReporterOptions) => string;

/** By name, each loaded when it is asked for: a run pays for the readers it has. */
const reporters = {
  console: async (): Promise<Reporter> => (await import('./console.ts')).reportConsole,
  json: async (): Promise<Reporter> => (await import('./json.ts')).reportJson,
  markdown: async (): Promise<Reporter> => (await import('./markdown.ts')).reportMarkdown,
  junit: async (): Promise<Reporter> => (await import('./junit.ts')).reportJunit,
  sarif: async (): Promise<Reporter> => (await import('./sarif.ts')).reportSarif,
  github: async (): Promise<Reporter> => (await import('./github.ts')).reportGithub,
  html: async (): Promise<Reporter> => (await import('./html.ts')).reportHtml,
};

export type ReporterName = keyof typeof reporters;
export const reporterNames = Object.keys(reporters) as readonly ReporterName[];

export const isReporterName = (name: string): name is ReporterName => Object.hasOwn(reporters, name);

/** The reporter of a name. @throws TypeError for a name that `isReporterName` does not know: our own fault. */
export async function loadReporter(name: string): Promise<Reporter> {
  if (!isReporterName(name)) throw new TypeError(`there is no reporter ${JSON.stringify(name)}`);
  return reporters[name]();
}
