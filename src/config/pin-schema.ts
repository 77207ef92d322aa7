import { z } from 'zod';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts';
import { stringFormats } from '../recording/result-shape.ts';

/** The text of a custom fault, for `schema-faults.ts`: what is wrong, and the mend. */
export const faultText = (problem: string, mend: string): string => `${problem}\n${mend}`;

/** Any JSON value, untouched: members called `__proto__` and large integers survive. */
export const jsonValue = () =>
  z.custom<JsonValue>((value) => value !== undefined, { error: faultText('is missing', 'Write a value.') });

export const jsonObject = () =>
  z
    .custom<JsonObject>((value) => isJsonObject(value as JsonValue), {
      error: faultText('must be a mapping', 'Write names and values.'),
    })
    .meta({ type: 'object' });

const exactNumber = () =>
  z
    .custom<number | bigint>((value) => typeof value === 'number' || typeof value === 'bigint', {
      error: faultText('must be a number', 'Write a number, without quotes.'),
    })
    .meta({ type: 'number' });

const types = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object', 'map'] as const;

/** A demand on one value of a result; the same words as `recording/pin.ts`. */
export const buildPinSchema = () => {
  const pin = z.strictObject({
    equals: jsonValue().optional().describe('The value is this one.'),
    regex: z.string().optional().describe('The text matches this regular expression (with the u flag).'),
    oneOf: z.array(jsonValue()).min(1).optional().describe('The value is one of these.'),
    range: z
      .strictObject({ min: exactNumber().optional(), max: exactNumber().optional() })
      .optional()
      .describe('The number lies in this range, ends included.'),
    type: z.enum(types).optional(),
    format: z.enum(stringFormats).optional(),
    present: z.literal(true).optional().describe('Something is there, whatever it is.'),
    absent: z.literal(true).optional().describe('Nothing may be there.'),
    minItems: z.int().min(0).optional(),
    maxItems: z.int().min(0).optional(),
    get eachKey() {
      return pin.optional().describe('Every name of the object holds to this.');
    },
    get eachValue() {
      return pin.optional().describe('Every value of the object, or item of the list, holds to this.');
    },
    containsItem: jsonValue().optional().describe('The list has this item.'),
    ignore: z.literal(true).optional().describe('Nothing here or below is compared.'),
  });
  return pin;
};
