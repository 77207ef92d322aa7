import { describe, expect, it } from 'vitest';
import { compareRecordings } from '../../src/compare/compare-lists.ts';
import { nameOfTool } from '../../src/compare/comparison.ts';
import type { JsonValue } from '../../src/json/json-value.ts';
import { isJsonArray, isJsonObject } from '../../src/json/json-value.ts';
import type { Contract } from '../../src/recording/observation.ts';
import { reference } from '../helpers/reference.ts';
import { readTraffic, type Version } from '../traffic/read-traffic.ts';
import { recordingOf, undecided } from './sides.ts';

const folder = reference('traffic');
const { pairs, versions } = folder === null ? { pairs: [], versions: [] } : readTraffic(folder);
const recorded = ({ name, revision, contract }: Version, parts: Partial<Contract> = {}) =>
  recordingOf({ target: name, revision, contract: { ...contract, ...parts } });

const backwards = (value: JsonValue): JsonValue => {
  if (isJsonArray(value)) return value.map(backwards);
  return isJsonObject(value)
    ? Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([key, inner]) => [key, backwards(inner)]),
      )
    : value;
};
function turned(version: Version): Version {
  const { list } = version.contract;
  if (list === null) return version;
  return {
    ...version,
    contract: {
      ...version.contract,
      list: { ...list, tools: [...list.tools].reverse().map((one) => backwards(one) as typeof one) },
    },
  };
}

describe.skipIf(folder === null)('real servers (the reference folder is not there)', () => {
  it.each(versions.map((version) => [`${version.name} ${version.version}`, version] as const))(
    '%s is as it is',
    async (_, version) => {
      expect(await compareRecordings(recorded(version), recorded(structuredClone(version)), undecided)).toEqual([]);
      expect(await compareRecordings(recorded(version), recorded(turned(version)), undecided)).toEqual([]);
    },
  );

  it.each(pairs.map((pair) => [`${pair.name} ${pair.before.version} to ${pair.after.version}`, pair] as const))(
    '%s',
    async (_, { before, after }) => {
      const findings = await compareRecordings(recorded(before), recorded(after), undecided);
      expect(await compareRecordings(recorded(turned(before)), recorded(turned(after)), undecided)).toEqual(findings);
      const names = (version: Version) => new Set(version.contract.list?.tools.map(nameOfTool));
      const [was, is] = [names(before), names(after)];
      const gone = [...was].filter((name) => !is.has(name));
      const told = new Set(
        findings
          .filter(({ rule }) => ['tool-removed', 'tool-renamed', 'tool-name-case-changed'].includes(rule))
          .flatMap(({ places }) => places.map(({ tool }) => tool)),
      );
      expect([...told].sort()).toEqual(gone.sort());
      for (const { message } of findings) expect(message).not.toMatch(/\{\w+\}/);
    },
  );
});
