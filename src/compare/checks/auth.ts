import type { AuthChallenge } from '../../protocol/exchange.ts';
import type { Comparison } from '../comparison.ts';
import { type Found, stepChange } from '../found.ts';

/**
 * How the server wants its callers to sign in, as its `WWW-Authenticate` challenge says (nothing in it is fetched). That
 * a step wants it newly arrives as a breach; see `breaches.ts`.
 */
export function compareAuth({ recording, observation }: Comparison): readonly Found[] {
  const { challenge: recorded } = recording;
  const { challenge: live } = observation;
  if (recorded === null) return [];
  if (live !== null) return compareChallenges(recorded, live);
  // Only where everything was answered: a step that failed may have been the one that is protected.
  const isOpen = !recording.authenticated && observation.failures.length === 0 && observation.contract.list !== null;
  return isOpen ? [stepChange('tools/list', 'auth-no-longer-required', { before: recorded.scheme })] : [];
}

function compareChallenges(before: AuthChallenge, after: AuthChallenge): readonly Found[] {
  const found: Found[] = [];
  if (before.scheme.toLowerCase() !== after.scheme.toLowerCase()) {
    found.push(stepChange('tools/list', 'auth-scheme-changed', { before: before.scheme, after: after.scheme }));
  }
  const [added, removed] = [without(after.scopes, before.scopes), without(before.scopes, after.scopes)];
  const scopes = { before: [...before.scopes].sort(), after: [...after.scopes].sort() };
  if (added.length > 0)
    found.push(stepChange('tools/list', 'auth-scope-added', { ...scopes, facts: { scope: added.join(' ') } }));
  else if (removed.length > 0)
    found.push(stepChange('tools/list', 'auth-scope-removed', { ...scopes, facts: { scope: removed.join(' ') } }));
  if (before.resourceHost !== after.resourceHost && after.resourceHost !== null) {
    const change = { before: before.resourceHost, after: after.resourceHost, facts: { host: after.resourceHost } };
    found.push(stepChange('tools/list', 'auth-resource-changed', change));
  }
  return found;
}

const without = (scopes: readonly string[], known: readonly string[]): readonly string[] =>
  [...new Set(scopes)].filter((scope) => !known.includes(scope)).sort();
