import type { Step } from '../../client/bodies/corpus.ts';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** An answer before it is written: every place of it can be taken by an echo. */
export interface Draft {
  status: number;
  headers: Record<string, string>;
  /** The JSON-RPC answer; null: `text` is the body. */
  message: Record<string, Json> | null;
  text: string;
  /** Lines of an event stream in front of the answer; where there are some, it is a stream. */
  before: string[];
  /** Written to stdout and stderr by a child, in front of the answer. */
  junk: string[];
  stderr: string[];
  /** A child ends here. */
  exits: boolean;
}

export interface Place {
  readonly name: string;
  readonly steps: readonly (Step | 'notifications/initialized')[];
  readonly over: readonly ('streamable-http' | 'sse' | 'stdio')[];
  readonly put: (draft: Draft, echo: string, foreign: string) => void;
}

const every = ['initialize', 'notifications/initialized', 'tools/list', 'tools/call'] as const;
const asked = ['initialize', 'tools/list', 'tools/call'] as const;
const all = ['streamable-http', 'sse', 'stdio'] as const;
const http = ['streamable-http', 'sse'] as const;
const post = ['streamable-http'] as const;

const place = (
  name: string,
  steps: Place['steps'],
  put: (draft: Draft, echo: string, foreign: string) => void,
  over: Place['over'] = all,
): Place => ({ name, steps, over, put });

type Members = Record<string, Json>;
/** Where an earlier echo has already put something else, what is written here is lost. */
function resultOf(draft: Draft): Members {
  const { result } = draft.message ?? {};
  return typeof result === 'object' && result !== null && !Array.isArray(result) ? (result as Members) : {};
}
const toolsOf = (result: Members): readonly Json[] =>
  Array.isArray(result.tools) ? (result.tools as readonly Json[]) : [];
const inResult = (
  name: string,
  steps: Place['steps'],
  put: (result: Members, echo: string, foreign: string) => void,
): Place => place(name, steps, (draft, echo, foreign) => put(resultOf(draft), echo, foreign));
const inTool = (name: string, put: (tool: Members, echo: string, foreign: string) => void): Place =>
  inResult(name, ['tools/list'], (result, echo, foreign) => put((toolsOf(result)[0] ?? {}) as Members, echo, foreign));
const asError = (draft: Draft, error: Json): void => {
  const { jsonrpc = '2.0', id = null } = draft.message ?? {};
  draft.message = { jsonrpc, id, error };
};
const asText = (draft: Draft, status: number, type: string, text: string): void => {
  draft.message = null;
  draft.status = status;
  draft.headers['content-type'] = type;
  draft.text = text;
};
/** What a header cannot carry is left out. */
const header = (text: string): string => text.replace(/[^\x20-\x7e]/g, ' ').trim();
const inHeader = (name: string, write: (echo: string, foreign: string) => string = (echo) => echo): Place =>
  place(
    `header ${name}`,
    every,
    (draft, echo, foreign) => {
      draft.headers[name] = header(write(echo, foreign));
    },
    http,
  );

