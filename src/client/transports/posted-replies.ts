import { limits } from '../../limits.ts';
import type { Clock } from '../../ports.ts';
import { createExchangeControl } from '../exchange-control.ts';
import type { GuardedFetch, GuardedRequest } from '../guards/guard-time.ts';
import type { WireNote } from './transport.ts';

/** Replies to a server's own requests, each a POST that nobody waits for while the session goes on. */
export interface PostedReplies {
  post(url: string, request: GuardedRequest): void;
  /** Waits a little for those under way. */
  drain(): Promise<void>;
  notes(): readonly WireNote[];
}

export function createPostedReplies(fetch: GuardedFetch, clock: Clock): PostedReplies {
  const underWay = new Set<Promise<void>>();
  const notes: WireNote[] = [];
  return {
    post(url, request) {
      const exchange = createExchangeControl();
      const sending = fetch(url, request, exchange)
        .then((response) => {
          if (response.status < 200 || response.status >= 300)
            notes.push({
              code: 'reply-refused',
              message: `The server answered our reply to its own request with status ${response.status}.`,
            });
        })
        .catch(() => {
          notes.push({ code: 'reply-failed', message: 'A reply to a request of the server could not be sent.' });
        })
        .finally(() => {
          exchange.abort();
          underWay.delete(sending);
        });
      underWay.add(sending);
    },
    async drain() {
      if (underWay.size === 0) return;
      await new Promise<void>((resolve) => {
        const stop = clock.after(limits.sessionEndMs, resolve);
        void Promise.all(underWay).then(() => {
          stop();
          resolve();
        });
      });
    },
    notes: () => notes,
  };
}
