/** Whether who listens on this host is reached from this machine only. */
export const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || /^127\./.test(host);

/**
 * Whether a Host header names this machine, or one of `allowed` (with a port only that port). On a loopback address any
 * other name is a page's attempt to reach it under a name of its own (DNS rebinding).
 */
export function isAllowedHost(host: string | undefined, allowed: readonly string[]): boolean {
  if (host === undefined) return false;
  const whole = host.toLowerCase();
  const name = whole.replace(/:\d+$/, '');
  return (
    name === 'localhost' ||
    name === '[::1]' ||
    /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(name) ||
    allowed.some((one) => one.toLowerCase() === name || one.toLowerCase() === whole)
  );
}
