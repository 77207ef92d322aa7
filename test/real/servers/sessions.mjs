// How the HTTP transports of both official SDKs are mounted: one for each session, or one for each request.
import { randomUUID } from 'node:crypto';

/** `open` makes a transport with the given options and connects a server to it. */
export const stateful = (open) => {
  const sessions = new Map();
  return async (request, response) => {
    const known = sessions.get(request.headers['mcp-session-id']);
    if (known !== undefined) return known.handleRequest(request, response);
    const { transport } = await open({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => sessions.set(id, transport),
      onsessionclosed: (id) => sessions.delete(id),
    });
    return transport.handleRequest(request, response);
  };
};

export const stateless = (open) => async (request, response) => {
  const { transport, server } = await open({ sessionIdGenerator: undefined });
  response.on('close', () => server.close());
  return transport.handleRequest(request, response);
};
