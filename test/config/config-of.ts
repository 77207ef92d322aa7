import type { Config } from '../../src/config/config.ts';
import { type ConfigInput, loadConfig } from '../../src/config/load-config.ts';
import type { CanaryError } from '../../src/errors.ts';
import { isCanaryError } from '../../src/errors.ts';

const base = { file: 'recordings/targets.yaml', env: {}, select: null, version: '9.9.9' } as const;

export const configOf = (text: string, more: Partial<ConfigInput> = {}): Config =>
  loadConfig({ ...base, text, ...more });

/** The error that a text brings, or a failed test. */
export function faultOf(text: string, more: Partial<ConfigInput> = {}): CanaryError {
  try {
    configOf(text, more);
  } catch (error) {
    if (isCanaryError(error)) return error;
    throw error;
  }
  throw new Error('the configuration was accepted');
}

/** A file with one HTTP target `a`, whose further lines are given (indented by four). */
export const withTarget = (...lines: readonly string[]): string =>
  [
    'formatVersion: 1',
    'targets:',
    '  a:',
    '    transport: streamable-http',
    '    url: https://mcp.example/mcp',
    ...lines.map((line) => `    ${line}`),
    '',
  ].join('\n');

export const withStdio = (...lines: readonly string[]): string =>
  [
    'formatVersion: 1',
    'targets:',
    '  a:',
    '    transport: stdio',
    '    command: node',
    ...lines.map((line) => `    ${line}`),
    '',
  ].join('\n');

/** A file with a call whose further lines are given (indented by ten). */
export const withCall = (...lines: readonly string[]): string =>
  withTarget(
    'tools:',
    '  check:',
    '    calls:',
    '      taken:',
    '        arguments: { domain: google.com }',
    ...lines.map((line) => `        ${line}`),
  );
