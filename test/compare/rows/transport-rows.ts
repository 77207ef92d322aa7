import type { RuleId } from '../../../src/rules/catalogue.ts';
import { breach, call, contract, handshake, handshakes, http, list, type Sides, tool, watching } from '../sides.ts';
import { fires, quiet, type Row } from './row.ts';

const broken = (code: RuleId, rest: Parameters<typeof breach>[1] = {}): Sides => ({
  observation: { contract: contract({ list: null, calls: [] }), breaches: [breach(code, rest)] },
});
const recordedBreach = (code: RuleId): Sides => ({
  recording: { breaches: [{ code, method: 'tools/list' }] },
  observation: { breaches: [breach(code)] },
});
const seen = (code: RuleId): Sides => ({ observation: { breaches: [breach(code)] } });
const listVia = (transport: Partial<typeof http>) =>
  contract({ list: list([tool('check')], { transport: { ...http, ...transport } }) });
const travelled = (before: Partial<typeof http>, after: Partial<typeof http>): Sides => ({
  recording: { contract: listVia(before) },
  observation: { contract: listVia(after) },
});
const challenge = { scheme: 'Bearer', scopes: ['read'], resourceHost: 'auth.example' };
const challenged = (after: Partial<typeof challenge>): Sides => ({
  recording: { challenge },
  observation: { challenge: { ...challenge, ...after } },
});
const plainBreaking: readonly RuleId[] = [
  'endpoint-gone',
  'response-missing',
  'response-id-mismatch',
  'response-envelope-invalid',
  'response-malformed',
  'response-content-type-foreign',
  'response-too-large',
  'protocol-header-refused',
  'stdio-framing-invalid',
];

