import { connect } from 'node:net';

export interface RawReply {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** Sends bytes as they are and reads until the server closes or has sent what Content-Length says. */
export function sendRaw(url: string, text: string): Promise<RawReply> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let seen = '';
    const done = (): void => {
      socket.destroy();
      const [head = '', ...rest] = seen.split('\r\n\r\n');
      const [first = '', ...lines] = head.split('\r\n');
      const headers = new Map(
        lines.map((line): [string, string] => [
          line.slice(0, line.indexOf(':')).toLowerCase(),
          line.slice(line.indexOf(':') + 1).trim(),
        ]),
      );
      resolve({ status: Number(first.split(' ')[1]), headers, body: rest.join('\r\n\r\n') });
    };
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      seen += chunk;
      const end = seen.indexOf('\r\n\r\n');
      const length = /content-length: (\d+)/i.exec(seen)?.[1];
      if (end >= 0 && length !== undefined && seen.length >= end + 4 + Number(length)) done();
    });
    socket.on('end', done);
    socket.on('error', (error) => (seen === '' ? reject(error) : done()));
    socket.write(text);
  });
}

/** One request of HTTP/1.1. A header of null is left out. */
export function request(
  url: string,
  method: string,
  headers: Readonly<Record<string, string | null>>,
  body = '',
): Promise<RawReply> {
  const { host, pathname, search } = new URL(url);
  const all: Readonly<Record<string, string | null>> = {
    Host: host,
    Accept: 'application/json, text/event-stream',
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`]));
  return sendRaw(url, `${method} ${pathname}${search} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
}
