import { Ajv2020 } from 'ajv/dist/2020.js';
import { compareResult, type ResultComparison } from '../../src/compare/results/compare-result.ts';
import type { Change } from '../../src/findings/finding.ts';
import type { JsonObject, JsonValue } from '../../src/json/json-value.ts';
import type { RpcError } from '../../src/protocol/exchange.ts';
import type { CallRecord } from '../../src/recording/observation.ts';
import type { Pins } from '../../src/recording/pin.ts';
import type { ResultShape } from '../../src/recording/result-shape.ts';
import { deriveShape } from '../../src/recording/shape-derive.ts';
import { ruleOf } from '../../src/rules/catalogue.ts';
import type { Severity } from '../../src/rules/rule.ts';
import type { SchemaValidator, Verdict } from '../../src/schemas/schema-validator.ts';

/** Ajv in process, counting how often it is asked. */
export function countingValidator(): SchemaValidator & { readonly asked: () => number } {
  let asked = 0;
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  return {
    asked: () => asked,
    validate: async (schema, value): Promise<Verdict> => {
      asked += 1;
      const validate = ajv.compile(schema as object);
      if (validate(value)) return { kind: 'accepted' };
      const [error] = validate.errors ?? [];
      return { kind: 'refused', pointer: error?.instancePath ?? '', keyword: error?.keyword ?? '' };
    },
    check: async () => ({ kind: 'accepted' }),
    close: async () => {},
  };
}

/** A result, or a JSON-RPC error. */
export type Ending = { readonly result: JsonObject } | { readonly error: RpcError };

export interface Comparing {
  readonly pins?: Pins;
  readonly mustFail?: boolean;
  readonly openWorld?: boolean;
  /** Declared on both sides. */
  readonly schema?: JsonValue;
  readonly recordedSchema?: JsonValue;
  readonly liveSchema?: JsonValue;
  readonly shape?: ResultShape;
  readonly revision?: string;
  readonly validator?: SchemaValidator;
}

const recordOf = (ending: Ending): CallRecord => ({
  tool: 'echo',
  case: 'hello',
  arguments: {},
  outcome: 'result' in ending ? { kind: 'result', result: ending.result } : { kind: 'error', error: ending.error },
  transport: { httpStatus: 200, mediaType: 'json', deprecation: null, sunset: null },
});

export async function compareEndings(
  before: Ending,
  after: Ending,
  options: Comparing = {},
): Promise<readonly Change[]> {
  const input: ResultComparison = {
    recorded: recordOf(before),
    shape: options.shape ?? ('result' in before ? deriveShape(before.result) : null),
    live: recordOf(after),
    callCase: { arguments: {}, pins: options.pins ?? {}, repeat: true, mustFail: options.mustFail ?? false },
    recordedOutputSchema: options.recordedSchema ?? options.schema,
    liveOutputSchema: options.liveSchema ?? options.schema,
    openWorld: options.openWorld ?? false,
    validator: options.validator ?? countingValidator(),
    ...(options.revision === undefined ? {} : { revision: options.revision }),
  };
  return compareResult(input);
}

export const compareResults = (
  before: JsonObject,
  after: JsonObject,
  options: Comparing = {},
): Promise<readonly Change[]> => compareEndings({ result: before }, { result: after }, options);

export const severityOf = (change: Change): Severity => change.severity ?? ruleOf(change.rule).severity;

/** `rule severity pointer`, `<- cause` where another change explains it. */
export const told = (changes: readonly Change[]): readonly string[] =>
  changes.map((change) => {
    const cause = change.consequenceOf === undefined ? '' : ` <- ${change.consequenceOf.rule}`;
    return `${change.rule} ${severityOf(change)} ${change.pointer ?? '-'}${cause}`;
  });

/** Those above info that no other change explains. */
export const loud = (changes: readonly Change[]): readonly string[] =>
  told(changes.filter((change) => severityOf(change) !== 'info' && change.consequenceOf === undefined));

export const text = (value: string, more: JsonObject = {}): JsonObject => ({
  content: [{ type: 'text', text: value }],
  ...more,
});
export const asJson = (value: JsonValue, more: JsonObject = {}): JsonObject => text(JSON.stringify(value), more);
export const both = (value: JsonValue, more: JsonObject = {}): JsonObject =>
  asJson(value, { structuredContent: value, ...more });
export const structured = (value: JsonValue): JsonObject => ({
  content: [{ type: 'text', text: 'see the data' }],
  structuredContent: value,
});
