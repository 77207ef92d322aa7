import { counts, type Finding } from '../findings/finding.ts';
import type { Report, TargetReport } from '../findings/report.ts';
import type { JsonValue } from '../json/json-value.ts';
import { writeJson } from '../json/write-json.ts';
import { type RuleId, ruleOf } from '../rules/catalogue.ts';
import type { Severity } from '../rules/rule.ts';
import { clipText } from '../text/clip-text.ts';
import { renderSarifText } from '../text/render-sarif.ts';

const levels: Readonly<Record<Severity, 'error' | 'warning' | 'note'>> = {
  security: 'error',
  breaking: 'error',
  warning: 'warning',
  info: 'note',
};

/** Units of one message; GitHub shows little more. */
const messageUnits = 1_000;

/**
 * The report as SARIF 2.1.0, for code scanning: rules from the catalogue (those that were hit), findings that count, and
 * waived ones as suppressed. A finding points at the recording it contradicts. What could not be judged is a tool
 * notification and makes the invocation unsuccessful. Messages are plain text.
 */
export function reportSarif(report: Report): string {
  const found = report.targets.flatMap((target) =>
    target.findings
      .filter((finding) => counts(finding) || finding.waived !== null)
      .map((finding) => ({ target, finding })),
  );
  const ids = [...new Set(found.map(({ finding }) => finding.rule))].sort();
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: report.tool.name,
            semanticVersion: report.tool.version,
            rules: ids.map(writeRule),
          },
        },
        automationDetails: { id: 'mcp-canary/', guid: report.run },
        invocations: [
          {
            executionSuccessful: report.targets.length > 0 && report.targets.every((target) => target.failure === null),
            startTimeUtc: report.startedAt,
            endTimeUtc: report.finishedAt,
            toolExecutionNotifications: [
              ...report.targets.flatMap(writeNotification),
              ...report.canary.map(writeCanary),
            ],
          },
        ],
        results: found.map(({ target, finding }) => writeResult(target, finding, ids)),
        columnKind: 'utf16CodeUnits',
      },
    ],
  };
  return writeJson(log as unknown as JsonValue, { order: 'kept', finalNewline: true }).replaceAll('##[', '##\\u005b');
}

const plainText = (text: string): { readonly text: string } => ({
  text: renderSarifText(clipText(text, messageUnits)),
});

function writeRule(id: RuleId) {
  const rule = ruleOf(id);
  return {
    id,
    shortDescription: { text: id.replaceAll('-', ' ') },
    fullDescription: { text: rule.why },
    help: { text: `${rule.why}\n\n${rule.remedy}`, markdown: `${rule.why}\n\n**What to do.** ${rule.remedy}` },
    defaultConfiguration: { level: levels[rule.severity] },
    properties: {
      tags: [rule.area, rule.severity],
      ...(rule.severity === 'security' ? { 'security-severity': '8.0' } : {}),
    },
  };
}

/** The file of the recording that a finding contradicts; a path of ours, so that code scanning has a place to show it at. */
const fileOf = (target: string, { method }: Finding): string => {
  const names = {
    initialize: 'handshake.json',
    'notifications/initialized': 'handshake.json',
    'tools/list': 'tools-list.json',
    'tools/call': 'recording.json',
  } as const;
  return `recordings/${encodeURIComponent(target)}/${names[method]}`;
};

const logicalName = (
  target: string,
  place: { readonly tool: string | null; readonly pointer: string | null },
): string =>
  renderSarifText(
    clipText([target, place.tool, place.pointer].filter((part) => part !== null).join(' '), messageUnits),
  );

function writeResult(target: TargetReport, finding: Finding, ids: readonly RuleId[]) {
  return {
    ruleId: finding.rule,
    ruleIndex: ids.indexOf(finding.rule),
    level: levels[finding.severity],
    message: plainText(finding.message),
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: fileOf(target.target, finding), uriBaseId: '%SRCROOT%' },
          region: { startLine: 1 },
        },
        logicalLocations: finding.places
          .slice(0, 100)
          .map((place) => ({ fullyQualifiedName: logicalName(target.target, place) })),
      },
    ],
    partialFingerprints: { 'mcpCanaryFinding/v1': finding.fingerprint, 'mcpCanaryContent/v1': finding.digest },
    ...(finding.waived === null
      ? {}
      : {
          suppressions: [
            { kind: 'external', status: 'accepted', justification: renderSarifText(finding.waived.reason) },
          ],
        }),
    properties: {
      target: target.target,
      severity: finding.severity,
      confidence: finding.confidence,
      impact: finding.impact,
    },
  };
}

const writeNotification = ({ target, failure }: TargetReport) =>
  failure === null
    ? []
    : [
        {
          level: 'error',
          descriptor: { id: failure.class },
          message: plainText(`${target} could not be judged (${failure.class} at ${failure.step}): ${failure.message}`),
        },
      ];

const writeCanary = (finding: Finding) => ({
  level: levels[finding.severity],
  descriptor: { id: finding.rule },
  message: plainText(finding.message),
});
