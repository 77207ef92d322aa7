// An MCP server over stdio that writes, for each step, what the file named by its argument says: a table of texts in
// which "@ID@" stands for the id of the request.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const plan = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
createInterface({ input: process.stdin })
  .on('close', () => process.exit(0))
  .on('line', (line) => {
    const { id, method } = JSON.parse(line);
    const step = plan[method];
    if (step === undefined) return;
    const exit = () => step.exits && process.exit(3);
    process.stderr.write(step.stderr, () =>
      process.stdout.write(step.stdout.replaceAll('"@ID@"', JSON.stringify(id ?? null)), exit),
    );
  });
