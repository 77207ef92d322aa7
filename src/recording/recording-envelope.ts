import { z } from 'zod';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts';
import { methods } from '../protocol/methods.ts';
import { isRuleId, type RuleId } from '../rules/catalogue.ts';

/**
 * What our own files look like. Strict: a member we do not know is an error that names file and key, since it may be a
 * misspelt one. What a server sent (`result`, `tools`, `members`, `error.data`) is any JSON and kept as it is.
 */
const json = z.custom<JsonValue>((value) => value !== undefined, 'must be there');
const jsonObject = z.custom<JsonObject>((value) => isJsonObject(value as JsonValue | undefined), 'must be an object');
const integer = z.union([z.int(), z.bigint()], 'must be an integer');

const ruleId = z.custom<RuleId>((value) => typeof value === 'string' && isRuleId(value), 'is no rule of the catalogue');

const transport = z.strictObject({
  httpStatus: z.int().nullable(),
  mediaType: z.enum(['json', 'event-stream']).nullable(),
  deprecation: z.string().nullable(),
  sunset: z.string().nullable(),
});

const acceptance = z.strictObject({
  at: z.string(),
  by: z.string(),
  reason: z.string(),
  fingerprints: z.array(z.string()),
});

export const recordingFile = z.strictObject({
  formatVersion: z.literal(1),
  target: z.string(),
  era: z.enum(['handshake', 'stateless']),
  revision: z.string(),
  recordedAt: z.iso.datetime(),
  provenance: z.enum(['live', 'reconstructed']),
  authenticated: z.boolean(),
  challenge: z
    .strictObject({ scheme: z.string(), scopes: z.array(z.string()), resourceHost: z.string().nullable() })
    .nullable(),
  acceptances: z.array(acceptance),
  breaches: z
    .array(z.strictObject({ code: ruleId, method: z.enum(methods), name: z.string().exactOptional() }))
    .optional(),
  digests: z.strictObject({ contract: z.string(), files: jsonObject }),
});

export const handshakeFile = z.strictObject({
  offered: z.string(),
  result: jsonObject,
  initialized: z.strictObject({ status: z.int(), empty: z.boolean() }).nullable(),
  session: z.enum(['none', 'issued', 'invalid']),
  transport,
});

export const toolListFile = z.strictObject({
  tools: z.custom<Readonly<Record<string, JsonObject>>>(
    (value) => isJsonObject(value as JsonValue | undefined) && Object.values(value as JsonObject).every(isJsonObject),
    'must be an object of tools by name',
  ),
  duplicates: z.array(z.string()),
  malformed: z.array(z.strictObject({ index: z.int(), value: json })),
  pages: z.int(),
  beyondFirstPage: z.array(z.string()),
  members: jsonObject,
  transport,
});

const request = z.strictObject({ name: z.string(), arguments: jsonObject });

export const resultCallFile = z.strictObject({
  case: z.string(),
  request,
  result: jsonObject,
  shape: jsonObject,
  transport,
});

export const errorCallFile = z.strictObject({
  case: z.string(),
  request,
  error: z.union([
    z.strictObject({ code: integer, message: z.string() }),
    z.strictObject({ code: integer, message: z.string(), data: json }),
  ]),
  transport,
});

/** The faults of a file, one a line: `/challenge: unknown member "scpoes"`. */
export const describeFaults = (error: z.ZodError): string =>
  error.issues
    .map((issue) => {
      const place = issue.path.length === 0 ? '' : `/${issue.path.map(String).join('/')}: `;
      if (issue.code !== 'unrecognized_keys') return `${place}${issue.message}`;
      return `${place}unknown member ${issue.keys.map((key) => JSON.stringify(key)).join(', ')}`;
    })
    .join('; ');
