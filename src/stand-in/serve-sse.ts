import type { ServerResponse } from 'node:http';
import { type LineConversation, openConversation } from './answer-line.ts';
import { accepts, gateReply, type Route, refuse } from './http-gate.ts';
import type { HttpAsk, HttpReply } from './http-message.ts';
import { gateOf, listenHttp, type RunningStandIn, sendReply } from './listen-http.ts';
import type { ServeOptions } from './serve-stand-in.ts';
import { createServing } from './serving.ts';

const stream: Route = { path: '/sse', method: 'GET' };
const inbox: Route = { path: '/messages', method: 'POST' };

interface Stream {
  readonly response: ServerResponse;
  readonly conversation: LineConversation;
}

/** Streams at a time; the oldest one goes when another one comes. */
const maxStreams = 100;

/**
 * Serves recordings over the transport of 2024-11-05: a stream for every answer, and an address to post to. Only
 * handshakes, as the revisions that knew it.
 * @throws CanaryError `usage` where the port cannot be had.
 */
export async function serveOverSse(
  options: Omit<ServeOptions, 'bend' | 'eras'>,
  random: { readonly uuid: () => string },
): Promise<RunningStandIn> {
  const serving = createServing(options.recordings, { ...options, eras: ['handshake'] });
  const gate = gateOf(options);
  const streams = new Map<string, Stream>();

  const open = (response: ServerResponse): void => {
    const session = random.uuid();
    const [oldest] = streams;
    if (streams.size >= maxStreams && oldest !== undefined) oldest[1].response.destroy();
    streams.set(session, { response, conversation: openConversation(serving) });
    response.on('close', () => streams.delete(session));
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    response.write(`event: endpoint\ndata: ${inbox.path}?sessionId=${session}\n\n`);
  };
  const deliver = (ask: HttpAsk): HttpReply => {
    const to = streams.get(new URL(ask.target, 'http://localhost').searchParams.get('sessionId') ?? '');
    if (to === undefined) return refuse(404, 'no such stream is open');
    const answer = to.conversation.answer(Buffer.from(ask.body ?? []).toString('utf8'));
    if (answer !== null) to.response.write(`event: message\ndata: ${answer}\n\n`);
    return { status: 202, headers: { 'content-type': 'text/plain' }, body: 'Accepted' };
  };

  return await listenHttp({
    ...options,
    path: stream.path,
    respond: (ask, response) => {
      const refused = gateReply(ask, gate, [stream, inbox]);
      if (refused !== null) sendReply(response, refused);
      else if (ask.method === 'POST') sendReply(response, deliver(ask));
      else if (!accepts(ask, 'text/event-stream'))
        sendReply(response, refuse(406, 'Accept must name text/event-stream'));
      else open(response);
    },
  });
}
