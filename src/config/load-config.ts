import { CanaryError } from '../errors.ts';
import { isJsonObject, type JsonValue, member } from '../json/json-value.ts';
import { quoteName } from '../text/quote-name.ts';
import type { Secret } from '../text/secret.ts';
import { checkFile } from './checks/check-file.ts';
import type { Config } from './config.ts';
import {
  byPlace,
  type ConfigFault,
  type ConfigPath,
  configError,
  type DraftFault,
  renderPath,
} from './config-fault.ts';
import { suggestName } from './nearest-name.ts';
import { type ReadDocument, readDocument } from './read-document.ts';
import { resolveConfig } from './resolve-config.ts';
import { faultsOfIssues } from './schema-faults.ts';
import type { Environment } from './secret-variables.ts';
import { buildTargetsFileSchema } from './targets-schema.ts';

export interface ConfigInput {
  /** The whole targets.yaml. */
  readonly text: string;
  /** How it is called in messages; recordings and a `caFile` lie beside it. */
  readonly file: string;
  readonly env: Environment;
  /** Targets whose variables are needed; null: all. */
  readonly select: readonly string[] | null;
  /** Nothing will be started or sent: variables that are not set are no fault. */
  readonly isOffline?: boolean;
  /** Of mcp-canary: what a client introduces itself by that has no identity of its own. */
  readonly version: string;
  /** Known from earlier on: a server repeats what it was sent, also after the file names it no more. */
  readonly formerSecrets?: readonly Secret[];
  /** Start stdio children though other targets' secrets are in the environment. */
  readonly allowSharedSecrets?: boolean;
}

/**
 * Reads targets.yaml whole, or not at all.
 * @throws CanaryError `config` with every fault of the file, each with its place and its mend; `usage` for a target that
 * the file does not have.
 */
export function loadConfig(input: ConfigInput): Config {
  const outcome = readConfig(input);
  if (outcome.config === null) throw configError(input.file, outcome.faults);
  return outcome.config;
}

export type ConfigOutcome =
  | { readonly config: Config; readonly faults: readonly [] }
  | { readonly config: null; readonly faults: readonly ConfigFault[] };

/** The same, with the faults as data. @throws CanaryError `usage` */
export function readConfig(input: ConfigInput): ConfigOutcome {
  const document = readDocument(input.text);
  if (document.broken) return { config: null, faults: [...document.faults].sort(byPlace) };
  if (document.value === null && document.faults.length === 0) return { config: null, faults: [emptyFile] };
  const targets = member(document.value, 'targets');
  if (isJsonObject(targets)) checkSelection(input, Object.keys(targets));
  const isSelected = (target: string): boolean => input.select === null || input.select.includes(target);
  const needsVariables = (target: string): boolean => input.isOffline !== true && isSelected(target);
  const schema = buildTargetsFileSchema();
  // One file is read once: compiling a parser for it would cost more than it saves.
  const parsed = schema.safeParse(document.value, { jitless: true });
  const drafts = [
    ...(parsed.success ? [] : faultsOfIssues(parsed.error.issues, schema, document.value)),
    ...checkFile(document.value, {
      env: input.env,
      isSelected: needsVariables,
      allowSharedSecrets: input.allowSharedSecrets ?? false,
    }),
  ];
  const faults = [...document.faults, ...placeFaults(drafts, document)].sort(byPlace);
  if (faults.length > 0 || !parsed.success) return { config: null, faults };
  return {
    config: resolveConfig(parsed.data, {
      file: input.file,
      env: input.env,
      isSelected,
      version: input.version,
      formerSecrets: input.formerSecrets ?? [],
    }),
    faults: [],
  };
}

const emptyFile: ConfigFault = {
  line: 1,
  column: 1,
  path: '',
  problem: 'the file is empty',
  mend: 'mcp-canary init <url> writes a first one.',
};

function checkSelection({ select, file }: ConfigInput, known: readonly string[]): void {
  const unknown = (select ?? []).filter((target) => !known.includes(target));
  if (unknown.length === 0) return;
  const [first = ''] = unknown;
  throw new CanaryError(
    'usage',
    `${file} has no target ${unknown.map(quoteName).join(', ')}; nothing was sent`,
    suggestName(first, known),
  );
}

/** Of two faults at one place the first one is told: schema faults come first, and the rest follows from them. */
function placeFaults(drafts: readonly DraftFault[], document: ReadDocument): ConfigFault[] {
  const told = new Map(document.faults.map((fault) => [fault.path, fault]));
  const kept = new Set(told.values());
  for (const draft of drafts) {
    const path = renderPath(draft.path);
    if (told.has(path)) continue;
    told.set(path, {
      ...document.placeOf(draft.path, placeKind(draft, document.value)),
      path,
      problem: draft.problem,
      mend: draft.mend,
    });
  }
  return [...told.values()].filter((fault) => !kept.has(fault));
}

/** What is missing is shown where its parent is named. */
const placeKind = (draft: DraftFault, root: JsonValue): 'key' | 'value' =>
  draft.at === 'key' || !isThere(root, draft.path) ? 'key' : 'value';

const isThere = (root: JsonValue, path: ConfigPath): boolean => {
  let at: JsonValue | undefined = root;
  for (const step of path)
    at = Array.isArray(at) ? (at as readonly JsonValue[])[Number(step)] : member(at, String(step));
  return at !== undefined;
};
