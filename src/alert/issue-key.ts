import { createHash } from 'node:crypto';
import type { AlertClass } from './alert-plan.ts';

/** The first hex digits of a SHA-256 over the parts. */
export const shortHash = (digits: number, ...parts: readonly string[]): string =>
  createHash('sha256').update(parts.join('\0'), 'utf8').digest('hex').slice(0, digits);

/**
 * The identity of an issue: the configuration's own name space (two canaries in one repository do not meet), the target,
 * and the class. 16 hex digits; `k1` names the algorithm.
 */
export const issueKey = (namespace: string, target: string | null, issueClass: AlertClass): string =>
  shortHash(16, 'k1', namespace, target ?? '', issueClass);
