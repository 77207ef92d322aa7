import { targetLimits } from '../../limits.ts';
import { hasVersionHeader } from '../../protocol/revisions.ts';
import type { Recording } from '../../recording/recording.ts';
import type { HttpReply } from '../http-message.ts';
import type { Drift } from './drift.ts';
import { methodOf, ofAnswers, ofReplies, ofRepliesTo, plain } from './wire-drifts.ts';

const http = 'address over Streamable HTTP';

const withHeader = (reply: HttpReply, name: string, value: string): HttpReply => ({
  ...reply,
  headers: { ...reply.headers, [name]: value },
});

const statuses: readonly Drift[] = [
  ofReplies(
    { rule: 'endpoint-gone', story: 'There is nothing at the address any more.', needs: http },
    () => () => plain(404, 'Not found'),
  ),
  ofRepliesTo(
    { rule: 'http-status-changed', story: 'The list of tools comes with another status.', needs: http },
    'tools/list',
    (reply) => ({ ...reply, status: reply.status === 203 ? 200 : 203 }),
  ),
  ofReplies(
    { rule: 'redirect-same-origin', story: 'The address redirects to another path.', needs: http },
    () => () => plain(308, '', { location: '/mcp/v2' }),
  ),
  ofReplies(
    { rule: 'redirect-cross-origin', story: 'The address redirects to another host.', needs: http },
    () => () => plain(308, '', { location: 'https://mcp.elsewhere.example/mcp' }),
  ),
  ofReplies(
    { rule: 'sunset-announced', story: 'The server announces its end.', needs: http },
    () => (reply) => withHeader(reply, 'sunset', 'Fri, 01 Jan 2038 00:00:00 GMT'),
  ),
  ofReplies(
    {
      rule: 'protocol-header-refused',
      story: 'The server refuses the revision that it has just agreed to.',
      needs: 'handshake over Streamable HTTP without a session, of a revision that is repeated in a header',
    },
    () => (reply, ask) => (methodOf(ask) === 'tools/list' ? plain(400, 'Unsupported protocol version') : reply),
    (recording) => sessionOf(recording) === 'none' && hasVersionHeader(recording.revision),
  ),
];

const answers: readonly Drift[] = [
  ofRepliesTo(
    { rule: 'response-missing', story: 'The list of tools is taken note of, and never comes.', needs: http },
    'tools/list',
    () => ({ status: 202, headers: {}, body: '' }),
  ),
  ofRepliesTo(
    { rule: 'response-malformed', story: 'The list of tools breaks off.', needs: http },
    'tools/list',
    (reply) => ({ ...reply, headers: { 'content-type': 'application/json' }, body: '{"jsonrpc":"2.0","id":' }),
  ),
  ofRepliesTo(
    { rule: 'response-content-type-foreign', story: 'The answers are a page.', needs: http },
    'tools/list',
    () => plain(200, 'Welcome to our new site.'),
  ),
  ofRepliesTo(
    { rule: 'response-content-type-changed', story: 'The list of tools comes in the other form.', needs: http },
    'tools/list',
    otherForm,
  ),
  ofReplies(
    { rule: 'response-id-mismatch', story: 'The list of tools is the answer to another request.', needs: http },
    () => (reply, ask) =>
      methodOf(ask) === 'tools/list'
        ? { ...reply, body: reply.body.replace(/"id":[^,]+,/, '"id":"of-another",') }
        : reply,
  ),
  ofAnswers(
    {
      rule: 'response-envelope-invalid',
      story: 'The list of tools is neither a result nor an error.',
      needs: 'list of tools',
    },
    'tools/list',
    ({ id = null }) => ({ jsonrpc: '2.0', id }),
  ),
  ofAnswers(
    { rule: 'response-too-large', story: 'The list of tools has grown beyond all bounds.', needs: 'list of tools' },
    'tools/list',
    ({ id = null }) =>
      `{"jsonrpc":"2.0","id":${String(id)},"result":{"tools":[]${' '.repeat(targetLimits.bodyBytes)}}}`,
  ),
];

/** JSON as an event stream, or the one event of a stream as JSON. */
function otherForm(reply: HttpReply): HttpReply {
  const isStream = reply.headers['content-type'] === 'text/event-stream';
  const message = isStream ? (/^data: (.*)$/m.exec(reply.body)?.[1] ?? '') : `event: message\ndata: ${reply.body}\n\n`;
  return { ...reply, headers: { 'content-type': isStream ? 'application/json' : 'text/event-stream' }, body: message };
}

