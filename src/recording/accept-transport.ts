import type { TransportFacts } from '../protocol/exchange.ts';
import type { RuleId } from '../rules/catalogue.ts';
import type { CallRecord, Contract } from './observation.ts';

/** What a finding about the wire is about: one step, or one fact of every step. */
interface WireFinding {
  readonly rule: RuleId;
  readonly method: string;
  readonly tool: string | null;
  readonly case: string | null;
}

/** The facts each of these rules judges, and whether its one finding stands for all steps. */
const factsOf: ReadonlyMap<RuleId, { readonly facts: readonly (keyof TransportFacts)[]; readonly ofAll: boolean }> =
  new Map([
    ['http-status-changed', { facts: ['httpStatus'], ofAll: false }],
    ['response-content-type-changed', { facts: ['mediaType'], ofAll: true }],
    ['sunset-announced', { facts: ['deprecation', 'sunset'], ofAll: true }],
  ]);

/**
 * The contract with what a rule about the wire judged taken from the other one, and nothing of what was said. Null where
 * the rule is about something else.
 */
export function acceptWireFacts(from: Contract, to: Contract, finding: WireFinding): Contract | null {
  const { handshake } = from;
  if (finding.rule.startsWith('session-header-')) {
    return handshake === null || to.handshake === null
      ? from
      : { ...from, handshake: { ...handshake, session: to.handshake.session } };
  }
  if (finding.rule === 'initialized-status-nonconforming') {
    return handshake === null || to.handshake === null
      ? from
      : { ...from, handshake: { ...handshake, initialized: to.handshake.initialized } };
  }
  const judged = factsOf.get(finding.rule);
  if (judged === undefined) return null;
  const isMeant = (method: string, call: CallRecord | null): boolean =>
    judged.ofAll ||
    (finding.method === method &&
      (call === null || finding.tool === null || call.tool === finding.tool) &&
      (call === null || finding.case === null || call.case === finding.case));
  const take = <T extends { readonly transport: TransportFacts }>(
    part: T,
    other: T | null | undefined,
    isTaken: boolean,
  ): T => (isTaken && other ? { ...part, transport: withFacts(part.transport, other.transport, judged.facts) } : part);
  return {
    handshake: handshake === null ? null : take(handshake, to.handshake, isMeant('initialize', null)),
    list: from.list === null ? null : take(from.list, to.list, isMeant('tools/list', null)),
    calls: from.calls.map((call) =>
      take(
        call,
        to.calls.find((one) => one.tool === call.tool && one.case === call.case),
        isMeant('tools/call', call),
      ),
    ),
  };
}

const withFacts = (
  from: TransportFacts,
  to: TransportFacts,
  names: readonly (keyof TransportFacts)[],
): TransportFacts => ({ ...from, ...Object.fromEntries(names.map((name) => [name, to[name]])) });
