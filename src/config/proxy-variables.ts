import type { ProxySettings } from './config.ts';
import { type Environment, variableOf } from './secret-variables.ts';

const proxies = ['HTTPS_PROXY', 'HTTP_PROXY'] as const;

/**
 * What the environment says about proxies. Both spellings are in use; the small one wins, and an address without a scheme
 * is one of http, as with curl.
 */
export function readProxy(env: Environment): ProxySettings {
  const [https, http] = proxies.map((name) => {
    const address = read(env, name);
    return address === null || /^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `http://${address}`;
  });
  return { https: https ?? null, http: http ?? null, noProxy: bracketAddresses(read(env, 'NO_PROXY')) };
}

const read = (env: Environment, name: string): string | null =>
  (variableOf(env, name.toLowerCase()) || variableOf(env, name) || '').trim() || null;

/** A bare address of IPv6 as it stands in a URL; undici would take its last group for a port. */
const bracketAddresses = (noProxy: string | null): string | null =>
  noProxy?.replace(/[^,\s]+/g, (entry) => (/^[\da-f.]*:[\da-f.:]*:[\da-f.:]*$/i.test(entry) ? `[${entry}]` : entry)) ??
  null;

/** The variables that name a proxy, and no address one could be reached at. */
export function unusableProxies(env: Environment): readonly string[] {
  const settings = readProxy(env);
  return proxies.filter((name) => {
    const address = name === 'HTTPS_PROXY' ? settings.https : settings.http;
    return address !== null && !(URL.canParse(address) && /^(?:https?|socks5?):$/.test(new URL(address).protocol));
  });
}
