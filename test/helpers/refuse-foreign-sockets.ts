// Set-up of every test file. msw cannot see requests of the npm undici (its interceptors patch node:http and
// globalThis.fetch only), so the one reliable fence is the socket itself: nothing but loopback may be dialled.
import net from 'node:net';

const loopback = new Set(['localhost', '127.0.0.1', '::1']);
const connect = net.Socket.prototype.connect;
const isGuarded = Symbol.for('mcp-canary.refuse-foreign-sockets');

/** Host names reserved for "never answers" tests: RFC 6761 says that they do not resolve. */
const isReserved = (host: string): boolean => host.endsWith('.invalid');

function hostOf(args: readonly unknown[]): string | undefined {
  const first = Array.isArray(args[0]) ? args[0][0] : args[0];
  if (typeof first === 'object' && first !== null) {
    if ('path' in first && typeof first.path === 'string') return undefined; // a unix socket
    return 'host' in first && typeof first.host === 'string' ? first.host : 'localhost';
  }
  if (typeof first === 'string') return undefined;
  return typeof args[1] === 'string' ? args[1] : 'localhost';
}

// Files share their process: one fence is enough.
if (!Object.hasOwn(connect, isGuarded)) {
  const guarded = function (this: net.Socket, ...args: unknown[]) {
    const host = hostOf(args);
    if (host !== undefined && !loopback.has(host) && !host.startsWith('127.') && !isReserved(host)) {
      throw new Error(`a test tried to reach ${host}; tests may only use loopback`);
    }
    return Reflect.apply(connect, this, args);
  };
  net.Socket.prototype.connect = Object.assign(guarded, { [isGuarded]: true }) as typeof connect;
}
