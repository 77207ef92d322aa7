import { limits } from '../../limits.ts';
import { Secret } from '../../text/secret.ts';
import type { WireBreach } from './transport.ts';

/** Where the first event of a stream tells us to post (spec 2024-11-05, "HTTP with SSE"). */
export type PostAddress =
  | { readonly kind: 'here'; readonly url: string; readonly secrets: readonly Secret[] }
  | { readonly kind: 'refused'; readonly message: string; readonly breach: WireBreach };

/**
 * Resolves the data of the `endpoint` event against the address of the stream. What leaves its origin is refused: whoever
 * follows hands over what it posts, and its credentials.
 */
export function resolveEndpoint(data: string, streamUrl: string): PostAddress {
  const text = data.trim();
  if (!URL.canParse(text, streamUrl)) {
    return {
      kind: 'refused',
      message: 'The endpoint event of the stream holds no address.',
      breach: { code: 'response-malformed', evidence: { event: 'endpoint' } },
    };
  }
  const stream = new URL(streamUrl);
  const post = new URL(text, streamUrl);
  if (post.origin !== stream.origin || post.origin === 'null') {
    return {
      kind: 'refused',
      message: 'The endpoint event of the stream leaves its origin; nothing was posted.',
      breach: {
        code: 'redirect-cross-origin',
        // Of the new address only its origin is kept: path and query may carry what is ours.
        evidence: { event: 'endpoint', to: post.origin === 'null' ? post.protocol : post.origin },
        ...(post.host === '' ? {} : { facts: { host: post.host } }),
      },
    };
  }
  post.hash = '';
  return { kind: 'here', url: post.href, secrets: sessionIn(post, stream) };
}

/** What names our session in the address: whoever knows it may post into it. Other parts of it are words like any. */
function sessionIn(post: URL, stream: URL): readonly Secret[] {
  const known = new Set([...stream.pathname.split('/'), ...stream.searchParams.values()]);
  const named = [...post.searchParams]
    .filter(([name]) => /sess|sid|token|key|^id$/i.test(name))
    .map(([, value]) => value);
  const unnamed = [...post.searchParams.values(), ...post.pathname.split('/')].filter(looksMinted);
  return [...new Set([...named, ...unnamed])]
    .filter((value) => value.length >= limits.secretCharacters && !known.has(value))
    .map((value) => new Secret(value, 'session id'));
}

const looksMinted = (value: string): boolean => /^(?=.*\d)[A-Za-z0-9_.~-]{16,}$/.test(value);
