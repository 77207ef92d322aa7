import { isCanaryError } from '../errors.ts';

/** What a person is told of an error that ended a command: what is wrong and how to mend it, or that the fault is ours. */
export function wordError(error: unknown): string {
  if (isCanaryError(error)) return `mcp-canary: ${error.message}\n  ${error.mend.replaceAll('\n', '\n  ')}\n`;
  const refused = refusedPlace(error);
  if (refused !== null)
    return `mcp-canary: ${refused.place} cannot be used: the system refused ${refused.what} (${refused.code}).\n  Mend that, then try again.\n`;
  return `mcp-canary: this is a fault of mcp-canary itself: ${error instanceof Error ? error.stack : String(error)}\n`;
}

/** An error that the system gives for a file: no fault of anybody's program. */
function refusedPlace(error: unknown): { readonly place: string; readonly what: string; readonly code: string } | null {
  if (!(error instanceof Error && 'code' in error && 'syscall' in error && 'path' in error)) return null;
  const { code, syscall: what, path: place } = error;
  return typeof code === 'string' && typeof what === 'string' && typeof place === 'string'
    ? { place, what, code }
    : null;
}
