import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createSocketServer, type Server, type Socket } from 'node:net';
import { makeSelfSigned } from '../../helpers/self-signed.ts';
import { bodyOf, draftOf, eventOf } from './drafts.ts';
import type { Draft, Json, Place } from './places.ts';
import type { Scenario } from './scenarios.ts';

/** Plays scenarios, one after the other, and counts who comes to an origin that nobody may come to. */
export interface HostileServer {
  readonly url: (scenario: Scenario) => string;
  readonly foreign: string;
  /** Where alerts are posted, for a scenario. */
  readonly hook: (scenario: Scenario) => string;
  /** What was posted there since it was last asked. */
  posted(): readonly string[];
  /** null: a healthy server. */
  play(scenario: Scenario | null): void;
  /** Connections to the other origin so far. */
  strangers(): number;
  close(): Promise<void>;
}

const listen = async (server: Server): Promise<number> => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return (server.address() as AddressInfo).port;
};

export async function startHostileServer(): Promise<HostileServer> {
  let playing: Scenario | null = null;
  let strangers = 0;
  const sockets = new Set<Socket>();
  const other = createSocketServer((socket) => {
    strangers += 1;
    socket.destroy();
  });
  const foreign = `http://127.0.0.1:${await listen(other)}`;
  const posted: string[] = [];
  const plain = createServer((request, response) => {
    if (request.url?.startsWith('/hook/') !== true) return answer(request, response, playing, foreign);
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      posted.push(`${JSON.stringify(request.headers)}${Buffer.concat(parts).toString('utf8')}`);
      const status = [200, 500, 302, 400][posted.length % 4] ?? 200;
      response.writeHead(status, status === 302 ? { location: foreign } : {}).end();
    });
  });
  // Its certificate is nobody's word, and repeats what any server could learn.
  const tls = createTlsServer(makeSelfSigned('nobody', ['elsewhere.invalid']), (request, response) =>
    answer(request, response, playing, foreign),
  );
  const servers = [other, plain, tls];
  const [plainPort, tlsPort] = [await listen(plain), await listen(tls)];
  for (const server of [plain, tls])
    server.on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => sockets.delete(socket));
    });
  tls.on('tlsClientError', () => undefined);
  plain.on('clientError', (_, socket) => socket.destroy());
  return {
    foreign,
    url: ({ transport, secrets, echoes }) => {
      if (transport !== 'tls') return `http://127.0.0.1:${plainPort}/${transport === 'sse' ? 'sse' : 'mcp'}`;
      tls.setSecureContext(
        makeSelfSigned(secrets.TOKEN ?? '', [echoes[0]?.text.slice(0, 60) ?? '', 'elsewhere.invalid']),
      );
      return `https://127.0.0.1:${tlsPort}/mcp`;
    },
    hook: ({ secrets }) => `http://127.0.0.1:${plainPort}/hook/${secrets.HOOK}`,
    posted: () => posted.splice(0),
    play: (scenario) => {
      playing = scenario;
    },
    strangers: () => strangers,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
    },
  };
}

/** The stream of the older transport, of whoever opened it last. */
let stream: ServerResponse | null = null;

function answer(request: IncomingMessage, response: ServerResponse, scenario: Scenario | null, foreign: string): void {
  const parts: Buffer[] = [];
  response.on('error', () => undefined);
  request.on('error', () => undefined);
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const { method, id = null } = messageOf(Buffer.concat(parts).toString('utf8'));
    const isStream = request.url?.startsWith('/mcp') !== true;
    if (request.method === 'GET' && isStream) return openStream(response, scenario, foreign);
    if (request.method !== 'POST') return void response.writeHead(405, { allow: 'POST' }).end();
    if (method === undefined) return void response.writeHead(202).end();
    const draft = draftOf(scenario, method as Place['steps'][number], id, foreign);
    const isRefusal = draft.status >= 300 || (isStream && draft.headers['content-type'] !== 'application/json');
    if (!isStream || isRefusal) return write(response, draft);
    for (const text of [...draft.before, draft.message === null ? draft.text : JSON.stringify(draft.message)])
      if (text !== '') stream?.write(eventOf(text));
    return void response.writeHead(202).end('Accepted');
  });
}

/** A request that was given up in the middle is none. */
function messageOf(body: string): { readonly method?: string; readonly id?: Json } {
  try {
    return JSON.parse(body) as { method?: string; id?: Json };
  } catch {
    return {};
  }
}

function write(response: ServerResponse, draft: Draft): void {
  const body = bodyOf(draft);
  response.writeHead(draft.status, draft.headers).end(body);
}

function openStream(response: ServerResponse, scenario: Scenario | null, foreign: string): void {
  stream = response;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const echo = scenario?.echoes.find(({ place }) => place.name === 'the endpoint')?.text;
  const address =
    echo === undefined
      ? '/messages?sessionId=a1b2c3d4e5f6a7b8'
      : [`${foreign}/messages?k=${encodeURIComponent(echo)}`, `/messages/${echo.replace(/\s/g, '')}`, `http://${echo}`][
          echo.length % 3
        ];
  response.write(`event: endpoint\ndata: ${String(address).replace(/[\r\n]/g, '')}\n\n`);
}