const question = '{"jsonrpc":"2.0","id":"of-the-server","method":"sampling/createMessage","params":{}}';

const questions: readonly Drift[] = [
  {
    rule: 'server-request-sent',
    story: 'The server asks us for something while it lists its tools.',
    needs: 'list of tools',
    others: ['response-content-type-changed'],
    apply: (recording, use) =>
      use.transport === 'streamable-http'
        ? {
            recordings: [recording],
            bend: (reply, ask) => {
              if (methodOf(ask) !== 'tools/list') return reply;
              const stream = reply.headers['content-type'] === 'text/event-stream' ? reply : otherForm(reply);
              return { ...stream, body: `event: message\ndata: ${question}\n\n${stream.body}` };
            },
          }
        : {
            recordings: [recording],
            bendMessage: (text, method) => (method === 'tools/list' ? `${question}\n${text}` : text),
          },
  },
];

const sessionOf = (recording: Recording) => recording.contract.handshake?.session ?? null;

const sessions: readonly Drift[] = [
  ofRepliesTo(
    {
      rule: 'session-header-added',
      story: 'The server gives session ids, and gave none.',
      needs: 'handshake over Streamable HTTP that gave no session id',
    },
    'initialize',
    (reply) => withHeader(reply, 'mcp-session-id', 'a-session-of-a-rehearsal'),
    (recording) => sessionOf(recording) === 'none',
  ),
  ofRepliesTo(
    {
      rule: 'session-header-removed',
      story: 'The server gives no session ids any more.',
      needs: 'handshake over Streamable HTTP that gave a session id',
    },
    'initialize',
    ({ headers: { 'mcp-session-id': _, ...headers }, ...reply }) => ({ ...reply, headers }),
    (recording) => sessionOf(recording) === 'issued' || sessionOf(recording) === 'invalid',
  ),
  ofRepliesTo(
    {
      rule: 'session-header-invalid',
      story: 'The server gives session ids with blanks in them.',
      needs: 'handshake over Streamable HTTP without such an id',
    },
    'initialize',
    (reply) => withHeader(reply, 'mcp-session-id', 'a session of a rehearsal'),
    (recording) => sessionOf(recording) === 'none' || sessionOf(recording) === 'issued',
  ),
  ofReplies(
    {
      rule: 'session-unstable',
      story: 'The server forgets a session that it has just begun.',
      needs: 'handshake over Streamable HTTP',
      others: ['session-header-added'],
    },
    forgetful,
    (recording) => sessionOf(recording) !== null,
  ),
];

/** Every other session is forgotten as soon as it is used. */
function forgetful(): (reply: HttpReply, ask: Parameters<typeof methodOf>[0]) => HttpReply {
  let sessions = 0;
  return (reply, ask) => {
    if (methodOf(ask) === 'initialize') {
      sessions += 1;
      return withHeader(reply, 'mcp-session-id', `session-${sessions}`);
    }
    const isForgotten = Number(/^session-(\d+)$/.exec(ask.headers.get('mcp-session-id') ?? '')?.[1] ?? 0) % 2 === 1;
    return isForgotten && methodOf(ask) === 'tools/list' ? plain(404, 'Session not found') : reply;
  };
}

const stdio: readonly Drift[] = [
  {
    rule: 'stdio-noise-added',
    story: 'The server writes a greeting where its messages go.',
    needs: 'server over stdio that wrote nothing but messages',
    apply: (recording, use) =>
      use.transport === 'stdio' && !(recording.breaches ?? []).some(({ code }) => code === 'stdio-noise-added')
        ? {
            recordings: [recording],
            bendMessage: (text, method) => (method === 'tools/list' ? `Listing the tools\n${text}` : text),
          }
        : null,
  },
  {
    rule: 'stdio-framing-invalid',
    story: 'The server writes a message and its greeting on one line.',
    needs: 'server over stdio',
    apply: (recording, use) =>
      use.transport === 'stdio'
        ? {
            recordings: [recording],
            bendMessage: (text, method) => (method === 'tools/list' ? `Listing the tools ${text}` : text),
          }
        : null,
  },
];

export const transportDrifts: readonly Drift[] = [...statuses, ...answers, ...questions, ...sessions, ...stdio];
