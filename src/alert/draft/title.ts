import type { Finding } from '../../findings/finding.ts';
import type { Severity } from '../../rules/rule.ts';
import { clipText } from '../../text/clip-text.ts';

const titleUnits = 120;

/** `[mcp-canary] <target>: <what>`. Target ids are configured and plain; nothing else from outside may be in a title. */
export const titleOf = (target: string, what: string): string =>
  clipText(`[mcp-canary] ${target}: ${what}`, titleUnits);

const nouns: Readonly<Record<Severity, readonly [one: string, many: string]>> = {
  security: ['security finding', 'security findings'],
  breaking: ['breaking contract change', 'breaking contract changes'],
  warning: ['warning', 'warnings'],
  info: ['notice', 'notices'],
};

const join = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;

/** `1 security finding and 3 breaking contract changes`; warnings and notices are named where there is nothing worse. */
export function countWords(findings: readonly Finding[]): string {
  const count = (severity: Severity): number => findings.filter((finding) => finding.severity === severity).length;
  const words = (severity: Severity): readonly string[] => {
    const n = count(severity);
    return n === 0 ? [] : [`${n} ${nouns[severity][n === 1 ? 0 : 1]}`];
  };
  const loud = [...words('security'), ...words('breaking')];
  if (loud.length > 0) return join(loud);
  const mild = words('warning');
  return join(mild.length > 0 ? mild : words('info'));
}
