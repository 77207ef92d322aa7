import { z } from 'zod';
import { failureClasses, otherSteps } from '../findings/failure.ts';
import type { Finding, Witness } from '../findings/finding.ts';
import { caseNamePattern, fingerprintPattern, targetIdPattern } from '../findings/identifiers.ts';
import type { Report, TargetReport } from '../findings/report.ts';
import { isJsonObject, type JsonValue } from '../json/json-value.ts';
import { methods } from '../protocol/methods.ts';
import { isRuleId, rules } from '../rules/catalogue.ts';
import { severities } from '../rules/rule.ts';
import { headOf } from '../text/clip-text.ts';
import { renderForTerminal } from '../text/render-terminal.ts';

/** Ceilings of a report that is read from elsewhere; a file over them is refused. */
const ceilings = { targets: 10_000, findings: 200_000, places: 10_000, steps: 100_000, notes: 10_000 } as const;
/** Units of a text that was taken from a server, when it is read; a longer one is clipped, or a server could refuse its own alert. */
const textUnits = 8_192;

const text = z.string();
const count = z.number().int().nonnegative();
const id = z.string().regex(targetIdPattern);
const hash = z.string().regex(fingerprintPattern);
const digest = z
  .string()
  .regex(/^sha256:[0-9a-f]{64}$/)
  .nullable();
const instant = z.iso.datetime();
const method = z.enum(methods);
const step = z.enum([...methods, ...otherSteps]);
const severity = z.enum(severities);
const state = z.enum(['steady', 'drifted', 'inconclusive']);
const ruleId = z.enum(rules.map((rule) => rule.id) as [string, ...string[]]);
/** Any JSON; what `before`, `after` and a witness hold was written by a server. */
const json = z.unknown();

const place = z.object({ tool: text.nullable(), pointer: text.nullable() });

const finding = z.object({
  fingerprint: hash,
  rule: ruleId,
  family: z.string().regex(/^[a-z-]{1,64}$/),
  severity,
  confidence: z.enum(['proven', 'inferred', 'unclassified']),
  impact: z.enum(['hits-recording', 'not-recorded', 'unknown']),
  method,
  tool: text.nullable(),
  case: z.string().regex(caseNamePattern).nullable(),
  pointer: text.nullable(),
  places: z.array(place).max(ceilings.places),
  before: json,
  after: json,
  digest: hash,
  message: text,
  witness: json
    .refine((value) => value === null || isJsonObject(value as JsonValue), 'expected an object or null')
    .meta({ type: ['object', 'null'], properties: { value: {}, accepts: { enum: ['recorded', 'live'] } } }),
  waived: z.object({ reason: text, until: z.iso.date().nullable() }).nullable(),
  inhibitedBy: hash.nullable(),
  unconfirmed: z.boolean(),
});

const target = z.object({
  target: id,
  registrar: text.nullable(),
  transport: z.enum(['streamable-http', 'stdio', 'sse']),
  consumer: z.enum(['code', 'agent']),
  state,
  era: z.enum(['handshake', 'stateless']),
  revision: z.object({ offered: text, recorded: text.nullable(), live: text.nullable() }),
  server: z.object({ name: text, version: text }).nullable(),
  contract: z.object({ recorded: digest, live: digest }),
  provenance: z.enum(['live', 'reconstructed']).nullable(),
  looks: count,
  replayed: z
    .array(
      z.object({
        method,
        tool: text.nullable(),
        case: z.string().regex(caseNamePattern).nullable(),
        outcome: z.enum(['answered', 'failed', 'skipped']),
        httpStatus: count.nullable(),
        durationMs: z.number().nonnegative(),
        bytes: count,
      }),
    )
    .max(ceilings.steps),
  failure: z.object({ class: z.enum(failureClasses), step, message: text }).nullable(),
  notes: z
    .array(
      z.object({
        code: z.string().regex(/^[a-z0-9-]{1,64}$/),
        step: z.enum([...methods, ...otherSteps, 'close']),
        message: text,
      }),
    )
    .max(ceilings.notes),
  findings: z.array(finding).max(ceilings.findings),
});

