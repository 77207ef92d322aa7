// `node serve.mjs http <port>…` serves every mode of every package and prints their addresses as one line of JSON (five
// ports are taken); `node serve.mjs stdio <package>` is one server on stdin and stdout. FIXTURE says in which condition:
// as recorded, `drifted`, or `stopped`.
import http from 'node:http';

const [transport, ...rest] = process.argv.slice(2);
const drifted = process.env.FIXTURE === 'drifted';
if (process.env.FIXTURE === 'stopped') process.exit(1);

if (transport === 'stdio') {
  const { serveStdio } = await import(`./${rest[0]}.mjs`);
  await serveStdio(drifted);
} else {
  const [v1, v2, fastmcp] = await Promise.all([
    import('./sdk-v1.mjs'),
    import('./sdk-v2.mjs'),
    import('./fastmcp.mjs'),
  ]);
  const handlers = { ...v1.handlers(drifted), ...v2.handlers(drifted) };
  const [port, ...others] = rest.map(Number);
  const server = http.createServer((request, response) => {
    const handle = handlers[new URL(request.url, 'http://localhost').pathname.slice(1)];
    if (handle === undefined) return response.writeHead(404).end();
    return Promise.resolve(handle(request, response)).catch((error) => {
      process.stderr.write(`${error.stack}\n`);
      response.destroy();
    });
  });
  await new Promise((done) => server.listen(port, '127.0.0.1', done));
  const urls = Object.fromEntries(Object.keys(handlers).map((mode) => [mode, `http://127.0.0.1:${port}/${mode}`]));
  process.stdout.write(`${JSON.stringify({ ...urls, ...(await fastmcp.listen(drifted, others)) })}\n`);
}
