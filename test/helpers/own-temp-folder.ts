import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Everything that tests put into the folder for temporary files lies in one of their own, which goes when they end. */
export default function setUp(): () => void {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'mcp-canary-tests-'));
  // A database server runs as another user, whose folder lies inside.
  chmodSync(folder, 0o711);
  process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
