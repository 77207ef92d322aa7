import { isJsonObject, type JsonValue, member } from '../../json/json-value.ts';
import type { Breach } from '../../protocol/breach.ts';
import type { Recording } from '../../recording/recording.ts';
import type { RuleId } from '../../rules/catalogue.ts';
import { byCodeUnit } from '../../text/by-code-unit.ts';
import type { Comparison } from '../comparison.ts';
import { nameOfTool } from '../comparison.ts';
import type { Found } from '../found.ts';
import { statusChange } from './transport.ts';

/**
 * What the client and the replay saw break the protocol or the safety conditions, as far as it is drift: what was there
 * when the recording was taken is none.
 */
export const compareBreaches = (comparison: Comparison): readonly Found[] =>
  joinRequests(comparison.observation.breaches.filter((breach) => !isRecorded(breach, comparison.recording))).flatMap(
    (breach) => changeOf(breach, comparison),
  );

/** What the server asked of our side during one step is one finding that names all of it: none is accepted unseen. */
function joinRequests(breaches: readonly Breach[]): readonly Breach[] {
  const isRequest = ({ code }: Breach): boolean => code === 'server-request-sent';
  const nameOf = ({ facts }: Breach): string => String(facts?.name ?? '');
  return breaches.flatMap((breach, at) => {
    if (!isRequest(breach)) return [breach];
    const same = breaches.filter((one) => isRequest(one) && one.method === breach.method);
    const others = [...new Map(same.map((one) => [nameOf(one), one])).values()];
    if (breaches.indexOf(same[0] ?? breach) !== at) return [];
    if (others.length < 2) return [breach];
    const sorted = others.sort((a, b) => byCodeUnit(nameOf(a), nameOf(b)));
    const name = sorted.map(nameOf).join(', ');
    return [{ ...breach, evidence: sorted.map(({ evidence }) => evidence), facts: { name } }];
  });
}

function changeOf(breach: Breach, comparison: Comparison): readonly Found[] {
  const { recording } = comparison;
  switch (breach.code) {
    case 'auth-now-required':
      // Our own credential that ran out says nothing about the server, and a challenge that was accepted is no news.
      return recording.authenticated || recording.challenge !== null ? [] : [plain(breach)];
    case 'replay-blocked-unsafe':
      // A tool that is gone is told as gone.
      return isListed(comparison, breach.tool) ? [plain(breach)] : [];
    case 'http-status-changed':
      return [refusedStatus(breach, comparison)];
    default:
      return [plain(breach)];
  }
}

/** A call that was kept back is told every night: that one was accepted says nothing about another tool. */
const isRecorded = ({ code, method, facts }: Breach, { breaches = [] }: Recording): boolean =>
  code !== 'replay-blocked-unsafe' &&
  breaches.some(
    (known) =>
      known.code === code && known.method === method && (known.name === undefined || known.name === facts?.name),
  );

const plain = (breach: Breach): Found => ({
  rule: breach.code,
  method: breach.method,
  tool: breach.tool,
  case: breach.case,
  pointer: breach.pointer,
  before: null,
  after: breach.evidence,
  ...(breach.facts === undefined ? {} : { facts: breach.facts }),
  ...(volatileEvidence.has(breach.code) ? { stable: null } : {}),
});

/** A refusal with a status of its own: the body that came with it is shown, the status is what changed. */
function refusedStatus(breach: Breach, comparison: Comparison): Found {
  const status = statusIn(breach.evidence) ?? breach.facts?.after ?? breach.facts?.status;
  if (typeof status !== 'number') return plain(breach);
  return {
    ...statusChange(breach, recordedStatus(comparison, breach), status),
    after: breach.evidence,
    stable: status,
  };
}

const isListed = ({ observation }: Comparison, tool: string | null): boolean =>
  observation.contract.list?.tools.some((listed) => nameOfTool(listed) === tool) ?? true;

function statusIn(evidence: JsonValue): number | null {
  if (typeof evidence === 'number') return evidence;
  const status = isJsonObject(evidence) ? (member(evidence, 'status') ?? member(evidence, 'httpStatus')) : undefined;
  return typeof status === 'number' ? status : null;
}

function recordedStatus({ recording }: Comparison, { method, tool, case: caseName }: Breach): number | null {
  const { handshake, list, calls } = recording.contract;
  if (method === 'initialize') return handshake?.transport.httpStatus ?? null;
  if (method === 'notifications/initialized') return handshake?.initialized?.status ?? null;
  if (method === 'tools/list') return list?.transport.httpStatus ?? null;
  return calls.find((call) => call.tool === tool && call.case === caseName)?.transport.httpStatus ?? null;
}

/** Rules whose evidence is what the broken answer happened to hold. */
const volatileEvidence: ReadonlySet<RuleId> = new Set<RuleId>([
  'endpoint-gone',
  'response-missing',
  'response-id-mismatch',
  'response-envelope-invalid',
  'response-malformed',
  'response-content-type-foreign',
  'response-too-large',
  'init-failed',
  'init-era-stateless-only',
  'init-era-handshake-only',
  'initialized-rejected',
  'tools-list-failed',
  'tools-pagination-loop',
  'protocol-header-refused',
  'session-unstable',
  'stdio-noise-added',
  'stdio-framing-invalid',
  'tls-invalid',
]);
