import type { Report } from '../findings/report.ts';
import { writeExport } from './page/document.ts';
import { viewOfReport } from './page/view-of-report.ts';
import type { ReporterOptions } from './reporters.ts';

/**
 * The status page as one file that needs nothing beside it: what broke, first cause first, every target with before and
 * after, and with a past its days, contracts and latencies. Ready for GitHub Pages. Ends with a line feed.
 */
export const reportHtml = (report: Report, { past = null }: ReporterOptions): string =>
  writeExport(viewOfReport(report, past));
