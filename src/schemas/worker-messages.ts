import type { JsonValue } from '../json/json-value.ts';
import type { Formats, Verdict } from './schema-validator.ts';

/** What the main thread asks of the worker. A schema travels once; later questions name it. */
export interface Question {
  readonly id: number;
  readonly task: 'validate' | 'check';
  readonly schema: { readonly name: number; readonly whole?: JsonValue };
  readonly value: JsonValue;
  readonly dialect: 'draft-07' | '2020-12';
  readonly formats: Formats;
  /** Names of schemas that will not be asked about again. */
  readonly forget: readonly number[];
}

/** `id` 0 says that the worker is ready. */
export interface Answer {
  readonly id: number;
  readonly verdict: Verdict;
}
