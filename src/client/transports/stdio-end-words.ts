import type { ChildCommand, ChildEnd } from '../../ports.ts';

/** How a child came to its end, in a sentence. Nothing in it is the child's. */
export function describeEnd({ code, signal, startError }: ChildEnd, { command, environment }: ChildCommand): string {
  if (startError === null) {
    const how = signal === null ? `with exit code ${code}` : `by ${signal}`;
    return `The server's process ended ${how} before it answered.`;
  }
  const isLookedUp = !/[\\/]/.test(command) && ![...environment.keys()].some((name) => name.toUpperCase() === 'PATH');
  const hint = startError === 'ENOENT' && isLookedUp ? ' PATH is not among the variables of its `environment`.' : '';
  return `The server's process could not be started (${startError}).${hint}`;
}
