import type { Report } from '../findings/report.ts';
import type { JsonValue } from '../json/json-value.ts';
import { writeJson } from '../json/write-json.ts';

/**
 * The report as JSON (formatVersion 1; its schema is `report-schema.ts`), with a final line feed. Integers beyond 2^53
 * have all their digits, and characters that do not show are escapes.
 */
export function reportJson(report: Report): string {
  const text = writeJson(report as unknown as JsonValue, { order: 'kept', finalNewline: true });
  // A workflow runner that prints the report would obey `##[command]` anywhere in a line. It can only stand in a string.
  return text.replaceAll('##[', '##\\u005b');
}
