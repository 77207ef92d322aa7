import { limits } from '../../limits.ts';
import type { Child, Clock } from '../../ports.ts';

const pollMs = 25;

/**
 * Ends a child and everything that it started (spec, "Shutdown" of stdio): closes its stdin, waits, asks its group to end, waits,
 * kills its group. Never throws; nothing of the group is left.
 */
export async function endChild(child: Child, clock: Clock): Promise<void> {
  child.closeInput();
  if (!(await hasEnded(child, clock, limits.childGraceMs)) || !(await isGroupGone(child, clock, limits.childEndMs))) {
    child.signalGroup('SIGTERM');
    if (!(await isGroupGone(child, clock, limits.childGraceMs))) child.signalGroup('SIGKILL');
    await hasEnded(child, clock, limits.childGraceMs);
  }
  child.release();
}

async function hasEnded(child: Child, clock: Clock, ms: number): Promise<boolean> {
  const stop = new AbortController();
  const late = clock.sleep(ms, stop.signal).then(
    () => false,
    () => false,
  );
  const inTime = await Promise.race([child.ended.then(() => true), late]);
  stop.abort();
  return inTime;
}

/** A group cannot be waited for, only asked after. */
async function isGroupGone(child: Child, clock: Clock, ms: number): Promise<boolean> {
  for (let waited = 0; child.isGroupAlive(); waited += pollMs) {
    if (waited >= ms) return false;
    await clock.sleep(pollMs);
  }
  return true;
}
