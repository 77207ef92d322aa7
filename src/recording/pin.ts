import type { JsonValue } from '../json/json-value.ts';
import type { StringFormat } from './result-shape.ts';

/** A demand on a value of a result that is otherwise compared by shape. All given demands must hold. */
export interface Pin {
  readonly equals?: JsonValue;
  readonly regex?: string;
  readonly oneOf?: readonly JsonValue[];
  readonly range?: { readonly min?: number | bigint; readonly max?: number | bigint };
  readonly type?: 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object' | 'map';
  readonly format?: StringFormat;
  readonly present?: true;
  /** A safety assertion: the value must not be there (an auth code in a public lookup). */
  readonly absent?: true;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly eachKey?: Pin;
  readonly eachValue?: Pin;
  readonly containsItem?: JsonValue;
  /** The only one that cascades to everything below its pointer. */
  readonly ignore?: true;
}

/** Pins of one case by JSON Pointer; `*` stands for one level. */
export type Pins = Readonly<Record<string, Pin>>;
