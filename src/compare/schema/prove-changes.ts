import type { Change, Witness } from '../../findings/finding.ts';
import type { JsonValue } from '../../json/json-value.ts';
import { ruleOf } from '../../rules/catalogue.ts';
import type { Severity } from '../../rules/rule.ts';
import type { SchemaValidator } from '../../schemas/schema-validator.ts';
import { accepts } from './accepts.ts';
import { candidatesFor } from './candidates.ts';
import { findDifferences } from './find-differences.ts';
import { ruleOfKind } from './kinds.ts';
import { isSameSchema } from './same-schema.ts';
import { openDocument, type SchemaDocument } from './schema-document.ts';
import type { SchemaPair } from './schema-pair.ts';
import { dropDoubles } from './to-change.ts';
import { createTrial, type Trial } from './try-values.ts';
import type { Difference } from './walk.ts';

/** Recorded values that are tried, and changes that are proven. */
const mostRecorded = 32;
const mostProofs = 60;

/** What is known while proving. */
interface Case {
  readonly pair: SchemaPair;
  readonly trial: Trial;
  readonly before: SchemaDocument;
  readonly after: SchemaDocument;
  /** The difference behind each change. */
  readonly differences: ReadonlyMap<string, Difference>;
}

const keyOf = (rule: string, pointer: string | null): string => `${rule}\n${pointer}`;

/**
 * Looks for a value that proves each change: the recorded ones first, then values made up for it. Only what one schema
 * accepted and the other refused, by the validator's word, is a witness; a change with one is `proven`. Recorded values
 * that were valid and are not any more prove the changes that explain them, and stand alone where none does
 * (`input-recording-invalid`, `output-recording-invalid`). A schema that no longer compiles is told, too.
 * Severities that hang on recorded values (`input-pattern-changed`, `input-format-added`, …) are settled here.
 */
export async function proveSchemaChanges(
  pair: SchemaPair,
  changes: readonly Change[],
  validator: SchemaValidator,
): Promise<readonly Change[]> {
  if (changes.length === 0 && isSameSchema(pair.before, pair.after)) return changes;
  const work = openCase(pair, validator);
  const settled: Change[] = [];
  for (const change of changes) settled.push(await settleByRecorded(work, change));
  const { proven, alone } = await proveByRecorded(work, settled);
  if (!takeProof(pair)) return [...proven, ...alone];
  const all = await proveByCandidates(work, proven);
  return [...all, ...alone, ...(await checkCompiles(work, changes))];
}

/** What is recorded is always tried; values are made up, and schemas compiled for it, for so many tools and no more. */
function takeProof({ budget }: SchemaPair): boolean {
  if (budget === undefined) return true;
  budget.proofs -= 1;
  return budget.proofs >= 0;
}

/**
 * Recorded values that the recorded schema itself refuses, by their index: they never matched, so they prove nothing
 * (`canary-recording-weak`).
 */
export async function findUnmatchedRecorded(pair: SchemaPair, validator: SchemaValidator): Promise<readonly number[]> {
  const trial = createTrial(pair, validator);
  const unmatched: number[] = [];
  for (const [index, value] of pair.recorded.slice(0, mostRecorded).entries()) {
    if ((await trial.verdict('before', value)).kind === 'refused') unmatched.push(index);
  }
  return unmatched;
}

function openCase(pair: SchemaPair, validator: SchemaValidator): Case {
  const found = dropDoubles(pair.direction, findDifferences(pair));
  return {
    pair,
    trial: createTrial(pair, validator),
    before: openDocument(pair.before, pair.dialect.before),
    after: openDocument(pair.after, pair.dialect.after),
    differences: new Map(found.map((one) => [keyOf(ruleOfKind(one.kind, pair.direction), one.pointer), one])),
  };
}

const differenceOf = (work: Case, change: Change): Difference | undefined =>
  work.differences.get(keyOf(change.rule, change.pointer));

const severityOf = (change: Change): Severity => change.severity ?? ruleOf(change.rule).severity;

/** What is only told needs no proof. */
const deservesProof = (change: Change): boolean => severityOf(change) !== 'info';

const isLoud = (change: Change): boolean => severityOf(change) === 'breaking' || severityOf(change) === 'security';

/** Patterns and formats: whether what is sent there still passes decides how bad the change is. */
async function settleByRecorded(work: Case, change: Change): Promise<Change> {
  const difference = differenceOf(work, change);
  if (difference === undefined || work.pair.direction !== 'input') return change;
  const sent = difference.place.sent.flatMap(({ value }) => (typeof value === 'string' ? [value] : [])).slice(0, 20);
  if (sent.length === 0) return change;
  if (difference.kind === 'pattern-changed' && typeof difference.after === 'string') {
    const schema = { type: 'string', pattern: difference.after };
    const verdicts = await Promise.all(sent.map((text) => work.trial.ask(schema, text)));
    return verdicts.every((verdict) => verdict.kind === 'accepted') ? { ...change, severity: 'warning' } : change;
  }
  if (difference.kind === 'format-added' || difference.kind === 'format-changed') {
    const schema = { type: 'string', format: difference.after };
    const verdicts = await Promise.all(sent.map((text) => work.trial.ask(schema, text, 'asserted')));
    const fails = verdicts.some((verdict) => verdict.kind === 'refused');
    return fails ? { ...change, severity: 'breaking', impact: 'hits-recording' } : change;
  }
  return change;
}

