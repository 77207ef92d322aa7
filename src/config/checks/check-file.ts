import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, member } from '../../json/json-value.ts';
import type { DraftFault } from '../config-fault.ts';
import { type Environment, nameFault } from '../secret-variables.ts';
import { checkAddress } from './check-address.ts';
import { checkJudgement } from './check-judgement.ts';
import { checkHistory, checkSchedule } from './check-schedule.ts';
import { checkTools } from './check-tools.ts';
import { checkVariables } from './check-variables.ts';

export interface CheckContext {
  readonly env: Environment;
  /** Targets whose variables must be there. */
  readonly isSelected: (target: string) => boolean;
  readonly allowSharedSecrets: boolean;
}

/**
 * What a schema cannot say: how keys go together, and whether the environment has what they name. Bears any shape of
 * file, so that everything wrong is told at once; what has a wrong shape is the schema's to tell.
 */
export function checkFile(file: JsonValue, context: CheckContext): DraftFault[] {
  if (!isJsonObject(file)) return [];
  const targets = member(file, 'targets');
  const faults = [
    ...checkClient(file),
    ...checkJudgement([], file),
    ...checkSchedule([], file),
    ...checkHistory(file),
    ...checkWebhook(file),
  ];
  if (!isJsonObject(targets)) return faults;
  if (Object.keys(targets).length === 0)
    faults.push({
      path: ['targets'],
      at: 'value',
      problem: 'is empty',
      mend: 'Add a target; mcp-canary init <url> writes the first one.',
    });
  return [
    ...faults,
    ...checkNames(Object.keys(targets)),
    ...Object.entries(targets).flatMap(([id, target]) =>
      isJsonObject(target) ? checkTarget(id, target, file, context) : [],
    ),
  ];
}

const checkTarget = (id: string, target: JsonObject, file: JsonObject, context: CheckContext): DraftFault[] => {
  const path = ['targets', id];
  return [
    ...checkAddress(path, target),
    ...checkOffer(path, target, file),
    ...checkTools([...path, 'tools'], member(target, 'tools')),
    ...checkJudgement(path, target),
    ...checkSchedule(path, target),
    ...checkVariables(path, target, context.isSelected(id) ? context.env : null),
    ...(context.isSelected(id) && !context.allowSharedSecrets
      ? checkForeignSecrets(id, target, file, context.env)
      : []),
  ];
};

/** A recording is a folder, and folders may not tell capitals from small letters. */
function checkNames(ids: readonly string[]): DraftFault[] {
  const seen = new Map<string, string>([
    ['targets.yaml', 'the configuration'],
    ['__proto__', 'every object'],
  ]);
  return ids.flatMap((id): DraftFault[] => {
    const other = seen.get(id.toLowerCase());
    seen.set(id.toLowerCase(), id);
    return other === undefined
      ? []
      : [{ path: ['targets', id], at: 'key', problem: `has the same folder as ${other}`, mend: 'Use another name.' }];
  });
}

function checkClient(file: JsonObject): DraftFault[] {
  const client = member(file, 'client');
  const name = member(client, 'name');
  const version = member(client, 'version');
  const faults: DraftFault[] = [];
  if (name !== undefined && version === undefined)
    faults.push({
      path: ['client', 'version'],
      at: 'value',
      problem: 'is missing',
      mend: 'A client introduces itself by name and version.',
    });
  if (name === undefined && version !== undefined)
    faults.push({
      path: ['client', 'name'],
      at: 'value',
      problem: 'is missing',
      mend: 'A client introduces itself by name and version.',
    });
  const agent = member(client, 'userAgent');
  if (typeof agent === 'string' && !/^[\x20-\x7e]*$/.test(agent))
    faults.push({
      path: ['client', 'userAgent'],
      at: 'value',
      problem: 'cannot go into a header',
      mend: 'Use visible ASCII characters.',
    });
  return faults;
}

function checkWebhook(file: JsonObject): DraftFault[] {
  const variable = member(member(member(file, 'alerts'), 'webhook'), 'variable');
  const fault = typeof variable === 'string' ? nameFault(variable) : null;
  return fault === null
    ? []
    : [{ path: ['alerts', 'webhook', 'variable'], at: 'value', problem: fault.problem, mend: fault.mend }];
}

/** The canary stands for a client; it must not offer what that client cannot speak. */
function checkOffer(path: readonly string[], target: JsonObject, file: JsonObject): DraftFault[] {
  const supports = member(member(file, 'client'), 'supports');
  const revision = member(target, 'revision');
  if (!isJsonArray(supports) || typeof revision !== 'string' || supports.includes(revision)) return [];
  return [
    {
      path: [...path, 'revision'],
      at: 'value',
      problem: 'is not among client.supports',
      mend: 'Offer a revision that the client speaks.',
    },
  ];
}

/** A child of the same user can read our environment through the operating system. */
function checkForeignSecrets(id: string, target: JsonObject, file: JsonObject, env: Environment): DraftFault[] {
  if (member(target, 'transport') !== 'stdio') return [];
  const passedOn = member(target, 'environment');
  const own = new Set(isJsonArray(passedOn) ? passedOn : []);
  const database = member(member(file, 'history'), 'postgres');
  const foreign = [
    'GITHUB_TOKEN',
    ...(typeof database === 'string' ? [database] : []),
    ...secretNamesOfOthers(id, member(file, 'targets')),
  ];
  const set = [...new Set(foreign)]
    .filter((name) => !own.has(name) && Object.hasOwn(env, name) && env[name] !== '' && env[name] !== undefined)
    .sort();
  if (set.length === 0) return [];
  return [
    {
      path: ['targets', id],
      at: 'key',
      problem: `starts a program while ${set.join(', ')} ${set.length === 1 ? 'is' : 'are'} set, and the program could read ${set.length === 1 ? 'it' : 'them'}`,
      mend: 'Run it in a step without them, or pass --allow-shared-secrets if you trust the program.',
    },
  ];
}

function secretNamesOfOthers(id: string, targets: JsonValue | undefined): string[] {
  const others = Object.entries(isJsonObject(targets) ? targets : {}).filter(([other]) => other !== id);
  return others.flatMap(([, target]) => {
    const credentials = member(target, 'credentials');
    const headers = member(credentials, 'headers');
    return [member(credentials, 'bearer'), ...Object.values(isJsonObject(headers) ? headers : {})].filter(
      (name) => typeof name === 'string',
    );
  });
}