const reportSchema = z.object({
  formatVersion: z.literal(1),
  run: z.guid(),
  tool: z.object({ name: z.literal('mcp-canary'), version: z.string().regex(/^[\w.+-]{1,64}$/) }),
  startedAt: instant,
  finishedAt: instant,
  failOn: z.enum(['breaking', 'warning', 'info']),
  configured: z.array(id).max(ceilings.targets),
  verdict: state,
  targets: z.array(target).max(ceilings.targets),
  canary: z.array(finding).max(ceilings.findings),
  summary: z.object({
    targets: count,
    judged: count,
    steady: count,
    drifted: count,
    inconclusive: count,
    breaking: count,
    security: count,
    warning: count,
    info: count,
  }),
});

/** The JSON Schema (2020-12) of the JSON report, formatVersion 1, to be published. */
export const reportJsonSchema = (): Readonly<Record<string, unknown>> => ({
  title: 'Report of mcp-canary, formatVersion 1',
  ...z.toJSONSchema(reportSchema, { reused: 'ref' }),
});

export type ReadReport =
  | { readonly ok: true; readonly report: Report }
  | { readonly ok: false; readonly faults: readonly string[] };

/**
 * Reads a report that somebody hands to us: parsed JSON in, a report or its faults out (at most ten, rendered, each with
 * its place). Members we do not know are dropped. Texts of servers are clipped, and stay untrusted: whoever shows them
 * renders them. Never throws.
 */
export function readReport(value: JsonValue): ReadReport {
  const parsed = reportSchema.safeParse(value);
  if (parsed.success) return { ok: true, report: settle(parsed.data) };
  const faults = parsed.error.issues
    .slice(0, 10)
    .map(({ path, message }) =>
      renderForTerminal(`${path.map(String).join('.') || 'the report'}: ${message.slice(0, 160)}`),
    );
  return { ok: false, faults };
}

type Parsed = z.infer<typeof reportSchema>;
type ParsedFinding = Parsed['canary'][number];

const settle = (parsed: Parsed): Report => ({
  ...parsed,
  targets: parsed.targets.map(
    (one): TargetReport => ({
      ...one,
      registrar: clipped(one.registrar),
      server: one.server === null ? null : { name: clip(one.server.name), version: clip(one.server.version) },
      failure: one.failure === null ? null : { ...one.failure, message: clip(one.failure.message) },
      notes: one.notes.map((note) => ({ ...note, message: clip(note.message) })),
      replayed: one.replayed.map((replayed) => ({ ...replayed, tool: clipped(replayed.tool) })),
      findings: one.findings.map(settleFinding),
    }),
  ),
  canary: parsed.canary.map(settleFinding),
});

function settleFinding(parsed: ParsedFinding): Finding {
  if (!isRuleId(parsed.rule)) throw new TypeError(`the schema let ${parsed.rule} pass`);
  return {
    ...parsed,
    rule: parsed.rule,
    tool: clipped(parsed.tool),
    pointer: clipped(parsed.pointer),
    places: parsed.places.map((one) => ({ tool: clipped(one.tool), pointer: clipped(one.pointer) })),
    message: clip(parsed.message),
    before: parsed.before as JsonValue,
    after: parsed.after as JsonValue,
    witness: readWitness(parsed.witness as JsonValue),
  };
}

/** Another program may say what proves a finding in its own members; then the whole object is the value. */
function readWitness(value: JsonValue): Witness | null {
  if (!isJsonObject(value)) return null;
  const shown = Object.hasOwn(value, 'value') ? (value.value ?? null) : value;
  const { accepts } = value;
  return accepts === 'recorded' || accepts === 'live' ? { value: shown, accepts } : { value: shown };
}

const clip = (value: string): string => headOf(value, textUnits);
const clipped = (value: string | null): string | null => (value === null ? null : clip(value));
