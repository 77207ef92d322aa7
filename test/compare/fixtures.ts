import type { JsonValue } from '../../src/json/json-value.ts';
import type { CallCase } from '../../src/recording/consumer-use.ts';
import { caseKey } from '../../src/recording/recording.ts';
import { deriveShape } from '../../src/recording/shape-derive.ts';
import type { RuleId } from '../../src/rules/catalogue.ts';
import { asEnding, type ResultRow, resultRows } from '../compare-results/rows.ts';
import { type DriftRow, driftRows } from '../compare-schema/drift-rows.ts';
import { annotationRows } from './rows/annotation-rows.ts';
import { initRows } from './rows/init-rows.ts';
import { listRows } from './rows/list-rows.ts';
import { recordingRows } from './rows/recording-rows.ts';
import type { Row } from './rows/row.ts';
import { transportRows } from './rows/transport-rows.ts';
import { call, contract, list, readOnly, type Sides, tool } from './sides.ts';

/** A row of any table as both sides of a whole comparison, with the rule that has to speak, or to be quiet. */
export interface Fixture {
  readonly rule: RuleId;
  readonly about: string;
  readonly sides: Sides;
  readonly fires: boolean;
}

const ofServer = ({ rule, about, sides, severity }: Row): Fixture => ({ rule, about, sides, fires: severity !== null });

/** The whole schema around one end of a row. */
const wholeOf = (row: DriftRow, schema: JsonValue): JsonValue =>
  row.whole ? schema : { type: 'object', properties: { p: schema, q: { type: 'string' } } };

function ofSchema(row: DriftRow, direction: 'input' | 'output'): readonly Fixture[] {
  const told = row[direction];
  if (told === undefined) return [];
  const rule = `${direction}-${told[0]}` as RuleId;
  const listed = (schema: JsonValue) =>
    contract({
      list: list([tool('check', { [`${direction}Schema`]: wholeOf(row, schema) })]),
      calls:
        direction === 'input'
          ? (row.sent ?? []).map((p, at) => call('check', `case-${at}`, { arguments: { p } }))
          : [call('check')],
    });
  const side = (schema: JsonValue) => ({ contract: listed(schema) });
  return [
    { rule, about: row.id, fires: true, sides: { recording: side(row.before), observation: side(row.after) } },
    {
      rule,
      about: `${row.id}: recorded so`,
      fires: false,
      sides: { recording: side(row.after), observation: side(row.after) },
    },
  ];
}

function ofResult(rule: RuleId, { name, before, after, tells, options = {} }: ResultRow): Fixture {
  const [recorded, live] = [asEnding(before), asEnding(after)];
  const args = { text: 'example.com' };
  const callCase: CallCase = {
    arguments: args,
    pins: options.pins ?? {},
    repeat: true,
    mustFail: options.mustFail ?? false,
  };
  const side = (ending: typeof recorded, schema: JsonValue | undefined) =>
    contract({
      list: list([
        tool('check', {
          outputSchema: schema,
          annotations: { ...readOnly, openWorldHint: options.openWorld ?? false },
        }),
      ]),
      calls: [
        call('check', 'taken', {
          arguments: args,
          outcome:
            'result' in ending ? { kind: 'result', result: ending.result } : { kind: 'error', error: ending.error },
        }),
      ],
    });
  const shape = options.shape ?? ('result' in recorded ? deriveShape(recorded.result) : null);
  return {
    rule,
    about: name,
    fires: tells.some((line) => line.split(' ')[0] === rule),
    sides: {
      recording: {
        contract: side(recorded, options.recordedSchema ?? options.schema),
        shapes: shape === null ? new Map() : new Map([[caseKey('check', 'taken'), shape]]),
      },
      observation: {
        contract: side(live, options.liveSchema ?? options.schema),
        revision: options.revision ?? '2025-11-25',
      },
      use: { tools: new Map([['check', { calls: { taken: callCase } }]]) },
    },
  };
}

/** Every row of every table. */
export const fixtures: readonly Fixture[] = [
  ...[...initRows, ...transportRows, ...listRows, ...annotationRows, ...recordingRows].map(ofServer),
  ...driftRows.flatMap((row) => [...ofSchema(row, 'input'), ...ofSchema(row, 'output')]),
  ...Object.entries(resultRows).flatMap(([rule, rows]) => rows.map((row) => ofResult(rule as RuleId, row))),
];
