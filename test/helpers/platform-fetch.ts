import type { FetchLike, FetchResponse } from '../../src/ports.ts';

/** The platform's fetch, which takes no signal but its own. */
export const platformFetch: FetchLike = async (url, { signal, needsNewConnection: _, ...request }) => {
  const stop = new AbortController();
  const end = (): void => stop.abort(signal.reason);
  signal.addEventListener('abort', end);
  if (signal.aborted) end();
  return (await globalThis.fetch(url, { ...request, signal: stop.signal })) as FetchResponse;
};
