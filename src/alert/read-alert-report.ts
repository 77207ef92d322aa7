import { CanaryError } from '../errors.ts';
import type { Report } from '../findings/report.ts';
import { parseBytes } from '../json/parse-json.ts';
import { limits } from '../limits.ts';
import { readReport } from '../report/report-schema.ts';
import { renderForTerminal } from '../text/render-terminal.ts';

/**
 * Reads a report file that is not trusted.
 * @throws CanaryError `usage` where it is too large, is no report, or names targets that the configuration does not know.
 */
export function readAlertReport(bytes: Uint8Array, configured: readonly string[] | null): Report {
  const mend = 'Hand in what `mcp-canary check --reporter json` wrote for this configuration.';
  const refuse = (what: string): never => {
    throw new CanaryError('usage', `The report ${what}.`, mend);
  };
  if (bytes.byteLength > limits.reportBytes) refuse(`is larger than ${limits.reportBytes} bytes`);
  // As objects in memory, more nodes than that could be the end of the process.
  const parsed = parseBytes(bytes, { depth: 250, nodes: 4_000_000 });
  if (!parsed.ok) return refuse(parsed.message);
  const read = readReport(parsed.value);
  if (!read.ok) return refuse(`is not one of ours: ${read.faults.join('; ')}`);
  const ids = read.report.targets.map(({ target }) => target);
  if (new Set(ids).size < ids.length) refuse('names a target twice');
  const known = configured === null ? null : new Set(configured);
  const strange = ids.filter((id) => known?.has(id) === false);
  if (strange.length > 0)
    refuse(`names ${strange.slice(0, 5).map(renderForTerminal).join(', ')}, which the configuration does not know`);
  return read.report;
}
