import path from 'node:path';
import type { TransportName } from '../findings/report.ts';
import type { Waiver } from '../findings/waivers.ts';
import { type TargetLimits, targetLimits } from '../limits.ts';
import { eraOf, newestHandshakeRevision } from '../protocol/revisions.ts';
import type { CallCase, ConsumerUse, ToolUse } from '../recording/consumer-use.ts';
import type { Pins } from '../recording/pin.ts';
import type { RuleId } from '../rules/catalogue.ts';
import type { Severity } from '../rules/rule.ts';
import { Secret } from '../text/secret.ts';
import { resolveAlerts } from './alert-settings.ts';
import type { ClientIdentity, Config, Credentials, Endpoint, ProxySettings, TargetConfig } from './config.ts';
import { onceForEqual } from './once-for-equal.ts';
import { readProxy } from './proxy-variables.ts';
import { resolveHistory, resolveSchedule, resolveTimetable } from './schedule-settings.ts';
import { type Environment, isSecretName, readSecret, variableOf } from './secret-variables.ts';
import type { TargetEntry, TargetsFile } from './targets-schema.ts';

export interface Surroundings {
  readonly file: string;
  readonly env: Environment;
  readonly isSelected: (target: string) => boolean;
  /** Of mcp-canary itself. */
  readonly version: string;
  readonly formerSecrets: readonly Secret[];
}

/** Fills in defaults and looks up secrets. The file has no fault, and the environment what the selected targets name. */
export function resolveConfig(file: TargetsFile, around: Surroundings): Config {
  const identity = resolveIdentity(file, around.version);
  const entries = Object.entries(file.targets);
  const secrets = [
    ...around.formerSecrets,
    ...entries.flatMap(([, entry]) => secretsOf(entry, around.env)),
    ...databaseSecrets(file, around.env),
  ];
  // Also those of other targets: two servers may be one operator, who repeats at one what was sent to the other.
  const known = [...new Map(secrets.map((secret) => [secret.reveal(), secret])).values()];
  const common: Common = { file, identity, secrets: known, parts: partsOf(file) };
  return {
    formatVersion: 1,
    file: around.file,
    failOn: file.failOn ?? 'breaking',
    consumer: file.consumer ?? 'code',
    configured: entries.map(([id]) => id),
    targets: new Map(
      entries
        .filter(([id]) => around.isSelected(id))
        .map(([id, entry]) => [id, resolveTarget(id, entry, common, around)]),
    ),
    client: identity,
    alerts: resolveAlerts(file.alerts),
    schedule: resolveSchedule(file.schedule),
    history: resolveHistory(file.history),
    secrets: known,
  };
}

const resolveConfirm = (given: TargetEntry['confirm']): TargetConfig['confirm'] => ({
  looks: given?.looks === 1 ? 1 : 2,
  delayMs: given?.delayMs ?? 5_000,
});

function resolveIdentity(file: TargetsFile, version: string): ClientIdentity {
  const client = { name: file.client?.name ?? 'mcp-canary', version: file.client?.version ?? version };
  return {
    ...client,
    userAgent: file.client?.userAgent ?? `${client.name}/${client.version}`.replace(/[^\x21-\x7e]+/g, '-'),
  };
}

/** What targets have in common. */
interface Common {
  readonly file: TargetsFile;
  readonly identity: ClientIdentity;
  readonly secrets: readonly Secret[];
  readonly parts: ReturnType<typeof partsOf>;
}

/** Parts of a target that say nothing of who and where it is. */
const partsOf = (file: TargetsFile) => ({
  limits: onceForEqual(resolveLimits),
  confirm: onceForEqual(resolveConfirm),
  schedule: onceForEqual((own: TargetEntry['schedule']) => resolveTimetable(own, file.schedule)),
  tools: onceForEqual(resolveTools),
  severity: onceForEqual((own: TargetEntry['severity']) => resolveSeverity(file.severity, own)),
  waivers: onceForEqual((waivers: TargetEntry['waivers']) => (waivers ?? []) as readonly Waiver[]),
  failurePatterns: onceForEqual((patterns: TargetEntry['failurePatterns']) => patterns ?? []),
});

function resolveTarget(id: string, entry: TargetEntry, common: Common, around: Surroundings): TargetConfig {
  const { file, identity, secrets, parts } = common;
  const transport = entry.transport === 'http' ? 'streamable-http' : entry.transport;
  const revision = entry.revision ?? (transport === 'sse' ? '2024-11-05' : newestSupported(file));
  return {
    id,
    registrar: entry.registrar ?? null,
    transport,
    endpoint: resolveEndpoint(entry, around),
    era: eraOf(revision),
    revision,
    use: resolveUse(id, entry, common, transport),
    identity,
    limits: parts.limits(entry.limits),
    confirm: parts.confirm(entry.confirm),
    probes: entry.probes ?? false,
    schedule: parts.schedule(entry.schedule),
    credentials: resolveCredentials(entry, around.env),
    secrets,
  };
}

