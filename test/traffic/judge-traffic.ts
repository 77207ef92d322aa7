import { compareRecordings } from '../../src/compare/compare-lists.ts';
import { kinds } from '../../src/compare/schema/kinds.ts';
import { counts, type Finding } from '../../src/findings/finding.ts';
import type { RuleId } from '../../src/rules/catalogue.ts';
import type { SchemaValidator } from '../../src/schemas/schema-validator.ts';
import { recordingOf } from '../compare/sides.ts';
import type { Version, VersionPair } from './read-traffic.ts';
import type { Reviewed } from './unclassified.ts';

const asRecording = ({ name, revision, contract }: Version) => recordingOf({ target: name, revision, contract });

/** What one version means to an agent that watches every tool of the other. */
export const judgePair = ({ before, after }: VersionPair, validator: SchemaValidator): Promise<readonly Finding[]> =>
  compareRecordings(asRecording(before), asRecording(after), validator);

/** Every version of a server with every other one, forwards and backwards. */
export const allPairs = (versions: readonly Version[]): readonly VersionPair[] =>
  versions.flatMap((before) =>
    versions
      .filter((after) => after.name === before.name && after !== before)
      .map((after) => ({ name: before.name, before, after })),
  );

/** Kinds that no value decides: nothing can be validated, or the comparison was ended. */
const withoutValue: ReadonlySet<string> = new Set(['invalid', 'oversize', 'reference-unresolved', 'reference-remote']);

/** Rules of which a value can be accepted by one side and refused by the other. */
export const rulesWithWitness: ReadonlySet<RuleId> = new Set<RuleId>([
  'input-recording-invalid',
  'output-recording-invalid',
  ...Object.entries(kinds).flatMap(([kind, { input, output, effect }]): RuleId[] => {
    if (withoutValue.has(kind)) return [];
    const isBoth = effect === 'both';
    return [...(isBoth || effect === 'narrows' ? [input] : []), ...(isBoth || effect === 'widens' ? [output] : [])];
  }),
]);

/** Breaking findings that count and whose rule can have a witness, and how many of them carry one. */
export function witnessShare(findings: readonly Finding[]): { readonly proven: number; readonly all: number } {
  const all = findings.filter(
    (finding) => counts(finding) && finding.severity === 'breaking' && rulesWithWitness.has(finding.rule),
  );
  return { proven: all.filter(({ witness }) => witness !== null).length, all: all.length };
}

export const isUnclassified = ({ confidence, rule }: Finding): boolean =>
  confidence === 'unclassified' || (rule.endsWith('-unclassified') && confidence !== 'proven');

/** Where a finding of a pair stands, as a row of the reviewed table names it. */
export const placeOf = (
  { name, before, after }: VersionPair,
  { rule, tool, pointer }: Pick<Finding, 'rule' | 'tool' | 'pointer'>,
): string => [name, before.version, after.version, rule, tool ?? '-', pointer ?? '-'].join(' | ');

export const placeOfRow = ({ server, before, after, rule, tool, pointer }: Reviewed): string =>
  [server, before, after, rule, tool ?? '-', pointer ?? '-'].join(' | ');
