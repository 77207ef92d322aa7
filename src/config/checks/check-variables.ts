import { isJsonArray, isJsonObject, type JsonObject, member } from '../../json/json-value.ts';
import { limits } from '../../limits.ts';
import type { ConfigPath, DraftFault } from '../config-fault.ts';
import { unusableProxies } from '../proxy-variables.ts';
import {
  type Environment,
  isSecretName,
  isVariableName,
  nameFault,
  readSecret,
  variableOf,
} from '../secret-variables.ts';

/** Headers that the client writes itself; a configured one would break the protocol or the guards. */
const ownHeaders = new Set([
  'accept',
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'last-event-id',
  'origin',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
]);

/**
 * Everything of a target that comes from the environment. Names are checked always, values only where the target is
 * selected (`env` is null elsewhere).
 */
export const checkVariables = (path: ConfigPath, target: JsonObject, env: Environment | null): DraftFault[] => [
  ...checkCredentials([...path, 'credentials'], member(target, 'credentials'), env),
  ...checkPassedOn([...path, 'environment'], member(target, 'environment'), env),
  ...checkLiterals(path, target),
  ...checkProxy([...path, 'proxy'], member(target, 'proxy'), env),
];

function checkCredentials(path: ConfigPath, credentials: unknown, env: Environment | null): DraftFault[] {
  if (!isJsonObject(credentials as JsonObject)) return [];
  const bearer = member(credentials as JsonObject, 'bearer');
  const headers = member(credentials as JsonObject, 'headers');
  const faults = checkSecret([...path, 'bearer'], bearer, env);
  if (!isJsonObject(headers)) return faults;
  const seen = new Set<string>();
  for (const [name, variable] of Object.entries(headers)) {
    const at = [...path, 'headers', name];
    const lower = name.toLowerCase();
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name))
      faults.push({
        path: [...path, 'headers'],
        at: 'value',
        problem: 'has a name that no header can have',
        mend: 'Write X-Api-Key: NAME_OF_A_VARIABLE.',
      });
    else if (ownHeaders.has(lower) || lower.startsWith('mcp-'))
      faults.push({ path: at, at: 'key', problem: 'is a header that the client writes itself', mend: 'Remove it.' });
    else if (seen.has(lower))
      faults.push({
        path: at,
        at: 'key',
        problem: 'is there twice',
        mend: 'Header names are the same in capitals and small letters; keep one.',
      });
    else if (lower === 'authorization' && bearer !== undefined)
      faults.push({ path: at, at: 'key', problem: 'says the same as bearer', mend: 'Keep one of them.' });
    else if (lower === '__proto__')
      faults.push({ path: at, at: 'key', problem: 'cannot be used as a name', mend: 'Use another header.' });
    else faults.push(...checkSecret(at, variable, env));
    seen.add(lower);
  }
  return faults;
}

function checkProxy(path: ConfigPath, proxy: unknown, env: Environment | null): DraftFault[] {
  if (proxy !== 'environment' || env === null) return [];
  return unusableProxies(env).map((name) => ({
    path,
    at: 'value',
    problem: `reads the variable ${name}, which is no address of a proxy`,
    mend: 'Write it as http://host:port.',
  }));
}

function checkSecret(path: ConfigPath, name: unknown, env: Environment | null): DraftFault[] {
  if (typeof name !== 'string') return [];
  const found = env === null ? nameFault(name) : readSecret(name, env);
  return found?.kind === 'fault' ? [{ path, at: 'value', problem: found.problem, mend: found.mend }] : [];
}

function checkPassedOn(path: ConfigPath, names: unknown, env: Environment | null): DraftFault[] {
  if (!isJsonArray(names as string[])) return [];
  return (names as readonly unknown[]).flatMap((name, at): DraftFault[] => {
    if (typeof name !== 'string') return [];
    const say = (problem: string, mend: string): DraftFault[] => [{ path: [...path, at], at: 'value', problem, mend }];
    const misnamed = nameFault(name);
    if (misnamed)
      return say(
        misnamed.problem,
        name.includes('=') ? 'Write the name only; a literal value goes under variables.' : misnamed.mend,
      );
    if (env === null) return [];
    const value = variableOf(env, name);
    if (value === undefined)
      return say(`names the variable ${name}, which is not set`, `Set ${name}, or remove it from the list.`);
    if (isSecretName(name) && value.length < limits.secretCharacters)
      return say(
        `names the variable ${name}, a secret shorter than ${limits.secretCharacters} characters`,
        'A secret that short would be found everywhere; use a longer one.',
      );
    return [];
  });
}

function checkLiterals(path: ConfigPath, target: JsonObject): DraftFault[] {
  const variables = member(target, 'variables');
  if (!isJsonObject(variables)) return [];
  const passedOn = member(target, 'environment');
  return Object.keys(variables).flatMap((name): DraftFault[] => {
    const say = (problem: string, mend: string): DraftFault[] => [
      { path: [...path, 'variables', name], at: 'key', problem, mend },
    ];
    if (!isVariableName(name) || name === '__proto__')
      return say('is no name for a variable', 'Use letters, digits and _.');
    if (isSecretName(name))
      return say(
        'is a secret by its name, and has its value in the file',
        'Name it under environment instead, and set it outside. If this was a secret, replace it.',
      );
    if (isJsonArray(passedOn) && passedOn.includes(name)) return say('is under environment, too', 'Keep one of them.');
    return [];
  });
}
