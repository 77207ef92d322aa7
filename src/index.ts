// The public API. Each name here is a promise; `test/public-api.test.ts` lists them.

export { compareBareLists, compareRecordings } from './compare/compare-lists.ts';
export type { Config, TargetConfig } from './config/config.ts';
export { configJsonSchema } from './config/config-json-schema.ts';
export { type ConfigInput, loadConfig } from './config/load-config.ts';
export { CanaryError, type ErrorCode } from './errors.ts';
export type { Failure, FailureClass, Note } from './findings/failure.ts';
export { counts, type Finding, type Witness } from './findings/finding.ts';
export type { FailOn, Report, TargetReport, TargetState } from './findings/report.ts';
export type { JsonObject, JsonValue } from './json/json-value.ts';
export type { Clock, Files, Random } from './ports.ts';
export { createNodeFiles } from './recording/node-files.ts';
export type { Recording } from './recording/recording.ts';
export { createRecordingShelf } from './recording/recording-shelf.ts';
export { readRecording } from './recording/store.ts';
export { reportJsonSchema } from './report/report-schema.ts';
export { loadReporter, type ReporterName, reporterNames } from './report/reporters.ts';
export { type RuleId, ruleOf, rules } from './rules/catalogue.ts';
export type { Rule, Severity } from './rules/rule.ts';
export { checkTargets, type RunOptions } from './run/check-targets.ts';
export { createOpenClient, createOpenFetch } from './run/open-client.ts';
export { type RunProgress, type RunWorld, silentProgress } from './run/run-world.ts';
export type { SchemaValidator } from './schemas/schema-validator.ts';
export { createWorkerValidator } from './schemas/worker-validator.ts';
export { type RunningStandIn, serveStandIn } from './stand-in/serve-stand-in.ts';
export { systemClock } from './system-clock.ts';
