import type { AuthChallenge } from '../protocol/exchange.ts';
import { byCodeUnit } from '../text/by-code-unit.ts';

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
/** A scheme: a token at the start or behind a comma that no `=` follows. */
const schemeStart = new RegExp(
  `(?:^|,)\\s*(${token})(?=\\s+${token}\\s*=|\\s*(?:,|$)|\\s+[A-Za-z0-9._~+/-]+=*\\s*(?:,|$))`,
  'g',
);
const parameter = new RegExp(`(${token})\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|(${token}))`, 'g');
const longest = 8_192;

/**
 * The challenge of a `WWW-Authenticate` header (RFC 9110 11.6.1): `Bearer` where several are offered. null where there
 * is none. Nothing in it is ever fetched; of `resource_metadata` (RFC 9728) only the host is kept.
 */
export function parseChallenge(header: string | null): AuthChallenge | null {
  if (header === null || header.length > longest) return null;
  // Quoted strings may hold anything; their content must not be taken for a scheme.
  const bare = header.replace(/"(?:[^"\\]|\\.)*"/g, (quoted) => `"${'_'.repeat(quoted.length - 2)}"`);
  const starts = [...bare.matchAll(schemeStart)];
  const challenges = starts.map((start, at) => ({
    scheme: (start[1] ?? '').toLowerCase(),
    rest: header.slice(start.index + start[0].length, starts[at + 1]?.index ?? header.length),
  }));
  const chosen = challenges.find((challenge) => challenge.scheme === 'bearer') ?? challenges[0];
  if (chosen === undefined) return null;
  const parameters = new Map(
    [...chosen.rest.matchAll(parameter)].map(([, name = '', quoted, plain]) => [
      name.toLowerCase(),
      quoted?.replace(/\\(.)/g, '$1') ?? plain ?? '',
    ]),
  );
  const scopes = (parameters.get('scope') ?? '').split(/\s+/).filter((scope) => scope !== '');
  return {
    scheme: chosen.scheme,
    scopes: [...new Set(scopes)].sort(byCodeUnit),
    resourceHost: hostOf(parameters.get('resource_metadata')),
  };
}

function hostOf(address: string | undefined): string | null {
  try {
    return address === undefined ? null : new URL(address).host;
  } catch {
    return null;
  }
}
