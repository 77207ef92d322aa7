import { z } from 'zod';
import { targetLimits } from '../limits.ts';
import { revisions } from '../protocol/revisions.ts';
import { severities } from '../rules/rule.ts';
import { buildPinSchema, faultText, jsonObject } from './pin-schema.ts';
import { buildHistorySchema, buildScheduleSchema, buildTimetableSchema } from './schedule-settings.ts';

/** Folder names on every system, and safe in the commands an alert prints. */
export const targetIdPattern = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9])?$/;
export const caseNamePattern = /^[a-z0-9-]{1,64}$/;

const text = () => z.string().min(1);
const variableName = () => z.string();
const severity = () => z.enum(severities);
const severityByRule = () => z.record(z.string(), severity()).describe('Another severity for a rule.');

/** Whole numbers, except where a fraction has a meaning; never above the built-in ceiling. */
const limit = (ceiling: number, what: string) =>
  z.int().min(1).max(ceiling).optional().describe(`${what}; at most ${ceiling}, the default.`);

const buildLimitsSchema = () =>
  z.strictObject({
    connectMs: limit(targetLimits.connectMs, 'Milliseconds until a connection stands'),
    firstByteMs: limit(targetLimits.firstByteMs, 'Milliseconds until the first byte of an answer'),
    requestMs: limit(targetLimits.requestMs, 'Milliseconds for one request'),
    targetMs: limit(targetLimits.targetMs, 'Milliseconds for one look at the target'),
    bodyBytes: limit(targetLimits.bodyBytes, 'Bytes of one decoded body'),
    nodes: limit(targetLimits.nodes, 'JSON values in one body'),
    depth: limit(targetLimits.depth, 'Nesting of one JSON body'),
    pages: limit(targetLimits.pages, 'Pages of one tools/list'),
    tools: limit(targetLimits.tools, 'Tools of one tools/list'),
    messages: limit(targetLimits.messages, 'Messages of one event stream'),
    requestsPerSecond: z
      .number()
      .positive()
      .max(targetLimits.requestsPerSecond)
      .optional()
      .describe(`Requests a second; at most ${targetLimits.requestsPerSecond}, the default.`),
  });

const buildToolsSchema = () => {
  const call = z.strictObject({
    arguments: jsonObject().optional().describe('What is sent; absent: no arguments.'),
    pins: z
      .record(z.string(), buildPinSchema())
      .optional()
      .describe('Demands on the result, by JSON Pointer; * stands for one level.'),
    repeat: z.boolean().optional().describe('false: sent in the first look only.'),
    mustFail: z.boolean().optional().describe('true: an error is the recorded contract.'),
  });
  const caseName = z.string().regex(caseNamePattern, {
    error: faultText('is no name for a case', 'Use 1 to 64 of a-z, 0-9 and -.'),
  });
  const tool = z.strictObject({
    calls: z
      .record(caseName, call)
      .nullable()
      .optional()
      .describe('Makes the tool callable, with these arguments only.'),
  });
  return z
    .record(text(), tool.nullable())
    .describe('The tools that are depended on; absent: every tool is watched, none is called.');
};

const buildWaiverSchema = () =>
  z.strictObject({
    rule: z.string().describe('The id of a rule: see `mcp-canary rules`.'),
    tool: text().optional(),
    fingerprint: z
      .string()
      .regex(/^[0-9a-f]{4,16}$/, {
        error: faultText('is no fingerprint', 'Copy it, or at least four digits of it, from the report.'),
      })
      .optional(),
    until: z.string().optional().describe('The last day it holds, YYYY-MM-DD, UTC.'),
    reason: text(),
  });