/** The newest revision with a handshake that the client speaks; a stateless server is asked for by name only. */
function newestSupported(file: TargetsFile) {
  const spoken = (file.client?.supports ?? []).filter((revision) => eraOf(revision) === 'handshake').sort();
  return spoken.at(-1) ?? file.client?.supports?.[0] ?? newestHandshakeRevision;
}

function resolveUse(
  target: string,
  entry: TargetEntry,
  { file, parts }: Common,
  transport: TransportName,
): ConsumerUse {
  return {
    target,
    transport,
    consumer: entry.consumer ?? file.consumer ?? 'code',
    failOn: file.failOn ?? 'breaking',
    tools: parts.tools(entry.tools),
    supports: file.client?.supports ?? null,
    severity: parts.severity(entry.severity),
    waivers: parts.waivers(entry.waivers),
    failurePatterns: parts.failurePatterns(entry.failurePatterns),
    texts: entry.texts ?? 'words',
  };
}

/** The target's own before those for all. Ids were checked against the catalogue. */
const resolveSeverity = (all: TargetsFile['severity'], own: TargetEntry['severity']): ReadonlyMap<RuleId, Severity> =>
  new Map(Object.entries({ ...all, ...own }) as [RuleId, Severity][]);

const resolveTools = (tools: TargetEntry['tools']): ConsumerUse['tools'] =>
  tools === undefined ? null : new Map(Object.entries(tools).map(([name, tool]) => [name, resolveTool(tool)]));

type ToolEntry = NonNullable<TargetEntry['tools']>[string];

const resolveTool = (tool: ToolEntry): ToolUse => ({
  calls: Object.fromEntries(
    Object.entries(tool?.calls ?? {}).map(([name, call]): [string, CallCase] => [
      name,
      // The schema of a pin has the same members as the type, each of them checked.
      {
        arguments: call.arguments ?? {},
        pins: (call.pins ?? {}) as Pins,
        repeat: call.repeat ?? true,
        mustFail: call.mustFail ?? false,
      },
    ]),
  ),
});

const resolveLimits = (lowered: TargetEntry['limits']): TargetLimits => ({
  ...targetLimits,
  ...Object.fromEntries(Object.entries(lowered ?? {}).filter(([, value]) => value !== undefined)),
});

function resolveEndpoint(entry: TargetEntry, { file, env }: Surroundings): Endpoint {
  if (entry.transport === 'stdio') {
    const passedOn = (entry.environment ?? []).map((name): [string, string] => [name, variableOf(env, name) ?? '']);
    return {
      kind: 'stdio',
      command: entry.command ?? '',
      args: entry.args ?? [],
      environment: new Map([...passedOn, ...Object.entries(entry.variables ?? {})]),
    };
  }
  const caFile = entry.tls === undefined ? null : path.resolve(path.dirname(file), entry.tls.caFile);
  return { kind: 'http', url: entry.url ?? '', caFile, proxy: entry.proxy === undefined ? null : readProxy(env) };
}

function resolveCredentials(entry: TargetEntry, env: Environment): Credentials | null {
  if (entry.credentials === undefined) return null;
  const bearer = entry.credentials.bearer === undefined ? null : secretOf(entry.credentials.bearer, env);
  const headers = new Map<string, Secret>();
  for (const [header, name] of Object.entries(entry.credentials.headers ?? {})) {
    const secret = secretOf(name, env);
    if (secret !== null) headers.set(header, secret);
  }
  return bearer === null && headers.size === 0 ? null : { bearer, headers };
}

function secretOf(name: string, env: Environment): Secret | null {
  const found = readSecret(name, env);
  return found.kind === 'secret' ? found.secret : null;
}

/** Every secret a target names that the environment has: credentials, passed-on values named like one, a proxy's password. */
function secretsOf(entry: TargetEntry, env: Environment): Secret[] {
  const named = [entry.credentials?.bearer, ...Object.values(entry.credentials?.headers ?? {})].filter(
    (name) => name !== undefined,
  );
  const sent = named.map((name) => secretOf(name, env)).filter((secret) => secret !== null);
  const passedOn = (entry.environment ?? [])
    .filter(isSecretName)
    .map((name) => new Secret(variableOf(env, name) ?? '', name));
  return [
    ...sent,
    ...passedOn.filter((secret) => secret.reveal() !== ''),
    ...(entry.proxy === undefined ? [] : proxySecrets(readProxy(env))),
  ];
}

/** The address of the database, and the password in it. */
function databaseSecrets(file: TargetsFile, env: Environment): Secret[] {
  const name = file.history?.postgres;
  const secret = name === undefined ? null : secretOf(name, env);
  if (secret === null) return [];
  const url = secret.reveal();
  const password = URL.canParse(url) ? decodeSafely(new URL(url).password) : '';
  return [secret, ...(password === '' ? [] : [new Secret(password, secret.source)])];
}

const proxySecrets = (proxy: ProxySettings): Secret[] =>
  [proxy.https, proxy.http].flatMap((url) => {
    const password = url !== null && URL.canParse(url) ? decodeSafely(new URL(url).password) : '';
    return password === '' ? [] : [new Secret(password, 'the proxy')];
  });

const decodeSafely = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