/** Everywhere a server can put what it was sent. */
export const places: readonly Place[] = [
  inResult('server name', ['initialize'], (result, echo) => {
    result.serverInfo = { name: echo, version: '1' };
  }),
  inResult('server version', ['initialize'], (result, echo) => {
    result.serverInfo = {
      name: 's',
      version: echo,
      websiteUrl: `https://s.example/?k=${echo}`,
      icons: [{ src: echo }],
    };
  }),
  inResult('instructions', ['initialize'], (result, echo) => {
    result.instructions = `Say ${echo} first.`;
  }),
  inResult('capabilities', ['initialize'], (result, echo) => {
    result.capabilities = { tools: {}, experimental: { [echo]: { on: echo } } };
  }),
  inResult('revision', ['initialize'], (result, echo) => {
    result.protocolVersion = echo;
  }),
  inResult('list member', ['tools/list'], (result, echo) => {
    result._meta = { [echo]: [echo], note: echo };
    result.ttlMs = echo;
  }),
  inResult('cursor', ['tools/list'], (result, echo) => {
    result.nextCursor = echo;
  }),
  inResult('cursor that is none', ['tools/list'], (result, echo) => {
    result.nextCursor = [echo];
  }),
  inResult('tools that are none', ['tools/list'], (result, echo) => {
    result.tools = { [echo]: echo };
  }),
  inResult('another tool', ['tools/list'], (result, echo, foreign) => {
    const entry = {
      name: echo,
      description: echo,
      inputSchema: { type: 'object', $ref: `${foreign}/${encodeURIComponent(echo)}` },
    };
    result.tools = [...toolsOf(result), entry, entry];
  }),
  inResult('an entry that is none', ['tools/list'], (result, echo) => {
    result.tools = [...toolsOf(result), { title: echo, name: 5 }, echo, [echo]];
  }),
  inTool('description', (tool, echo) => {
    tool.description = `Tell ${echo}.`;
  }),
  inTool('title', (tool, echo) => {
    tool.title = echo;
    tool.annotations = { readOnlyHint: true, title: echo, destructiveHint: false, [echo]: echo };
  }),
  inTool('hint', (tool, echo) => {
    tool.annotations = { readOnlyHint: true, destructiveHint: echo };
  }),
  inTool('property', (tool, echo) => {
    tool.inputSchema = {
      type: 'object',
      properties: { text: { type: 'string' }, [echo]: { type: 'string' } },
      required: ['text'],
    };
  }),
  inTool('required property', (tool, echo) => {
    tool.inputSchema = { type: 'object', properties: { text: {}, [echo]: { const: echo } }, required: ['text', echo] };
  }),
  inTool('schema values', (tool, echo) => {
    tool.inputSchema = {
      type: 'object',
      properties: {
        text: {
          type: 'string',
          enum: ['hello', echo],
          default: echo,
          pattern: `^(hello|${encodeURIComponent(echo)})$`,
          description: echo,
        },
      },
    };
  }),
  inTool('schema addresses', (tool, echo, foreign) => {
    tool.inputSchema = {
      $schema: `${foreign}/${encodeURIComponent(echo)}`,
      $id: echo,
      type: 'object',
      properties: { text: { $ref: `${foreign}/x` } },
    };
    tool.outputSchema = { type: 'object', required: [echo], properties: { [echo]: { const: echo } } };
  }),
  inResult('text', ['tools/call'], (result, echo) => {
    result.content = [{ type: 'text', text: `You sent ${echo}` }];
  }),
  inResult('texts', ['tools/call'], (result, echo) => {
    result.content = [
      { type: 'text', text: 'one' },
      { type: 'text', text: `${echo}\n${echo}` },
    ];
  }),
  inResult('JSON in a text', ['tools/call'], (result, echo) => {
    result.content = [{ type: 'text', text: JSON.stringify({ got: { [echo]: echo } }) }];
  }),
  inResult('structured', ['tools/call'], (result, echo) => {
    result.structuredContent = { sent: echo, list: [echo, echo.slice(0, 9), echo.slice(9)], [echo]: true };
  }),
  inResult('a resource', ['tools/call'], (result, echo, foreign) => {
    result.content = [
      { type: 'resource_link', uri: `${foreign}/?k=${echo}`, name: echo, mimeType: echo },
      { type: 'resource', resource: { uri: echo, blob: Buffer.from(echo).toString('base64') } },
    ];
  }),
  inResult('a block of no type', ['tools/call'], (result, echo) => {
    result.content = [{ type: echo, [echo]: echo }, echo];
  }),
  inResult('a result that failed', ['tools/call'], (result, echo) => {
    result.isError = true;
    result.content = [{ type: 'text', text: `401 for ${echo}` }];
  }),
  place('error message', asked, (draft, echo) => asError(draft, { code: -32603, message: `Denied: ${echo}` })),
  place('error data', asked, (draft, echo) =>
    asError(draft, { code: -32022, message: 'x', data: { supported: [echo], [echo]: echo } }),
  ),
  place('error that is none', asked, (draft, echo) => asError(draft, [echo])),
  place('result that is none', asked, (draft, echo) => {
    draft.message = { ...draft.message, result: echo };
  }),
  place('another id', asked, (draft, echo) => {
    draft.message = { ...draft.message, id: echo };
  }),
  place('another member', asked, (draft, echo) => {
    draft.message = { ...draft.message, [echo]: echo, jsonrpc: echo };
  }),
  place('a method of the server', asked, (draft, echo) => {
    const id = draft.message?.id ?? 1;
    draft.before.push(
      JSON.stringify({ jsonrpc: '2.0', id: echo, method: `x/${echo}` }),
      JSON.stringify({ jsonrpc: '2.0', id, method: `sampling/${echo.replace(/[^A-Za-z/]/g, '')}`, params: { echo } }),
      JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: { data: echo } }),
    );
  }),
  place('messages in front', asked, (draft, echo) => {
    draft.before.push(
      JSON.stringify({ hello: echo }),
      JSON.stringify({ jsonrpc: '2.0', id: echo, result: {} }),
      `{"a":1,${JSON.stringify(echo)}:1,${JSON.stringify(echo)}:2}`,
    );
  }),
  place('names twice', asked, (draft, echo) => {
    const name = JSON.stringify(echo);
    draft.text = JSON.stringify(draft.message).replace(/\}$/, `,${name}:1,${name}:${name}}`);
    draft.message = null;
  }),
  place('a body that is cut', asked, (draft, echo) => {
    draft.text = `{"jsonrpc":"2.0","result":{"x":${JSON.stringify(echo)}`;
    draft.message = null;
  }),
  place('a body of text', asked, (draft, echo) => asText(draft, 200, 'text/plain', `upstream said ${echo}`), post),
  place(
    'a label',
    every,
    (draft, echo) => asText(draft, 200, `text/${header(echo).replace(/[^\w.+-]/g, '')}`, echo),
    http,
  ),
  place('a page', every, (draft, echo) => asText(draft, 200, 'text/html', `<html><title>${echo}</title>`), post),
  place(
    'a comment and fields of a stream',
    asked,
    (draft, echo) => {
      draft.before.push(`\n: ${echo}`, `\nevent: ${echo}\nid: ${echo}\nretry: ${echo}\n`);
    },
    post,
  ),
  place(
    'a stream that is cut',
    asked,
    (draft, echo) => {
      draft.message = null;
      draft.headers['content-type'] = 'text/event-stream';
      draft.text = `id: ${echo}\ndata: {"x":${JSON.stringify(echo)}`;
    },
    post,
  ),
  ...[400, 403, 404, 406, 409, 418, 429, 500, 503].map((status) =>
    place(
      `status ${status}`,
      every,
      (draft, echo) =>
        asText(
          draft,
          status,
          'application/json',
          JSON.stringify({ error: { code: -32000, message: echo }, detail: echo }),
        ),
      http,
    ),
  ),
  place(
    'status 400 about the version',
    every,
    (draft, echo) => asText(draft, 400, 'text/plain', `Unsupported protocol version ${echo}`),
    http,
  ),
  place(
    'a challenge',
    every,
    (draft, echo, foreign) => {
      asText(draft, 401, 'text/plain', '');
      const quoted = header(echo).replace(/["\\]/g, '');
      draft.headers['www-authenticate'] =
        `Bearer realm="${quoted}", scope="${quoted} read", error_description="${quoted}", resource_metadata="${foreign}/${encodeURIComponent(quoted)}"`;
    },
    http,
  ),
  place(
    'a challenge that is the echo',
    every,
    (draft, echo) => {
      asText(draft, 401, 'text/plain', '');
      draft.headers['www-authenticate'] = header(echo) || 'x';
    },
    http,
  ),
  ...[301, 302, 303, 307, 308].map((status) =>
    place(
      `redirect ${status}`,
      every,
      (draft, echo, foreign) => {
        asText(draft, status, 'text/plain', echo);
        const host = header(echo)
          .toLowerCase()
          .replace(/[^a-z0-9]/g, '')
          .slice(0, 60);
        draft.headers.location = header(
          [
            `${foreign}/mcp?k=${encodeURIComponent(echo)}`,
            `http://${host || 'x'}.invalid/${echo}`,
            `/mcp/${echo}`,
            `${echo}:x`,
          ][status % 4] ?? '',
        );
      },
      http,
    ),
  ),
  inHeader('set-cookie', (echo) => `sid=${echo}; Path=/, other=${echo}`),
  inHeader('mcp-session-id'),
  inHeader('x-echo'),
  inHeader('deprecation'),
  inHeader('sunset'),
  inHeader('retry-after'),
  inHeader('content-encoding'),
  inHeader('link', (echo, foreign) => `<${foreign}/${encodeURIComponent(echo)}>; rel="preconnect"`),
  place(
    'junk',
    every,
    (draft, echo) => {
      draft.junk.push(`starting with ${echo}`, echo);
    },
    ['stdio'],
  ),
  place(
    'stderr',
    every,
    (draft, echo) => {
      draft.stderr.push(`warning: ${echo}\n`);
    },
    ['stdio'],
  ),
  place(
    'last words',
    asked,
    (draft, echo) => {
      draft.stderr.push(`fatal: ${echo}`);
      draft.exits = true;
    },
    ['stdio'],
  ),
  place(
    'another frame',
    asked,
    (draft, echo) => {
      draft.text = `Content-Length: 5\r\nX: ${echo}\r\n\r\n${JSON.stringify(draft.message)}`;
      draft.message = null;
    },
    ['stdio'],
  ),
  // Handled by the server of the stream, before any step.
  place('the endpoint', ['initialize'], () => undefined, ['sse']),
];
