// One check of one target as a whole process against a bare undici script; `--help` against an empty program.
import path from 'node:path';
import { inPairs, main, recordedFolder, startServer, timeOf } from './measure.mjs';

const pairs = Number(process.env.PAIRS ?? 15);
const server = await startServer();
try {
  const folder = recordedFolder(server.url);
  const check = inPairs(
    pairs,
    () => timeOf([main, 'check', 'bench', '--quiet'], { cwd: folder }),
    () => timeOf([path.join(import.meta.dirname, 'bare-check.mjs'), server.url]),
  );
  console.log(
    `check of one target      ${check.a.toFixed(0)} ms, bare undici ${check.b.toFixed(0)} ms, ratio ${check.ratio.toFixed(2)} (at most 1.25)`,
  );
  const help = inPairs(
    pairs,
    () => timeOf([main, '--help']),
    () => timeOf(['-e', '0']),
  );
  console.log(
    `--help                   ${help.a.toFixed(0)} ms, node -e 0 ${help.b.toFixed(0)} ms, ratio ${help.ratio.toFixed(2)} (under 2)`,
  );
} finally {
  server.stop();
}
