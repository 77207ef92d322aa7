import type { AuthChallenge } from '../../protocol/exchange.ts';
import type { Recording } from '../../recording/recording.ts';
import type { HttpReply } from '../http-message.ts';
import type { Drift, DriftFacts } from './drift.ts';
import { ofReplies, plain } from './wire-drifts.ts';

/** A 401 with a challenge (RFC 9110 11.6.1, RFC 9728). */
function challenge({ scheme, scopes, resourceHost }: AuthChallenge): HttpReply {
  const parameters = [
    'realm="registrar"',
    ...(scopes.length === 0 ? [] : [`scope="${scopes.join(' ')}"`]),
    ...(resourceHost === null
      ? []
      : [`resource_metadata="https://${resourceHost}/.well-known/oauth-protected-resource"`]),
  ];
  return plain(401, 'Unauthorized', { 'www-authenticate': `${scheme} ${parameters.join(', ')}` });
}

const bearer: AuthChallenge = { scheme: 'Bearer', scopes: ['domains:read'], resourceHost: null };

/** How a server whose sign-in was recorded asks for it. */
export const recordedChallenge = (recording: Recording): HttpReply | null =>
  recording.challenge === null || recording.authenticated ? null : challenge(recording.challenge);

const ofChallenge = (
  facts: Omit<DriftFacts, 'needs'> & { readonly needs?: string },
  change: (recorded: AuthChallenge) => AuthChallenge,
  mayHappen: (recorded: AuthChallenge) => boolean = () => true,
): Drift => {
  const whole = { needs: 'recorded sign-in over Streamable HTTP', ...facts };
  return {
    ...whole,
    apply: (recording, use) => {
      const recorded = recording.challenge;
      if (recorded === null || recording.authenticated || !mayHappen(recorded)) return null;
      return ofReplies(whole, () => () => challenge(change(recorded))).apply(recording, use);
    },
  };
};

export const authDrifts: readonly Drift[] = [
  ofReplies(
    {
      rule: 'auth-now-required',
      story: 'The server asks for a token, and did not.',
      needs: 'server over Streamable HTTP that was open to everybody',
    },
    () => () => challenge(bearer),
    (recording) => !recording.authenticated && recording.challenge === null,
  ),
  ofReplies(
    {
      rule: 'auth-no-longer-required',
      story: 'The server is open to everybody, and was not.',
      needs: 'recorded sign-in over Streamable HTTP',
    },
    () => (reply) => reply,
    (recording) => recordedChallenge(recording) !== null,
  ),
  ofChallenge({ rule: 'auth-scheme-changed', story: 'The server asks for another kind of sign-in.' }, (recorded) => ({
    ...recorded,
    scheme: recorded.scheme.toLowerCase() === 'dpop' ? 'Bearer' : 'DPoP',
  })),
  ofChallenge({ rule: 'auth-scope-added', story: 'The server asks for a scope more.' }, (recorded) => ({
    ...recorded,
    scopes: [...recorded.scopes, 'rehearsals:write'],
  })),
  ofChallenge(
    { rule: 'auth-scope-removed', story: 'The server asks for a scope less.', needs: 'recorded sign-in with scopes' },
    (recorded) => ({ ...recorded, scopes: recorded.scopes.slice(1) }),
    (recorded) => recorded.scopes.length > 0,
  ),
  ofChallenge({ rule: 'auth-resource-changed', story: 'The server sends us elsewhere to sign in.' }, (recorded) => ({
    ...recorded,
    resourceHost: 'elsewhere.example',
  })),
];
