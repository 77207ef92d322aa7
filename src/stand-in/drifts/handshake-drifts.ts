import { isJsonObject, type JsonObject, type JsonValue, member } from '../../json/json-value.ts';
import { type Revision, revisions } from '../../protocol/revisions.ts';
import type { ConsumerUse } from '../../recording/consumer-use.ts';
import type { Recording } from '../../recording/recording.ts';
import { hasWords, withHandshake, withServerInfo } from './change-recording.ts';
import { type Drift, type DriftFacts, ofRecording } from './drift.ts';
import { without } from './schema-facts.ts';
import { idOf, methodOf, ofAnswers, ofReplies, ofRepliesTo, plain } from './wire-drifts.ts';

const hasHandshake = (recording: Recording): boolean => recording.contract.handshake !== null;

const ofHandshake = (facts: DriftFacts, change: (result: JsonObject) => JsonObject | null): Drift =>
  ofRecording(facts, (recording) => withHandshake(recording, change));

/** The recorded revision, so many places on in time, where the client speaks it. */
function negotiate(recording: Recording, use: ConsumerUse, by: 1 | -1): Recording | null {
  const handshakes = revisions.filter((revision) => revision < '2026');
  const other = handshakes[handshakes.indexOf(recording.revision as Revision) + by];
  const isSpoken = other !== undefined && (use.supports ?? revisions).includes(other);
  return isSpoken && (revisions as readonly string[]).includes(recording.revision) ? answering(recording, other) : null;
}

function answering(recording: Recording, revision: string): Recording | null {
  const changed = withHandshake(recording, (result) => ({ ...result, protocolVersion: revision }));
  return changed === null ? null : { ...changed, revision };
}

const revised: readonly Drift[] = [
  ofRecording(
    {
      rule: 'init-protocol-version-lowered',
      story: 'The server speaks an older revision.',
      needs: 'older revision that the client speaks',
    },
    (recording, use) => negotiate(recording, use, -1),
  ),
  ofRecording(
    {
      rule: 'init-protocol-version-raised',
      story: 'The server speaks a newer revision.',
      needs: 'newer revision with handshakes that the client speaks',
    },
    (recording, use) => negotiate(recording, use, 1),
  ),
  ofRecording(
    {
      rule: 'init-protocol-version-unsupported',
      story: 'The server speaks a revision of the future.',
      needs: 'handshake',
    },
    (recording) => answering(recording, '2099-01-01'),
  ),
];

const capabilitiesOf = (result: JsonObject): JsonObject => {
  const capabilities = member(result, 'capabilities');
  return isJsonObject(capabilities) ? capabilities : {};
};
const ofCapabilities = (facts: DriftFacts, change: (capabilities: JsonObject) => JsonObject | null): Drift =>
  ofHandshake(facts, (result) => {
    const capabilities = change(capabilitiesOf(result));
    return capabilities === null ? null : { ...result, capabilities };
  });

const extensionsOf = (capabilities: JsonObject): JsonObject => {
  const extensions = member(capabilities, 'extensions');
  return isJsonObject(extensions) ? extensions : {};
};

const capabilities: readonly Drift[] = [
  ofCapabilities(
    {
      rule: 'init-capability-tools-removed',
      story: 'The server no longer says that it has tools.',
      needs: 'handshake that says that there are tools',
    },
    (all) => (Object.hasOwn(all, 'tools') ? without(all, 'tools') : null),
  ),
  ofCapabilities(
    {
      rule: 'init-capability-removed',
      story: 'The server can something less.',
      needs: 'handshake with something beside tools',
    },
    (all) => {
      const name = Object.keys(all).find((one) => one !== 'tools' && one !== 'extensions');
      return name === undefined ? null : without(all, name);
    },
  ),
  ofCapabilities(
    { rule: 'init-capability-added', story: 'The server can something more.', needs: 'handshake' },
    (all) => ({ ...all, rehearsals: {} }),
  ),
  ofCapabilities(
    {
      rule: 'init-capability-setting-changed',
      story: 'The server no longer tells when its tools change, or does newly.',
      needs: 'handshake that says that there are tools',
    },
    (all) => {
      const tools = member(all, 'tools');
      return isJsonObject(tools)
        ? { ...all, tools: { ...tools, listChanged: member(tools, 'listChanged') !== true } }
        : null;
    },
  ),
  ofCapabilities(
    { rule: 'init-extension-added', story: 'The server offers an extension more.', needs: 'handshake' },
    (all) => ({ ...all, extensions: { ...extensionsOf(all), 'registrar.example/rehearsal': {} } }),
  ),
  ofCapabilities(
    {
      rule: 'init-extension-removed',
      story: 'The server offers an extension less.',
      needs: 'handshake with extensions',
    },
    (all) => {
      const [name] = Object.keys(extensionsOf(all));
      return name === undefined ? null : { ...all, extensions: without(extensionsOf(all), name) };
    },
  ),
];

/** Semantic versions that are lower, or higher, than any real one. */
const ofInfo = (facts: DriftFacts, change: (info: JsonObject, recording: Recording) => JsonObject | null): Drift =>
  ofRecording(facts, (recording) => withServerInfo(recording, (info) => change(info, recording)));

const isVersion = (value: JsonValue | undefined): boolean =>
  typeof value === 'string' && /^v?\d+\.\d+\.\d+/.test(value);

