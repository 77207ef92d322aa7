import type { FetchLike } from '../../ports.ts';
import type { HttpCredentials } from '../client-settings.ts';
import { WireFault } from '../wire-fault.ts';

/** Loopback: nobody on the way could read or change what is sent (RFC 9728 and OAuth treat it alike). */
const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' ||
  hostname.endsWith('.localhost') ||
  hostname === '[::1]' ||
  /^127\.\d+\.\d+\.\d+$/.test(hostname);

/**
 * Requests leave for the configured origin only, over https (http on a loopback address). Credentials are attached here,
 * behind that check, so no other function ever holds a request that has them.
 * @throws WireFault `refused` before anything is sent
 */
export function guardOrigin(fetch: FetchLike, configuredUrl: string, credentials: HttpCredentials | null): FetchLike {
  const configured = URL.canParse(configuredUrl) ? new URL(configuredUrl) : null;
  const secrets: Record<string, string> = {};
  for (const [name, secret] of credentials?.headers ?? []) secrets[name] = secret.reveal();
  if (credentials?.bearer) secrets.Authorization = `Bearer ${credentials.bearer.reveal()}`;
  const refuse = (url: string): string | null => {
    const asked = URL.canParse(url) ? new URL(url) : null;
    if (configured === null || asked === null) return 'The address is no URL.';
    if (asked.origin !== configured.origin) return 'A request to another origin than the configured one was refused.';
    if (asked.protocol !== 'https:' && !(asked.protocol === 'http:' && isLoopback(asked.hostname)))
      return 'Only https is spoken, or http on a loopback address.';
    return asked.username !== '' || asked.password !== '' ? 'An address must not hold credentials.' : null;
  };
  // Nearly every request goes to this very address.
  const refusal = refuse(configuredUrl);
  return async (url, request) => {
    const refused = url === configuredUrl ? refusal : refuse(url);
    if (refused !== null) throw new WireFault('refused', refused);
    return fetch(url, { ...request, redirect: 'manual', headers: { ...request.headers, ...secrets } });
  };
}