const buildTargetSchema = () =>
  z.strictObject({
    registrar: text().optional().describe('The company that runs the server, for people.'),
    consumer: z.enum(['code', 'agent']).optional().describe('Who reads the texts of the server.'),
    transport: z.enum(['streamable-http', 'http', 'stdio', 'sse']),
    url: z.string().optional().describe('https, or http on a loopback address.'),
    command: text().optional().describe('The program of a stdio server.'),
    args: z.array(z.string()).optional(),
    environment: z.array(variableName()).optional().describe('Names of variables that are passed on; nothing else is.'),
    variables: z.record(z.string(), z.string()).optional().describe('Variables with literal values; no secrets.'),
    revision: z.enum(revisions).optional().describe('The MCP revision that is offered.'),
    credentials: z
      .strictObject({
        bearer: variableName().optional().describe('The NAME of an environment variable with the token.'),
        headers: z
          .record(z.string(), variableName())
          .optional()
          .describe('Header names, each with the NAME of an environment variable.'),
      })
      .optional(),
    tools: buildToolsSchema().optional(),
    limits: buildLimitsSchema().optional(),
    confirm: z
      .strictObject({ looks: z.int().min(1).max(2).optional(), delayMs: z.int().min(0).max(600_000).optional() })
      .optional()
      .describe('How often, and how long after, a finding is looked for again.'),
    probes: z.boolean().optional().describe('Transport probes with every run.'),
    schedule: buildTimetableSchema().optional(),
    failurePatterns: z.array(text()).optional().describe('A result that says one of these is a failure, not drift.'),
    severity: severityByRule().optional(),
    waivers: z.array(buildWaiverSchema()).optional(),
    tls: z
      .strictObject({ caFile: text() })
      .optional()
      .describe('A file with the certificate authorities (PEM) to trust, beside this one.'),
    proxy: z.literal('environment').optional().describe('Go through the proxy that HTTPS_PROXY and NO_PROXY name.'),
  });

const buildAlertsSchema = () =>
  z.strictObject({
    github: z
      .strictObject({
        repository: z
          .string()
          .regex(/^[A-Za-z0-9](?:[A-Za-z0-9-]*)\/[A-Za-z0-9._-]+$/, {
            error: faultText('is no repository', 'Write owner/name.'),
          })
          .optional(),
        labels: z.array(text()).min(1).optional(),
        unavailableAfter: z.int().min(1).max(1000).optional(),
        openAt: z.enum(['breaking', 'warning', 'info']).optional(),
        evidence: z.enum(['values', 'shapes', 'none']).optional(),
        author: text().optional(),
        openPullRequest: z.boolean().optional(),
      })
      .optional(),
    webhook: z
      .strictObject({ variable: variableName().describe('The NAME of the environment variable with the address.') })
      .optional(),
  });

/** The file as a whole. Built when it is needed: a command without a configuration pays nothing. */
export const buildTargetsFileSchema = () =>
  z.strictObject({
    formatVersion: z.literal(1),
    failOn: z
      .enum(['breaking', 'warning', 'info'])
      .optional()
      .describe('From which severity on a run fails; security counts as breaking.'),
    consumer: z.enum(['code', 'agent']).optional().describe('Who reads the texts of the servers.'),
    client: z
      .strictObject({
        name: text().optional(),
        version: text().optional(),
        userAgent: text().optional(),
        supports: z
          .array(z.enum(revisions))
          .min(1)
          .optional()
          .describe('Revisions that the client speaks; absent: all.'),
      })
      .optional()
      .describe('The client that the canary stands for.'),
    severity: severityByRule().optional(),
    targets: z.record(
      z.string().regex(targetIdPattern, {
        error: faultText('is no name for a target', 'Use 1 to 64 letters, digits, and . _ - between them.'),
      }),
      buildTargetSchema(),
    ),
    alerts: buildAlertsSchema().optional(),
    schedule: buildScheduleSchema().optional(),
    history: buildHistorySchema().optional(),
  });

export type TargetsFile = z.output<ReturnType<typeof buildTargetsFileSchema>>;
export type TargetEntry = TargetsFile['targets'][string];
