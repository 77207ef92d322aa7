import type { Finding } from '../../findings/finding.ts';
import type { TargetReport } from '../../findings/report.ts';
import { changesBetween } from '../../protocol/revision-changes.ts';
import { isRevision, newestHandshakeRevision, type Revision, revisions } from '../../protocol/revisions.ts';

/** Families of rules that tell of another revision or era. */
const families: ReadonlySet<string> = new Set(['init-era', 'init-protocol-version', 'protocol-header-refused']);

/** Between revisions so far apart that the list gets long, the command that prints it is named instead. */
const mostItems = 24;

/** What a client of the four methods has to do to move to the server's revision; empty for other findings. */
export function wordPlaybook(finding: Finding, target: TargetReport): readonly string[] {
  if (!families.has(finding.family)) return [];
  const from = known(target.revision.recorded) ?? known(target.revision.offered);
  const to = destination(finding, target);
  if (from === null || to === null || from === to) return [];
  const changes = changesBetween(from, to);
  if (changes.length === 0) return [];
  return [
    '',
    from < to
      ? `**To move a client by hand from ${from} to ${to}:**`
      : `**To take a client back by hand from ${from} to ${to}, this no longer holds:**`,
    '',
    ...changes.slice(0, mostItems).map(({ topic, change, todo }) => `- [ ] ${topic}: ${change} ${todo}`),
    ...(changes.length > mostItems
      ? [`- and ${changes.length - mostItems} more: \`npx mcp-canary protocol ${from} ${to}\``]
      : []),
  ];
}

/** The server's revision, where it told one; where it only told that the era is over, the newest of the other era. */
function destination(finding: Finding, target: TargetReport): Revision | null {
  const live = known(target.revision.live) ?? (typeof finding.after === 'string' ? known(finding.after) : null);
  if (live !== null) return live;
  if (finding.rule === 'init-era-stateless-only') return revisions.at(-1) ?? null;
  return finding.rule === 'init-era-handshake-only' ? newestHandshakeRevision : null;
}

const known = (revision: string | null): Revision | null =>
  revision !== null && isRevision(revision) ? revision : null;
