import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { resultOf } from './fake-child.ts';
import { event } from './scripted-server.ts';

export interface Asked {
  readonly http: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly message: { readonly id?: number; readonly method?: string; readonly params?: Record<string, unknown> };
}

/** What a POST brings: chunks for the stream, and how the POST itself is answered; `cut` ends the stream. */
export interface Brought {
  readonly stream?: readonly string[];
  readonly cut?: 'end' | 'destroy';
  readonly status?: number;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface SseScript {
  /** Chunks of the stream before anything is posted; what is no list replaces the whole answer to the GET. */
  readonly open?: readonly string[] | ((response: ServerResponse) => void);
  readonly initialize?: (asked: Asked) => Brought;
  readonly initialized?: (asked: Asked) => Brought;
  readonly list?: (asked: Asked) => Brought;
  readonly call?: (asked: Asked) => Brought;
}

export interface SseServer {
  readonly origin: string;
  readonly url: string;
  readonly asked: readonly Asked[];
  close(): Promise<void>;
}

export const endpoint = (address: string): string => `event: endpoint\ndata: ${address}\n\n`;
const accepted = { status: 202, body: 'Accepted' };
export const answered = ({ message }: Asked): Brought =>
  message.id === undefined || message.method === undefined ? {} : { stream: [event(resultOf(message))] };

const names: Readonly<Record<string, Exclude<keyof SseScript, 'open'>>> = {
  initialize: 'initialize',
  'notifications/initialized': 'initialized',
  'tools/list': 'list',
  'tools/call': 'call',
};

/** A server of the 2024-11-05 transport on a loopback port; what the script does not say is healthy. */
export async function serveSse(script: SseScript = {}): Promise<SseServer> {
  const asked: Asked[] = [];
  const sockets = new Set<Socket>();
  let stream: ServerResponse | null = null;
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    response.on('error', () => undefined);
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts).toString('utf8');
      const one: Asked = {
        http: request.method ?? '',
        url: request.url ?? '',
        headers: request.headers,
        message: body === '' ? {} : (JSON.parse(body) as Asked['message']),
      };
      asked.push(one);
      if (one.http !== 'POST') {
        if (typeof script.open === 'function') return script.open(response);
        stream = response;
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        for (const chunk of script.open ?? [endpoint('/messages?sessionId=a1b2c3d4e5f6')]) response.write(chunk);
        return undefined;
      }
      const name = names[one.message.method ?? ''];
      const brought = (name === undefined ? undefined : script[name])?.(one) ?? answered(one);
      for (const chunk of brought.stream ?? []) stream?.write(chunk);
      response.writeHead(brought.status ?? accepted.status, brought.headers ?? {});
      response.end(brought.body ?? accepted.body);
      if (brought.cut === 'end') stream?.end();
      if (brought.cut === 'destroy') stream?.destroy();
      return undefined;
    });
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    url: `${origin}/sse`,
    asked,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}
