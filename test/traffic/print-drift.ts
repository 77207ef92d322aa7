import { counts, type Finding } from '../../src/findings/finding.ts';
import { createDirectValidator } from '../helpers/in-process-validator.ts';
import { reference } from '../helpers/reference.ts';
import { allPairs, isUnclassified, judgePair, placeOf, placeOfRow, witnessShare } from './judge-traffic.ts';
import { readTraffic } from './read-traffic.ts';
import { reviewed } from './unclassified.ts';

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

const lineOf = ({ severity, rule, tool, places, pointer, before, after, witness }: Finding): string =>
  [
    severity,
    rule,
    tool ?? (places.length > 1 ? `${places.length} places` : '-'),
    pointer ?? '-',
    short(before),
    short(after),
    ...(witness === null ? [] : [`proven by ${short(witness.value)}`]),
  ].join(' | ');

function short(value: unknown): string {
  const text = JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? String(inner) : inner)) ?? '';
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/**
 * Prints what each pair of adjacent versions of real servers means to an agent that watches every tool; then, over every
 * pair of versions in both directions, what could not be decided and how many breaking findings are proven.
 */
async function printDrift(folder: string, isLong: boolean): Promise<void> {
  const { pairs, versions } = readTraffic(folder);
  const validator = createDirectValidator();
  print('server | from | to | security | breaking | warning | info | proven | most frequent');
  for (const pair of pairs) {
    const findings = (await judgePair(pair, validator)).filter(counts);
    const { proven, all } = witnessShare(findings);
    const { name, before, after } = pair;
    print(
      [name, before.version, after.version, ...figures(findings), `${proven}/${all}`, frequent(findings)].join(' | '),
    );
    if (isLong) for (const finding of findings) print(`    ${lineOf(finding)}`);
  }

  const every = allPairs(versions);
  const reasons = new Map(reviewed.map((row) => [placeOfRow(row), row.reason]));
  const undecided: string[] = [];
  const sum = { proven: 0, all: 0 };
  for (const pair of every) {
    const findings = await judgePair(pair, validator);
    const { proven, all } = witnessShare(findings);
    sum.proven += proven;
    sum.all += all;
    for (const finding of findings.filter(isUnclassified)) {
      const place = placeOf(pair, finding);
      undecided.push(`${place} | ${reasons.get(place) ?? 'NOT REVIEWED'}`);
    }
  }
  print(`\nunclassified over all ${every.length} pairs of versions, both directions: ${undecided.length}`);
  if (undecided.length > 0) print('server | from | to | rule | tool | place | why it cannot be decided');
  for (const line of undecided) print(line);
  const share = ((100 * sum.proven) / sum.all).toFixed(1);
  print(`\nbreaking findings that a value can prove: ${sum.all}; proven: ${sum.proven} (${share} %)`);
}

const folder = reference('traffic');
if (folder === null) process.stderr.write('The reference folder is not here, so there is nothing to compare.\n');
else await printDrift(folder, process.argv.includes('--findings'));