/** Recorded values that were accepted and are refused now: they are the best proofs there are. */
async function proveByRecorded(
  work: Case,
  changes: readonly Change[],
): Promise<{ readonly proven: readonly Change[]; readonly alone: readonly Change[] }> {
  const { pair, trial } = work;
  const proven = [...changes];
  const alone: Change[] = [];
  for (const [index, value] of pair.recorded.slice(0, mostRecorded).entries()) {
    if ((await trial.verdict('before', value)).kind !== 'accepted') continue;
    const verdict = await trial.verdict('after', value);
    if (verdict.kind !== 'refused') continue;
    let isExplained = false;
    for (const [at, change] of proven.entries()) {
      if (!(await explains(work, change, index))) continue;
      isExplained ||= isLoud(change);
      proven[at] = withWitness(change, { value, accepts: 'recorded' }, true);
    }
    if (!isExplained && alone.length === 0) alone.push(recordingInvalid(pair, value, verdict.pointer, verdict.keyword));
  }
  return { proven, alone };
}

const withWitness = (change: Change, witness: Witness, isRecorded: boolean): Change =>
  change.witness !== undefined
    ? change
    : {
        ...change,
        confidence: 'proven',
        witness,
        ...(isRecorded ? { impact: 'hits-recording' as const } : {}),
      };

/** Whether what a change newly asks is what a recorded value does not satisfy. */
async function explains(work: Case, change: Change, index: number): Promise<boolean> {
  const difference = differenceOf(work, change);
  if (difference === undefined || !difference.narrows) return false;
  for (const { value, from } of difference.place.sent) {
    if (from !== index) continue;
    const { demand } = difference;
    if (demand === undefined) {
      if (accepts(work.after, difference.schemas.after, value) === false) return true;
    } else if ((await work.trial.ask(demand, value)).kind === 'refused') return true;
  }
  return false;
}

function recordingInvalid(pair: SchemaPair, value: JsonValue, pointer: string, keyword: string): Change {
  return {
    rule: pair.direction === 'input' ? 'input-recording-invalid' : 'output-recording-invalid',
    method: 'tools/list',
    tool: pair.tool,
    case: null,
    pointer: `/${pair.direction}Schema`,
    before: value,
    after: { pointer, keyword },
    confidence: 'proven',
    impact: 'hits-recording',
    witness: { value, accepts: 'recorded' },
  };
}

/** Values made up for each change that nothing recorded proves. */
async function proveByCandidates(work: Case, changes: readonly Change[]): Promise<readonly Change[]> {
  const proven: Change[] = [];
  let left = mostProofs;
  for (const change of changes) {
    const difference = differenceOf(work, change);
    const isOpen =
      change.witness === undefined &&
      deservesProof(change) &&
      difference !== undefined &&
      mayBeProven(work, difference);
    if (!isOpen || left <= 0 || work.trial.isSpent()) {
      proven.push(change);
      continue;
    }
    left -= 1;
    const witness = await findWitness(work, difference);
    proven.push(witness === null ? change : withWitness(change, witness, false));
  }
  return proven;
}

const mayBeProven = ({ pair }: Case, { kind, narrows, widens }: Difference): boolean =>
  kind !== 'invalid' &&
  kind !== 'reference-remote' &&
  kind !== 'reference-unresolved' &&
  kind !== 'oversize' &&
  (pair.direction === 'input' ? narrows : widens);

/** Input: accepted before, refused now. Output: refused before, may come now. */
async function findWitness(work: Case, difference: Difference): Promise<Witness | null> {
  const isInput = work.pair.direction === 'input';
  const [side, otherSide] = isInput ? (['before', 'after'] as const) : (['after', 'before'] as const);
  for (const value of candidatesFor(work, work.pair.recorded, difference, side)) {
    if (work.trial.isSpent()) return null;
    if ((await work.trial.verdict(side, value)).kind !== 'accepted') continue;
    if ((await work.trial.verdict(otherSide, value)).kind !== 'refused') continue;
    return { value, accepts: isInput ? 'recorded' : 'live' };
  }
  return null;
}

/** A schema that validators no longer take, for a reason its own keywords do not show. */
async function checkCompiles(work: Case, changes: readonly Change[]): Promise<readonly Change[]> {
  const { pair, trial } = work;
  const rule = pair.direction === 'input' ? 'input-schema-invalid' : 'output-schema-invalid';
  if (changes.some((change) => change.rule === rule)) return [];
  // No metaschema forbids an empty enum, but Ajv does not compile one: that no value is taken says it already.
  if (changes.some((change) => change.rule === `${pair.direction}-schema-impossible`)) return [];
  const verdict = await trial.check('after');
  if (verdict.kind !== 'refused' || (await trial.check('before')).kind !== 'accepted') return [];
  return [
    {
      rule,
      method: 'tools/list',
      tool: pair.tool,
      case: null,
      pointer: `/${pair.direction}Schema${verdict.pointer}`,
      before: null,
      after: verdict.keyword,
    },
  ];
}
