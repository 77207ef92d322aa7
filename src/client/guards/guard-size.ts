import type { FetchLike, FetchResponse } from '../../ports.ts';
import { WireFault } from '../wire-fault.ts';

/**
 * Counts the bytes of a body as they travel and stops beyond the ceiling, whoever reads them. (What they decode to is
 * counted by `read-body.ts`.)
 */
export function guardSize(fetch: FetchLike, ceiling: number): FetchLike {
  return async (url, request) => {
    const response = await fetch(url, request);
    const { body } = response;
    if (body === null) return response;
    return withBody(response, counted(body, ceiling));
  };
}

function counted(body: AsyncIterable<Uint8Array>, ceiling: number): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]: () => {
      const below = body[Symbol.asyncIterator]();
      let bytes = 0;
      return {
        next: async () => {
          const next = await below.next();
          bytes += next.done === true ? 0 : next.value.length;
          if (bytes <= ceiling) return next;
          await below.return?.();
          throw new WireFault('too-large', `The body is over ${ceiling} bytes.`);
        },
        return: async () => (await below.return?.()) ?? { done: true, value: undefined },
      };
    },
  };
}

/** The same response with another body. A platform `Response` is no plain record, so its members are named. */
export const withBody = (response: FetchResponse, body: AsyncIterable<Uint8Array>): FetchResponse => ({
  status: response.status,
  headers: response.headers,
  body,
  ...(response.isRaw === undefined ? {} : { isRaw: response.isRaw }),
  ...(response.isMisframed === undefined ? {} : { isMisframed: response.isMisframed }),
});
