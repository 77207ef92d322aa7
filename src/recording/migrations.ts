import { CanaryError } from '../errors.ts';
import { type JsonValue, member } from '../json/json-value.ts';
import { formatVersion, layout } from './recording-layout.ts';

/** The parsed files of one recording by relative path. */
export type ParsedFiles = ReadonlyMap<string, JsonValue>;
/** From version N to N + 1; pure, and shown by a golden fixture of version N in the tests. */
export type Migration = (files: ParsedFiles) => ParsedFiles;

/** By the version a migration reads. Empty while there is one version. */
const migrations: ReadonlyMap<number, Migration> = new Map();

/**
 * Brings the files of an older recording to the current version.
 * @throws CanaryError `recording` for a version that is newer, too old, or none.
 */
export function migrateFiles(
  files: ParsedFiles,
  known: ReadonlyMap<number, Migration> = migrations,
  current: number = formatVersion,
): ParsedFiles {
  const version = member(files.get(layout.recording), 'formatVersion');
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1) {
    throw new CanaryError(
      'recording',
      `${layout.recording} has no formatVersion`,
      'Take the recording again: mcp-canary record <target> --update',
    );
  }
  if (version > current) {
    throw new CanaryError(
      'recording',
      `the recording has formatVersion ${version}; this mcp-canary reads up to ${current}`,
      'A newer mcp-canary wrote it: install that version, or a later one.',
    );
  }
  let migrated = files;
  for (let from = version; from < current; from += 1) {
    const migrate = known.get(from);
    if (migrate === undefined) {
      throw new CanaryError(
        'recording',
        `the recording has formatVersion ${version}, which is no longer read`,
        'Take the recording again: mcp-canary record <target> --update',
      );
    }
    migrated = migrate(migrated);
  }
  return migrated;
}
