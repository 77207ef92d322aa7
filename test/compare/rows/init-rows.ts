import type { Handshake } from '../../../src/recording/observation.ts';
import { breach, contract, handshake, handshakes, list, type Sides, tool } from '../sides.ts';
import { fires, quiet, type Row } from './row.ts';

type Members = Parameters<typeof handshake>[0];
const init = (before: Members, after: Members, rest: Partial<Handshake> = {}): Sides =>
  handshakes(handshake(before), handshake(after, rest));
const info = (members: Record<string, string | readonly { src: string }[]>) => ({
  serverInfo: { name: 'registrar', version: '1.2.0', ...members },
});
const breached = (...args: Parameters<typeof breach>): Sides => ({
  observation: { breaches: [breach(...args)], contract: contract({ handshake: null, list: null, calls: [] }) },
});

export const initRows: readonly Row[] = [
  fires(
    'init-failed',
    'breaking',
    'an error instead of a result',
    breached('init-failed', { method: 'initialize', evidence: { code: -32603 }, facts: { code: '-32603' } }),
  ),
  quiet('init-failed', 'the same answer as ever', {}),
  fires(
    'init-era-stateless-only',
    'breaking',
    'initialize is no more',
    breached('init-era-stateless-only', { method: 'initialize' }),
  ),
  quiet('init-era-stateless-only', 'initialize answers', {}),
  fires(
    'init-era-handshake-only',
    'breaking',
    'a stateless list without resultType',
    breached('init-era-handshake-only'),
  ),
  quiet('init-era-handshake-only', 'initialize answers', {}),
  fires('init-result-invalid', 'breaking', 'protocolVersion is a number', init({}, { protocolVersion: 20251125 }), {
    pointer: '/protocolVersion',
  }),
  fires('init-result-invalid', 'breaking', 'serverInfo is gone', init({}, { serverInfo: undefined }), {
    pointer: '/serverInfo',
  }),
  fires(
    'init-result-invalid',
    'breaking',
    'the name of the server is gone',
    init({}, { serverInfo: { version: '1.2.0' } }),
    { pointer: '/serverInfo/name' },
  ),
  fires('init-result-invalid', 'breaking', 'capabilities are a list', init({}, { capabilities: [] }), {
    pointer: '/capabilities',
  }),
  quiet(
    'init-result-invalid',
    'what was recorded so is no news',
    init({ serverInfo: undefined }, { serverInfo: undefined, instructions: undefined }),
  ),
  fires(
    'init-protocol-version-unsupported',
    'breaking',
    'a date nobody knows',
    init({}, { protocolVersion: '2027-01-01' }),
  ),
  fires('init-protocol-version-unsupported', 'breaking', 'outside what the consumer speaks', {
    ...init({}, { protocolVersion: '2025-03-26' }),
    use: { supports: ['2025-11-25', '2025-06-18'] },
  }),
  quiet(
    'init-protocol-version-unsupported',
    'an unknown date that was recorded',
    init({ protocolVersion: '2024-10-07' }, { protocolVersion: '2024-10-07' }),
  ),
  quiet(
    'init-protocol-version-unsupported',
    'within what the consumer speaks',
    { ...init({}, { protocolVersion: '2025-06-18' }), use: { supports: ['2025-11-25', '2025-06-18'] } },
    { beside: ['init-protocol-version-lowered'] },
  ),
  fires(
    'init-protocol-version-lowered',
    'warning',
    'older for the same offer',
    init({}, { protocolVersion: '2025-06-18' }),
  ),
  quiet(
    'init-protocol-version-lowered',
    'another offer',
    init({}, { protocolVersion: '2025-06-18' }, { offered: '2025-06-18' }),
  ),
  fires(
    'init-protocol-version-raised',
    'warning',
    'newer for the same offer',
    init({ protocolVersion: '2025-06-18' }, { protocolVersion: '2025-11-25' }),
  ),
  quiet(
    'init-protocol-version-raised',
    'the same',
    init({ protocolVersion: '2025-06-18' }, { protocolVersion: '2025-06-18' }),
  ),
  fires('init-capability-tools-removed', 'breaking', 'no tools any more', init({}, { capabilities: {} })),
  quiet(
    'init-capability-tools-removed',
    'another capability gone',
    init({ capabilities: { tools: {}, logging: {} } }, {}),
    { beside: ['init-capability-removed'] },
  ),
  fires(
    'init-capability-removed',
    'warning',
    'no prompts any more',
    init({ capabilities: { tools: {}, prompts: {} } }, {}),
    { pointer: '/capabilities/prompts' },
  ),
  quiet('init-capability-removed', 'one more', init({}, { capabilities: { tools: {}, prompts: {} } })),
  fires('init-capability-added', 'info', 'prompts are new', init({}, { capabilities: { tools: {}, prompts: {} } })),
  quiet('init-capability-added', 'a setting inside one', init({}, { capabilities: { tools: { listChanged: true } } })),
  fires(
    'init-capability-setting-changed',
    'warning',
    'a true became false',
    init({ capabilities: { tools: { listChanged: true } } }, { capabilities: { tools: { listChanged: false } } }),
    { pointer: '/capabilities/tools/listChanged' },
  ),
  fires(
    'init-capability-setting-changed',
    'warning',
    'a true went',
    init({ capabilities: { tools: { listChanged: true } } }, {}),
  ),
  fires(
    'init-capability-setting-changed',
    'info',
    'a flag was switched on',
    init({}, { capabilities: { tools: { listChanged: true } } }),
  ),
  fires(
    'init-capability-setting-changed',
    'info',
    'a key called __proto__ joined',
    init({}, { capabilities: { tools: JSON.parse('{"__proto__": {"a": true}}') } }),
  ),
  quiet(
    'init-capability-setting-changed',
    'members in another order',
    init({ capabilities: { tasks: { list: {}, cancel: {} } } }, { capabilities: { tasks: { cancel: {}, list: {} } } }),
  ),
  fires(
    'init-extension-removed',
    'warning',
    'an extension less',
    init(
      { capabilities: { tools: {}, extensions: { 'x.example/a': {} } } },
      { capabilities: { tools: {}, extensions: {} } },
    ),
    { pointer: '/capabilities/extensions/x.example~1a' },
  ),
  quiet(
    'init-extension-removed',
    'an extension more',
    init({}, { capabilities: { tools: {}, extensions: { 'x.example/a': {} } } }),
  ),
  fires(
    'init-extension-added',
    'info',
    'an extension more',
    init({}, { capabilities: { tools: {}, extensions: { 'x.example/a': {} } } }),
  ),
  quiet('init-extension-added', 'a capability more', init({}, { capabilities: { tools: {}, prompts: {} } })),
  fires(
    'init-server-name-changed',
    'security',
    'another name',
    init({}, { serverInfo: { name: 'other', version: '1.2.0' } }),
  ),
  fires('init-server-name-changed', 'security', 'another name in the _meta of a stateless list', {
    recording: {
      era: 'stateless',
      contract: contract({
        handshake: null,
        list: list([tool('check')], {
          members: { _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'a', version: '1.0.0' } } },
        }),
      }),
    },
    observation: {
      era: 'stateless',
      contract: contract({
        handshake: null,
        list: list([tool('check')], {
          members: { _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'b', version: '1.0.0' } } },
        }),
      }),
    },
  }),
  quiet(
    'init-server-name-changed',
    'another version',
    init({}, { serverInfo: { name: 'registrar', version: '1.3.0' } }),
  ),
  fires(
    'init-server-version-changed',
    'info',
    'a newer version',
    init({}, { serverInfo: { name: 'registrar', version: '1.10.0' } }),
  ),
  quiet('init-server-version-changed', 'the same version', init({}, info({ title: 'Registrar' }))),
  fires(
    'init-server-version-lowered',
    'warning',
    'an older version',
    init({}, { serverInfo: { name: 'registrar', version: '1.1.9' } }),
  ),
  fires(
    'init-server-version-lowered',
    'warning',
    'a pre-release of the same',
    init({}, { serverInfo: { name: 'registrar', version: '1.2.0-beta.1' } }),
  ),
  quiet(
    'init-server-version-lowered',
    'versions that are none',
    init({ serverInfo: { name: 'registrar', version: 'b' } }, { serverInfo: { name: 'registrar', version: 'a' } }),
  ),
  fires('init-server-display-changed', 'info', 'a title', init({}, info({ title: 'Registrar' })), {
    pointer: '/serverInfo/title',
  }),
  quiet(
    'init-server-display-changed',
    'a title wrapped differently',
    init(info({ title: 'The  Registrar' }), info({ title: 'The Registrar' })),
  ),
  fires(
    'init-server-url-host-changed',
    'security',
    'the website moved to another host',
    init(info({ websiteUrl: 'https://a.example/x' }), info({ websiteUrl: 'https://b.example/x' })),
  ),
  fires('init-server-url-host-changed', 'warning', 'the same, for a consumer in code', {
    ...init(info({ websiteUrl: 'https://a.example/x' }), info({ websiteUrl: 'https://b.example/x' })),
    use: { consumer: 'code' },
  }),
  fires(
    'init-server-url-host-changed',
    'security',
    'an icon of another host',
    init(info({ icons: [{ src: 'https://a.example/i.png' }] }), info({ icons: [{ src: 'https://b.example/i.png' }] })),
  ),
  quiet(
    'init-server-url-host-changed',
    'another page of the same host',
    init(info({ websiteUrl: 'https://a.example/x' }), info({ websiteUrl: 'https://a.example/y' })),
  ),
  quiet(
    'init-server-url-host-changed',
    'a website where there was none',
    init({}, info({ websiteUrl: 'https://a.example/' })),
  ),
  fires('init-instructions-added', 'security', 'new ones', init({}, { instructions: 'Prices are per year.' })),
  fires('init-instructions-added', 'info', 'new ones that code does not read', {
    ...init({}, { instructions: 'Prices are per year.' }),
    use: { consumer: 'code' },
  }),
  quiet('init-instructions-added', 'an empty text', init({}, { instructions: ' ' })),
  fires(
    'init-instructions-changed',
    'security',
    'other words',
    init({ instructions: 'Prices are per year.' }, { instructions: 'Prices are per month.' }),
  ),
  quiet(
    'init-instructions-changed',
    'wrapped differently',
    init({ instructions: 'Prices are\nper year.' }, { instructions: 'Prices are per year. ' }),
  ),
  quiet(
    'init-instructions-changed',
    'a text whose words were left out and that says the same',
    init(
      {
        instructions: { digest: 'sha256:70a3a9b6f5e2b6d0d2f62c7dff0c66f2b4e9a4ac7ea8ff0a2dfd2d0a2f0f2d11', length: 5 },
      },
      {
        instructions: { digest: 'sha256:70a3a9b6f5e2b6d0d2f62c7dff0c66f2b4e9a4ac7ea8ff0a2dfd2d0a2f0f2d11', length: 5 },
      },
    ),
  ),
  quiet('init-instructions-changed', 'a recording that was put together from elsewhere', {
    ...init({ instructions: 'a' }, { instructions: 'b' }),
    recording: { provenance: 'reconstructed', contract: contract({ handshake: handshake({ instructions: 'a' }) }) },
  }),
  fires('init-instructions-removed', 'warning', 'none any more', init({ instructions: 'Prices are per year.' }, {})),
  quiet('init-instructions-removed', 'there were none', {}),
  fires('init-unknown-member-added', 'info', 'a member no revision knows', init({}, { 'x-build': 7 }), {
    pointer: '/x-build',
  }),
  quiet('init-unknown-member-added', 'the same member as recorded', init({ 'x-build': 7 }, { 'x-build': 7 })),
  fires('init-meta-changed', 'info', 'a key more', init({}, { _meta: { 'x.example/region': 'eu' } })),
  quiet(
    'init-meta-changed',
    'another value of a key: servers put request ids there',
    init({ _meta: { id: 1 } }, { _meta: { id: 2 } }),
  ),
  fires('initialized-rejected', 'breaking', 'the notification was refused and so is the list', {
    observation: {
      contract: contract({ list: null, calls: [] }),
      breaches: [
        breach('initialized-rejected', { method: 'notifications/initialized', evidence: 400 }),
        breach('tools-list-failed', { evidence: { code: -32000 } }),
      ],
    },
  }),
  quiet('initialized-rejected', 'it was taken', {}),
  fires(
    'initialized-status-nonconforming',
    'info',
    '200 and a body',
    init({}, {}, { initialized: { status: 200, empty: false } }),
  ),
  quiet('initialized-status-nonconforming', '202 and nothing', init({}, {})),
  quiet(
    'initialized-status-nonconforming',
    'the same odd answer as recorded',
    handshakes(
      handshake({}, { initialized: { status: 204, empty: true } }),
      handshake({}, { initialized: { status: 204, empty: true } }),
    ),
  ),
  quiet(
    'initialized-status-nonconforming',
    'a refusal, which the replay notes or blames',
    init({}, {}, { initialized: { status: 400, empty: true } }),
  ),
];
