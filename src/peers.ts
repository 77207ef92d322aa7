import { CanaryError } from './errors.ts';

/**
 * Loads packages that only a part of the product needs, and that are not installed with it.
 * @param what the part, as the subject of a sentence
 * @param packages their names, as npm knows them
 * @throws CanaryError `usage` that names them, where one is missing
 */
export async function loadPeers<T>(what: string, packages: readonly string[], load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw new CanaryError(
      'usage',
      `${what} needs ${packages.join(' and ')}, which ${packages.length === 1 ? 'is' : 'are'} not installed.`,
      `Install ${packages.length === 1 ? 'it' : 'them'} beside mcp-canary: npm install ${packages.join(' ')}`,
      { cause: error },
    );
  }
}

/** libsql asks for its binary with `require`, which has a code of its own. */
const isMissing = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  (error.code === 'ERR_MODULE_NOT_FOUND' || error.code === 'MODULE_NOT_FOUND');
