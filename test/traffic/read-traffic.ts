import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { JsonObject, JsonValue } from '../../src/json/json-value.ts';
import { isJsonObject, member } from '../../src/json/json-value.ts';
import { parseJson } from '../../src/json/parse-json.ts';
import { targetLimits } from '../../src/limits.ts';
import { mergePages } from '../../src/protocol/tool-list.ts';
import { normaliseContract } from '../../src/recording/normal-form.ts';
import type { Contract } from '../../src/recording/observation.ts';

/** What a published version of a real server said. */
export interface Version {
  readonly name: string;
  readonly version: string;
  readonly revision: string;
  readonly contract: Contract;
}

export interface VersionPair {
  readonly name: string;
  readonly before: Version;
  readonly after: Version;
}

const transport = { httpStatus: null, mediaType: null, deprecation: null, sunset: null };

/** Every stored server of the folder, and every pair of adjacent versions of one. */
export function readTraffic(folder: string): {
  readonly versions: readonly Version[];
  readonly pairs: readonly VersionPair[];
} {
  const versions = readdirSync(folder)
    .filter((entry) => entry.lastIndexOf('@') > 0)
    .map((entry) => readVersion(folder, entry))
    .sort((a, b) => compare(a.name, b.name) || compareVersions(a.version, b.version));
  const pairs = versions.flatMap((after, at) => {
    const before = versions[at - 1];
    return before !== undefined && before.name === after.name ? [{ name: after.name, before, after }] : [];
  });
  return { versions, pairs };
}

function readVersion(folder: string, entry: string): Version {
  const at = entry.lastIndexOf('@');
  const result = resultIn(path.join(folder, entry, 'initialize.json'));
  const revision = String(member(result, 'protocolVersion'));
  const contract = normaliseContract({
    handshake: { offered: '2025-11-25', result, initialized: null, session: 'none', transport },
    list: mergePages([resultIn(path.join(folder, entry, 'tools-list.json'))], transport),
    calls: [],
  });
  return { name: entry.slice(0, at), version: entry.slice(at + 1), revision, contract };
}

function resultIn(file: string): JsonObject {
  const parsed = parseJson(readFileSync(file, 'utf8'), targetLimits);
  const value: JsonValue = parsed.ok ? parsed.value : null;
  const result = member(value, 'result');
  if (!isJsonObject(result)) throw new Error(`${file} holds no result`);
  return result;
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const compareVersions = (a: string, b: string): number => {
  const [x, y] = [a, b].map((version) => version.split('.').map(Number)) as [number[], number[]];
  const at = x.findIndex((part, index) => part !== y[index]);
  return at < 0 ? 0 : (x[at] ?? 0) - (y[at] ?? 0);
};