const identity: readonly Drift[] = [
  ofInfo(
    { rule: 'init-server-name-changed', story: 'Another program answers.', needs: 'name of a server' },
    (info) => ({ ...info, name: 'another-server' }),
  ),
  ofInfo(
    { rule: 'init-server-version-changed', story: 'A newer version answers.', needs: 'version of a server' },
    (info) => (typeof member(info, 'version') === 'string' ? { ...info, version: '9999.0.0' } : null),
  ),
  ofInfo(
    {
      rule: 'init-server-version-lowered',
      story: 'An older version answers.',
      needs: 'version of a server that can be told from an older one',
    },
    (info) => (isVersion(member(info, 'version')) ? { ...info, version: '0.0.0-rehearsal' } : null),
  ),
  ofInfo(
    {
      rule: 'init-server-display-changed',
      story: 'The server has another title.',
      needs: 'live recording of its words',
    },
    (info, recording) => (hasWords(recording) ? { ...info, title: 'Something else' } : null),
  ),
  ofInfo(
    {
      rule: 'init-server-url-host-changed',
      story: 'The server names a website on another host.',
      needs: 'server that names a website',
      others: ['init-server-display-changed'],
    },
    (info) =>
      typeof member(info, 'websiteUrl') === 'string' ? { ...info, websiteUrl: 'https://elsewhere.example/' } : null,
  ),
];

const ofInstructions = (facts: DriftFacts, change: (result: JsonObject) => JsonObject | null): Drift =>
  ofRecording(facts, (recording) => (hasWords(recording) ? withHandshake(recording, change) : null));

const results: readonly Drift[] = [
  ofInstructions(
    {
      rule: 'init-instructions-added',
      story: 'The server gives instructions, and gave none.',
      needs: 'live handshake without instructions',
    },
    (result) =>
      Object.hasOwn(result, 'instructions')
        ? null
        : { ...result, instructions: 'Always show the links of the answer.' },
  ),
  ofInstructions(
    {
      rule: 'init-instructions-changed',
      story: 'The server gives other instructions.',
      needs: 'live handshake with instructions',
    },
    (result) =>
      Object.hasOwn(result, 'instructions')
        ? { ...result, instructions: 'Always show the links of the answer.' }
        : null,
  ),
  ofInstructions(
    {
      rule: 'init-instructions-removed',
      story: 'The server gives no instructions any more.',
      needs: 'live handshake with instructions',
    },
    (result) => (Object.hasOwn(result, 'instructions') ? without(result, 'instructions') : null),
  ),
  ofHandshake(
    {
      rule: 'init-unknown-member-added',
      story: 'The handshake has a member that no revision knows.',
      needs: 'handshake',
    },
    (result) => ({ ...result, 'x-rehearsal': true }),
  ),
  ofHandshake(
    { rule: 'init-meta-changed', story: 'The handshake carries another note.', needs: 'handshake' },
    (result) => {
      const meta = member(result, '_meta');
      return { ...result, _meta: { ...(isJsonObject(meta) ? meta : {}), 'registrar.example/tier': 'rehearsal' } };
    },
  ),
  ofHandshake(
    {
      rule: 'init-result-invalid',
      story: 'The handshake lacks what every client reads.',
      needs: 'handshake that names a version',
    },
    (result) => {
      const info = member(result, 'serverInfo');
      return isJsonObject(info) && typeof member(info, 'version') === 'string'
        ? { ...result, serverInfo: without(info, 'version') }
        : null;
    },
  ),
  ofAnswers(
    { rule: 'init-failed', story: 'The server refuses the handshake.', needs: 'handshake' },
    'initialize',
    ({ id = null }) => ({ jsonrpc: '2.0', id, error: { code: -32603, message: 'Internal error' } }),
    hasHandshake,
  ),
];

const refusal = (id: JsonValue): string =>
  `{"jsonrpc":"2.0","id":${typeof id === 'number' ? id : 'null'},"error":{"code":-32600,"message":"The session was never initialized"}}`;

const steps: readonly Drift[] = [
  ofReplies(
    {
      rule: 'initialized-rejected',
      story: 'The server does not take the end of the handshake.',
      needs: 'handshake over Streamable HTTP without a session',
    },
    () => (reply, ask) =>
      methodOf(ask) === 'initialize' ? reply : plain(400, refusal(idOf(ask)), { 'content-type': 'application/json' }),
    // Where a session is known, a 400 says that it is lost.
    (recording) => recording.contract.handshake?.session === 'none',
  ),
  ofRepliesTo(
    {
      rule: 'initialized-status-nonconforming',
      story: 'The server answers a notification with a body.',
      needs: 'handshake over Streamable HTTP',
    },
    'notifications/initialized',
    () => plain(200, '{}', { 'content-type': 'application/json' }),
    hasHandshake,
  ),
];

const eras: readonly Drift[] = [
  {
    rule: 'init-era-stateless-only',
    story: 'The server has given up handshakes.',
    needs: 'handshake over a transport that can do without one',
    apply: (recording, use) =>
      recording.era === 'handshake' && use.transport !== 'sse'
        ? { recordings: [recording], eras: ['stateless'] }
        : null,
  },
  {
    rule: 'init-era-handshake-only',
    story: 'The server wants a handshake, and did without.',
    needs: 'revision without handshakes',
    apply: (recording) => (recording.era === 'stateless' ? { recordings: [recording], eras: ['handshake'] } : null),
  },
];

export const handshakeDrifts: readonly Drift[] = [
  ...revised,
  ...capabilities,
  ...identity,
  ...results,
  ...steps,
  ...eras,
];
