import { Document, isCollection, isMap, isScalar } from 'yaml';
import { CanaryError } from '../errors.ts';
import type { JsonObject } from '../json/json-value.ts';
import type { Revision } from '../protocol/revisions.ts';
import { describesWrite } from '../protocol/write-words.ts';
import { quoteName } from '../text/quote-name.ts';
import { checkAddress } from './checks/check-address.ts';
import { targetIdPattern } from './targets-schema.ts';

/** A server as it is given on a command line. */
export type ServerAddress =
  | { readonly url: string; readonly transport: 'streamable-http' | 'sse' }
  | { readonly command: string; readonly args: readonly string[]; readonly environment: readonly string[] };

export interface FirstTarget {
  readonly id: string;
  readonly server: ServerAddress;
  readonly revision: Revision;
  /** Empty: every tool is watched, none is called. */
  readonly calls: readonly { readonly tool: string; readonly arguments: JsonObject }[];
  /** Whether alerts go to GitHub issues. */
  readonly github: boolean;
}

/**
 * A first targets.yaml with one target, commented for whoever edits it next. `loadConfig` reads it.
 * @throws CanaryError `usage` where a call, the address or the name of the target is refused.
 */
export function writeTargetsYaml(target: FirstTarget): string {
  refuse(target);
  const { id, server, revision, github } = target;
  const place =
    'url' in server
      ? { transport: server.transport, url: server.url }
      : { transport: 'stdio', command: server.command, args: server.args, environment: server.environment };
  const tools = toolsOf(target.calls);
  const content = {
    formatVersion: 1,
    failOn: 'breaking',
    consumer: 'code',
    targets: { [id]: { ...place, revision, ...(tools === null ? {} : { tools }) } },
    ...(github ? { alerts: { github: { labels: ['mcp-drift'], unavailableAfter: 3 } } } : {}),
  };
  const document = new Document(content);
  document.commentBefore = ' yaml-language-server: $schema=../node_modules/mcp-canary/schema/targets.schema.json';
  comment(document, ['failOn'], ' breaking (and security) | warning | info');
  comment(document, ['consumer'], ' code | agent: who reads the texts of the server');
  comment(document, ['targets', id, 'revision'], ' what we offer');
  commentTools(document, id, tools);
  if (github) comment(document, ['alerts', 'github', 'unavailableAfter'], ' nights');
  for (const path of [
    ['targets', id, 'args'],
    ['targets', id, 'environment'],
    ['alerts', 'github', 'labels'],
  ])
    flow(document, path);
  return document.toString({ lineWidth: 0, flowCollectionPadding: true });
}

function refuse({ id, server, calls }: FirstTarget): void {
  if (!targetIdPattern.test(id))
    throw new CanaryError(
      'usage',
      `${quoteName(id)} is no name for a target`,
      'Use 1 to 64 letters, digits, and . _ - between them.',
    );
  const [fault] = 'url' in server ? checkAddress([], { transport: server.transport, url: server.url }) : [];
  if (fault !== undefined)
    throw new CanaryError(
      'usage',
      `the address of the server ${fault.problem}; nothing was written or sent`,
      fault.mend,
    );
  for (const { tool } of calls) {
    const word = describesWrite(tool);
    if (word === null) continue;
    throw new CanaryError(
      'usage',
      `${quoteName(tool)} describes a write (${word}), so it is never called`,
      'Leave out --call for it: such a tool can be watched, not called. The same goes for every tool whose server gives no read-only hint.',
    );
  }
}

type Tools = Readonly<Record<string, { readonly calls: Readonly<Record<string, { readonly arguments: JsonObject }>> }>>;

function toolsOf(calls: FirstTarget['calls']): Tools | null {
  if (calls.length === 0) return null;
  const byTool = new Map<string, Map<string, { readonly arguments: JsonObject }>>();
  for (const call of calls) {
    const cases = byTool.get(call.tool) ?? new Map<string, { readonly arguments: JsonObject }>();
    cases.set(nameCase(call.arguments, new Set(cases.keys())), { arguments: call.arguments });
    byTool.set(call.tool, cases);
  }
  return Object.fromEntries([...byTool].map(([tool, cases]) => [tool, { calls: Object.fromEntries(cases) }]));
}

/** A case is called after its first text, as `google-com`; a number follows where that is taken or says nothing. */
function nameCase(args: JsonObject, taken: ReadonlySet<string>): string {
  const text = Object.values(args).find((value): value is string => typeof value === 'string') ?? '';
  const slug =
    text
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 40)
      .replace(/-+$/, '') || 'case';
  if (!taken.has(slug)) return slug;
  let number = 2;
  while (taken.has(`${slug}-${number}`)) number += 1;
  return `${slug}-${number}`;
}

function commentTools(document: Document, id: string, tools: Tools | null): void {
  const target = document.getIn(['targets', id]);
  if (tools === null) {
    if (isMap(target))
      target.comment =
        ' tools: absent, so every tool is watched and none is called. A tool with calls is called with those arguments.';
    return;
  }
  comment(
    document,
    ['targets', id, 'tools'],
    ' what you depend on; a tool with calls is called with those arguments, no other',
  );
  for (const [tool, { calls }] of Object.entries(tools)) {
    for (const name of Object.keys(calls)) flow(document, ['targets', id, 'tools', tool, 'calls', name, 'arguments']);
  }
  const [tool = '', use] = Object.entries(tools)[0] ?? [];
  const [name = ''] = Object.keys(use?.calls ?? {});
  const call = document.getIn(['targets', id, 'tools', tool, 'calls', name]);
  if (isMap(call))
    call.comment =
      ' a value you rely on, by JSON Pointer into the result:\n pins: { /structuredContent/isAvailable: { equals: false } }';
}

/** Behind a scalar, or before the name of a collection. */
function comment(document: Document, path: readonly string[], text: string): void {
  const parent = document.getIn(path.slice(0, -1));
  const pair = isMap(parent) ? parent.items.find(({ key }) => isScalar(key) && key.value === path.at(-1)) : undefined;
  if (isScalar(pair?.value)) pair.value.comment = text;
  else if (isScalar(pair?.key)) pair.key.commentBefore = text;
}

function flow(document: Document, path: readonly string[]): void {
  const node = document.getIn(path);
  if (isCollection(node)) node.flow = true;
}

/** A name for a target from its address: `godaddy` of https://api.godaddy.com/…, `server` of `node server.mjs`. */
export function suggestTargetId(server: ServerAddress): string {
  const name = 'url' in server ? nameOfHost(server.url) : nameOfCommand(server.command, server.args);
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40);
  return slug === '' || slug === 'targets-yaml' ? 'server' : slug;
}

function nameOfHost(url: string): string {
  if (!URL.canParse(url)) return '';
  const { hostname } = new URL(url);
  if (/^[\d.]+$|^\[/.test(hostname)) return hostname;
  const labels = hostname.split('.');
  // example.co.uk: the name stands before two endings.
  const endings = labels.length > 2 && (labels.at(-2)?.length ?? 0) <= 3 ? 2 : 1;
  return labels.slice(0, Math.max(1, labels.length - endings)).at(-1) ?? '';
}

function nameOfCommand(command: string, args: readonly string[]): string {
  const told = args.find((arg) => !arg.startsWith('-')) ?? command;
  const last = told.replaceAll('\\', '/').split('/').at(-1) ?? '';
  return last.replace(/(?<=.)@[^@]*$/, '').replace(/\.(?:[cm]?[jt]s|py|exe|sh)$/, '');
}