export const transportRows: readonly Row[] = [
  ...plainBreaking.flatMap((rule) => [
    fires(rule, 'breaking', 'seen by the client', broken(rule)),
    quiet(rule, 'not seen', {}),
  ]),
  fires(
    'http-status-changed',
    'breaking',
    'a success became a failure',
    broken('http-status-changed', { evidence: 415 }),
  ),
  fires('http-status-changed', 'warning', 'another success', travelled({}, { httpStatus: 203 })),
  quiet('http-status-changed', 'over stdio there is none', travelled({ httpStatus: null }, { httpStatus: null })),
  quiet(
    'http-status-changed',
    'a status that says that nothing could be looked at',
    travelled({}, { httpStatus: 503 }),
  ),
  quiet(
    'http-status-changed',
    'the answer is of another kind: the status follows',
    {
      recording: {
        contract: contract({
          calls: [
            call('check', 'taken', {
              outcome: { kind: 'error', error: { code: -32602, message: 'no' } },
              transport: { ...http, httpStatus: 400 },
            }),
          ],
        }),
      },
    },
    { beside: ['result-protocol-error-code-changed', 'result-error-gone'] },
  ),
  fires(
    'response-content-type-changed',
    'info',
    'JSON became an event stream',
    travelled({}, { mediaType: 'event-stream' }),
  ),
  quiet(
    'response-content-type-changed',
    'an event stream as ever',
    travelled({ mediaType: 'event-stream' }, { mediaType: 'event-stream' }),
  ),
  fires('redirect-same-origin', 'warning', 'another path', broken('redirect-same-origin', { facts: { status: 308 } })),
  quiet('redirect-same-origin', 'no redirect', {}),
  fires(
    'redirect-cross-origin',
    'security',
    'another origin',
    broken('redirect-cross-origin', { evidence: 'https://b.example', facts: { host: 'b.example' } }),
  ),
  quiet('redirect-cross-origin', 'no redirect', {}),
  fires('redirect-downgrade', 'security', 'plain http', broken('redirect-downgrade')),
  quiet('redirect-downgrade', 'no redirect', {}),
  fires('sunset-announced', 'warning', 'a Sunset header', travelled({}, { sunset: 'Wed, 30 Jun 2027 00:00:00 GMT' })),
  fires('sunset-announced', 'warning', 'a Deprecation header', travelled({}, { deprecation: '@1798761600' })),
  fires(
    'sunset-announced',
    'warning',
    'the day moved earlier',
    travelled({ sunset: 'Wed, 30 Jun 2027 00:00:00 GMT' }, { sunset: 'Wed, 31 Mar 2027 00:00:00 GMT' }),
  ),
  quiet(
    'sunset-announced',
    'the day moved later',
    travelled({ deprecation: '@1798761600' }, { deprecation: '@1798761601' }),
  ),
  quiet('sunset-announced', 'taken back', travelled({ deprecation: 'true' }, {})),
  fires(
    'session-header-added',
    'warning',
    'a session where there was none',
    handshakes(handshake(), handshake({}, { session: 'issued' })),
  ),
  quiet(
    'session-header-added',
    'a session as ever',
    handshakes(handshake({}, { session: 'issued' }), handshake({}, { session: 'issued' })),
  ),
  fires(
    'session-header-removed',
    'info',
    'none any more',
    handshakes(handshake({}, { session: 'issued' }), handshake()),
  ),
  quiet('session-header-removed', 'none as ever', {}),
  fires(
    'session-header-invalid',
    'warning',
    'an id that a header cannot carry',
    handshakes(handshake({}, { session: 'issued' }), handshake({}, { session: 'invalid' })),
  ),
  quiet(
    'session-header-invalid',
    'recorded so',
    handshakes(handshake({}, { session: 'invalid' }), handshake({}, { session: 'invalid' })),
  ),
  fires('session-unstable', 'warning', 'lost and regained', seen('session-unstable')),
  quiet('session-unstable', 'kept', {}),
  fires('server-request-sent', 'security', 'the server asks us', seen('server-request-sent')),
  quiet('server-request-sent', 'it did when it was recorded', recordedBreach('server-request-sent')),
  fires(
    'tls-invalid',
    'security',
    'a bad certificate',
    broken('tls-invalid', { method: 'initialize', facts: { reason: 'expired' } }),
  ),
  quiet('tls-invalid', 'a good one', {}),
  fires(
    'auth-now-required',
    'breaking',
    'a challenge where all was open',
    broken('auth-now-required', { method: 'initialize', evidence: 401 }),
  ),
  quiet('auth-now-required', 'our own credential ran out', {
    ...broken('auth-now-required'),
    recording: { authenticated: true },
  }),
  quiet('auth-now-required', 'the challenge was recorded', {
    recording: { challenge },
    observation: { challenge, breaches: [breach('auth-now-required')] },
  }),
  fires('auth-no-longer-required', 'security', 'all open where a challenge was', { recording: { challenge } }),
  quiet('auth-no-longer-required', 'a step failed: it may be the protected one', {
    recording: { challenge },
    observation: { failures: [{ class: 'timeout', step: 'tools/call', message: '' }] },
  }),
  fires('auth-scheme-changed', 'breaking', 'DPoP instead of Bearer', challenged({ scheme: 'DPoP' })),
  quiet('auth-scheme-changed', 'spelled differently', challenged({ scheme: 'bearer' })),
  fires('auth-scope-added', 'breaking', 'one more', challenged({ scopes: ['read', 'write'] })),
  quiet('auth-scope-added', 'in another order', {
    recording: { challenge: { ...challenge, scopes: ['a', 'b'] } },
    observation: { challenge: { ...challenge, scopes: ['b', 'a'] } },
  }),
  fires('auth-scope-removed', 'info', 'one less', challenged({ scopes: [] })),
  quiet('auth-scope-removed', 'the same', challenged({})),
  fires('auth-resource-changed', 'security', 'another host', challenged({ resourceHost: 'evil.example' })),
  quiet('auth-resource-changed', 'the same host', challenged({})),
  fires('stdio-noise-added', 'info', 'junk where there was none', seen('stdio-noise-added')),
  quiet('stdio-noise-added', 'junk as recorded', recordedBreach('stdio-noise-added')),
  fires(
    'auth-now-required',
    'breaking',
    'every call wants it: one finding',
    {
      recording: { contract: contract({ list: list([tool('check'), tool('other')]), calls: [call(), call('other')] }) },
      observation: {
        contract: contract({ list: list([tool('check'), tool('other')]), calls: [] }),
        breaches: ['check', 'other'].map((name) =>
          breach('auth-now-required', { method: 'tools/call', tool: name, case: 'taken', evidence: 401 }),
        ),
      },
      use: { tools: watching('check', 'other') },
    },
    { tool: null },
  ),
];
