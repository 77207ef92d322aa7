import type { FetchLike } from '../ports.ts';

/** A fetch, and the session ids that came with any answer to it. */
export interface WatchedFetch {
  readonly fetch: FetchLike;
  /** In the order in which they came, each once. */
  readonly sessions: () => readonly string[];
}

/**
 * Servers give a session id to whom they refuse, too, and hold a session for it: whoever sends odd requests has to know
 * them all, so that each can be ended.
 */
export function watchFetch(fetch: FetchLike): WatchedFetch {
  const sessions = new Set<string>();
  return {
    fetch: async (url, request) => {
      const response = await fetch(url, request);
      const issued = response.headers.get('mcp-session-id');
      if (issued !== null) sessions.add(issued);
      return response;
    },
    sessions: () => [...sessions],
  };
}
