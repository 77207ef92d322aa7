import { CanaryError } from '../../errors.ts';
import { changesBetween } from '../../protocol/revision-changes.ts';
import { isRevision, revisions } from '../../protocol/revisions.ts';
import { quoteName } from '../../text/quote-name.ts';
import type { CliWorld } from '../cli-world.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';

/** What changed between two revisions, for a client of the four methods. Without arguments: all of it. */
export async function runProtocol(
  from: string | undefined,
  to: string | undefined,
  world: CliWorld,
): Promise<ExitCode> {
  const oldest = revisions[0];
  const newest = revisions[revisions.length - 1] ?? oldest;
  const start = from ?? oldest;
  const end = to ?? newest;
  for (const revision of [start, end]) {
    if (!isRevision(revision))
      throw new CanaryError(
        'usage',
        `${quoteName(revision)} is no MCP revision.`,
        `There are ${revisions.join(', ')}.`,
      );
  }
  if (!isRevision(start) || !isRevision(end)) return exitCodes.usage;
  const changes = changesBetween(start, end);
  const text = changes.map(
    (change) => `${change.revision}  ${change.topic}\n  ${change.change}\n  To do: ${change.todo}\n`,
  );
  world.writeOut(text.length === 0 ? `Nothing changed between ${start} and ${end}.\n` : `${text.join('\n')}`);
  return exitCodes.fine;
}
