import { type JsonObject, member } from '../../json/json-value.ts';
import type { ConfigPath, DraftFault } from '../config-fault.ts';
import { isSecretName } from '../secret-variables.ts';

const httpKeys = ['url', 'credentials', 'tls', 'proxy'] as const;
const stdioKeys = ['command', 'args', 'environment', 'variables'] as const;

/** Where a target is reached: the keys that its transport has, and its address. */
export function checkAddress(path: ConfigPath, target: JsonObject): DraftFault[] {
  const transport = member(target, 'transport');
  if (transport === 'stdio')
    return [
      ...foreignKeys(path, target, httpKeys, 'stdio'),
      ...needs(path, target, 'command'),
      ...probesOverStdio(path, target),
    ];
  if (transport !== 'streamable-http' && transport !== 'http' && transport !== 'sse')
    return checkUrl([...path, 'url'], member(target, 'url'));
  return [
    ...foreignKeys(path, target, stdioKeys, transport),
    ...needs(path, target, 'url'),
    ...checkUrl([...path, 'url'], member(target, 'url')),
    ...checkEra(path, target, transport),
  ];
}

const foreignKeys = (path: ConfigPath, target: JsonObject, keys: readonly string[], transport: string): DraftFault[] =>
  keys
    .filter((key) => member(target, key) !== undefined)
    .map((key) => ({
      path: [...path, key],
      at: 'key',
      problem: `has no meaning for transport ${transport}`,
      mend: 'Remove it, or name another transport.',
    }));

const needs = (path: ConfigPath, target: JsonObject, key: string): DraftFault[] =>
  member(target, key) === undefined
    ? [
        {
          path: [...path, key],
          at: 'value',
          problem: 'is missing',
          mend: `Add ${key}: ${key === 'url' ? 'the address of the server' : 'the program to start'}.`,
        },
      ]
    : [];

const probesOverStdio = (path: ConfigPath, target: JsonObject): DraftFault[] =>
  member(target, 'probes') === true
    ? [
        {
          path: [...path, 'probes'],
          at: 'key',
          problem: 'asks for HTTP requests, and stdio has none',
          mend: 'Remove it.',
        },
      ]
    : [];

const checkEra = (path: ConfigPath, target: JsonObject, transport: string): DraftFault[] =>
  transport === 'sse' && member(target, 'revision') === '2026-07-28'
    ? [
        {
          path: [...path, 'revision'],
          at: 'value',
          problem: 'knows no transport sse',
          mend: 'Offer 2024-11-05, or use streamable-http.',
        },
      ]
    : [];

/** The address is never repeated: it may hold a password. */
function checkUrl(path: ConfigPath, url: unknown): DraftFault[] {
  if (typeof url !== 'string') return [];
  const say = (problem: string, mend: string): DraftFault[] => [{ path, at: 'value', problem, mend }];
  if (/^[a-z]+:\/\/[^/?#]*@/i.test(url))
    return say(
      'holds a user name or a password',
      'Take out what stands before the @, and name a variable under credentials instead. If it was a password, replace it: it has been written down.',
    );
  if (!URL.canParse(url) || /[\s\p{Cc}]/u.test(url)) return say('is no address', 'Write it as https://host/path.');
  const parsed = new URL(url);
  if (parsed.username !== '' || parsed.password !== '')
    return say('holds a user name or a password', 'Name a variable under credentials instead.');
  if (parsed.protocol === 'http:' && !isLoopbackHost(parsed.hostname))
    return say('is not encrypted', 'Use https; http is for loopback addresses only.');
  if (parsed.protocol !== 'https:' && parsed.protocol !== 'http:')
    return say('is neither https nor http', 'Write it as https://host/path.');
  if (parsed.hash !== '') return say('has a fragment, which is never sent', 'Remove the # and what follows.');
  if ([...parsed.searchParams.keys()].some(isSecretName))
    return say(
      'holds a secret in its query',
      'Name a variable under credentials instead. Replace the secret: it has been written down.',
    );
  return [];
}

/** `host` as a parsed URL has it: lower case, IPv4 in four decimal parts, IPv6 in brackets. */
export const isLoopbackHost = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);
