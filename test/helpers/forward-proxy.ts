import http from 'node:http';
import https from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';

export interface ForwardProxy {
  readonly port: number;
  /** What was asked for, one line each: the method and the target. */
  readonly asked: string[];
  /** Every header that the proxy itself could read, and every byte that went out through it. */
  read(): string;
  close(): Promise<void>;
}

/**
 * A forward proxy as companies run them: tunnels, and plain requests in absolute form. `authorization`: what it wants to
 * hear as Proxy-Authorization. `tls`: it speaks https itself.
 */
export async function startForwardProxy(
  options: {
    readonly authorization?: string;
    readonly tls?: { readonly key: string; readonly cert: string };
    /** How it refuses every tunnel. */
    readonly refuse?: 'hang-up' | 403;
  } = {},
): Promise<ForwardProxy> {
  const asked: string[] = [];
  const read: string[] = [];
  const sockets = new Set<Socket>();
  const note = (request: http.IncomingMessage): boolean => {
    asked.push(`${request.method} ${request.url}`);
    read.push(JSON.stringify(request.rawHeaders));
    return options.authorization === undefined || request.headers['proxy-authorization'] === options.authorization;
  };
  const server = options.tls === undefined ? http.createServer() : https.createServer(options.tls);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  server.on('request', (request: http.IncomingMessage, response: http.ServerResponse) => {
    if (!note(request)) return response.writeHead(407, { 'proxy-authenticate': 'Basic realm="proxy"' }).end();
    const { 'proxy-authorization': _, ...headers } = request.headers;
    const forward = http.request(request.url ?? '', { method: request.method, headers }, (reply) => {
      response.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(response);
    });
    forward.on('error', () => response.writeHead(502).end());
    return request.pipe(forward);
  });
  server.on('connect', (request: http.IncomingMessage, client: Socket, head: Buffer) => {
    client.on('error', () => undefined);
    if (!note(request)) return client.end('HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n');
    if (options.refuse === 'hang-up') return client.destroy();
    if (options.refuse !== undefined) return client.end(`HTTP/1.1 ${options.refuse} No\r\nContent-Length: 0\r\n\r\n`);
    const { hostname, port } = new URL(`http://${request.url}`);
    const upstream = connect(Number(port), hostname.replace(/^\[|\]$/g, ''), () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      upstream.write(head);
      client.on('data', (bytes: Buffer) => read.push(bytes.toString('latin1')));
      client.pipe(upstream).pipe(client);
    });
    sockets.add(upstream);
    return upstream.on('error', () => client.destroy());
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    read: () => read.join('\n'),
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((done) => server.close(() => done()));
    },
  };
}
