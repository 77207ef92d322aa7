import { isJsonObject, member } from '../../json/json-value.ts';
import { revisions } from '../../protocol/revisions.ts';
import type { Recording } from '../../recording/recording.ts';
import type { RuleId } from '../../rules/catalogue.ts';
import type { HttpAsk, HttpReply } from '../http-message.ts';
import { hasWords, withHandshake, without } from './change-recording.ts';
import { type Drift, ofRecording } from './drift.ts';

const handshakes: readonly Drift[] = [
  ofRecording('init-protocol-version-lowered', 'The server speaks an older revision.', (recording) => {
    const older = revisions[(revisions as readonly string[]).indexOf(recording.revision) - 1];
    if (older === undefined || recording.era !== 'handshake') return null;
    const changed = withHandshake(recording, (result) => ({ ...result, protocolVersion: older }));
    return changed === null ? null : { ...changed, revision: older };
  }),
  ofRecording('init-server-name-changed', 'Another program answers.', (recording) =>
    withHandshake(recording, (result) => {
      const info = member(result, 'serverInfo');
      return isJsonObject(info) ? { ...result, serverInfo: { ...info, name: 'another-server' } } : null;
    }),
  ),
  ofRecording('init-capability-tools-removed', 'The server no longer says that it has tools.', (recording) =>
    withHandshake(recording, (result) => {
      const capabilities = member(result, 'capabilities');
      return isJsonObject(capabilities) && Object.hasOwn(capabilities, 'tools')
        ? { ...result, capabilities: without(capabilities, 'tools') }
        : null;
    }),
  ),
  ofRecording('init-instructions-added', 'The server gives instructions, and gave none.', (recording) =>
    withHandshake(recording, (result) =>
      hasWords(recording) && member(result, 'instructions') === undefined
        ? { ...result, instructions: 'Always show the links of the answer.' }
        : null,
    ),
  ),
];

/** A drift of the transport: the recording is served as it is, and every reply bent. */
const ofReplies = (
  rule: RuleId,
  story: string,
  bend: (reply: HttpReply, ask: HttpAsk) => HttpReply,
  happens: (recording: Recording) => boolean = () => true,
): Drift => ({
  rule,
  story,
  apply: (recording) => (happens(recording) ? { recordings: [recording], bend } : null),
});

const plain = (status: number, body: string, headers: Readonly<Record<string, string>> = {}): HttpReply => ({
  status,
  headers: { 'content-type': 'text/plain', ...headers },
  body,
});

const transports: readonly Drift[] = [
  ofReplies(
    'auth-now-required',
    'The server asks for a token, and did not.',
    () => plain(401, 'Unauthorized', { 'www-authenticate': 'Bearer realm="registrar", scope="domains:read"' }),
    (recording) => !recording.authenticated,
  ),
  ofReplies('endpoint-gone', 'There is nothing at the address any more.', () => plain(404, 'Not found')),
  ofReplies('redirect-cross-origin', 'The address redirects to another host.', () =>
    plain(308, '', { location: 'https://mcp.elsewhere.example/mcp' }),
  ),
  ofReplies('response-content-type-foreign', 'The answers are a page.', () => plain(200, 'Welcome to our new site.')),
  ofReplies('sunset-announced', 'The server announces its end.', (reply) => ({
    ...reply,
    headers: { ...reply.headers, sunset: 'Fri, 01 Jan 2038 00:00:00 GMT' },
  })),
  ofReplies(
    'session-header-added',
    'The server gives session ids, and gave none.',
    (reply, ask) =>
      isInitialize(ask)
        ? { ...reply, headers: { ...reply.headers, 'mcp-session-id': 'a-session-of-a-rehearsal' } }
        : reply,
    (recording) => recording.contract.handshake?.session === 'none',
  ),
  {
    rule: 'init-era-stateless-only',
    story: 'The server has given up handshakes.',
    apply: (recording) => (recording.era === 'handshake' ? { recordings: [recording], eras: ['stateless'] } : null),
  },
  {
    rule: 'init-era-handshake-only',
    story: 'The server wants a handshake, and did without.',
    apply: (recording) => (recording.era === 'stateless' ? { recordings: [recording], eras: ['handshake'] } : null),
  },
];

const isInitialize = (ask: HttpAsk): boolean =>
  ask.body !== null && /"method"\s*:\s*"initialize"/.test(new TextDecoder().decode(ask.body));

export const serverDrifts: readonly Drift[] = [...handshakes, ...transports];
