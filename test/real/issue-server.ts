import { createServer, type IncomingMessage } from 'node:http';

export interface ServedIssue {
  readonly number: number;
  title: string;
  body: string;
  state: string;
  state_reason: string | null;
  closed_at: string | null;
  readonly labels: readonly { readonly name: string }[];
  readonly user: { readonly login: string };
  comments: number;
}

export interface IssueServer {
  readonly url: string;
  readonly issues: readonly ServedIssue[];
  close(): Promise<void>;
}

const login = 'canary-bot';

/** As much of GitHub's API as alerts need, on loopback, for one repository. Whatever is asked is done at once. */
export async function startIssueServer(): Promise<IssueServer> {
  const issues: ServedIssue[] = [];
  const comments = new Map<number, { body: string; user: { login: string } }[]>();
  const answer = (method: string, path: string, sent: Record<string, unknown>): readonly [number, unknown] => {
    const number = Number(/\/issues\/(\d+)/.exec(path)?.[1]);
    const issue = issues.find((one) => one.number === number);
    if (path === '/graphql') return [200, { data: { viewer: { login } } }];
    if (path.endsWith('/labels') && method === 'POST')
      return sent.name === '' ? [422, { message: 'Validation Failed' }] : [201, sent];
    if (path.includes('/labels/')) return [200, { name: path.split('/').at(-1) }];
    if (path.endsWith('/comments') && method === 'GET') return [200, comments.get(number) ?? []];
    if (path.endsWith('/comments')) {
      comments.set(number, [...(comments.get(number) ?? []), { body: String(sent.body), user: { login } }]);
      if (issue !== undefined) issue.comments += 1;
      return [201, { id: 1 }];
    }
    if (path.endsWith('/issues') && method === 'GET') return [200, [...issues].reverse()];
    if (path.endsWith('/issues')) {
      const made: ServedIssue = {
        number: issues.length + 1,
        title: String(sent.title),
        body: String(sent.body),
        state: 'open',
        state_reason: null,
        closed_at: null,
        labels: (sent.labels as readonly string[]).map((name) => ({ name })),
        user: { login },
        comments: 0,
      };
      issues.push(made);
      return [201, made];
    }
    if (issue !== undefined) {
      if (method === 'PATCH')
        Object.assign(issue, sent, sent.state === 'closed' ? { closed_at: new Date().toISOString() } : {});
      return [200, issue];
    }
    return [200, { full_name: 'owner/repo', has_issues: true, archived: false, default_branch: 'main' }];
  };
  const server = createServer((request, response) => {
    void readBody(request).then((text) => {
      const path = new URL(request.url ?? '/', 'http://x').pathname;
      const [status, json] = answer(request.method ?? 'GET', path, text === '' ? {} : JSON.parse(text));
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    issues,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return text;
}
