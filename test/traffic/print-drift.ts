import { compareRecordings } from '../../src/compare/compare-lists.ts';
import type { Finding } from '../../src/findings/finding.ts';
import { counts } from '../../src/findings/finding.ts';
import { recordingOf, undecided } from '../compare/sides.ts';
import { reference } from '../helpers/reference.ts';
import { readTraffic, type Version } from './read-traffic.ts';

function asRecording({ name, revision, contract }: Version) {
  return recordingOf({ target: name, revision, contract });
}

function figures(findings: readonly Finding[]): readonly string[] {
  return (['security', 'breaking', 'warning', 'info'] as const).map((severity) =>
    String(findings.filter((finding) => finding.severity === severity).length),
  );
}

/** The three rules that speak most. */
function frequent(findings: readonly Finding[]): string {
  const byRule = new Map<string, number>();
  for (const { rule } of findings) byRule.set(rule, (byRule.get(rule) ?? 0) + 1);
  return [...byRule]
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .slice(0, 3)
    .map(([rule, count]) => `${rule} ${count}`)
    .join(', ');
}

const lineOf = ({ severity, rule, tool, places, pointer, before, after }: Finding): string =>
  [
    severity,
    rule,
    tool ?? (places.length > 1 ? `${places.length} places` : '-'),
    pointer ?? '-',
    short(before),
    short(after),
  ].join(' | ');

function short(value: unknown): string {
  const text = JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? String(inner) : inner)) ?? '';
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}

/** Prints what each pair of adjacent versions of real servers means to an agent that watches every tool. */
async function printDrift(folder: string, isLong: boolean): Promise<void> {
  process.stdout.write('server | from | to | security | breaking | warning | info | most frequent\n');
  for (const { name, before, after } of readTraffic(folder).pairs) {
    const findings = (await compareRecordings(asRecording(before), asRecording(after), undecided)).filter(counts);
    process.stdout.write(
      `${[name, before.version, after.version, ...figures(findings), frequent(findings)].join(' | ')}\n`,
    );
    if (isLong) for (const finding of findings) process.stdout.write(`    ${lineOf(finding)}\n`);
  }
}

const folder = reference('traffic');
if (folder === null) process.stderr.write('The reference folder is not here, so there is nothing to compare.\n');
else await printDrift(folder, process.argv.includes('--findings'));
