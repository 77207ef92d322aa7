import { canonicalJson } from '../json/canonical-json.ts';
import { isJsonObject, type JsonValue, member } from '../json/json-value.ts';
import { mapMembers } from '../json/map-members.ts';
import { limits } from '../limits.ts';
import type { Breach } from '../protocol/breach.ts';
import type { RpcError, TransportFacts } from '../protocol/exchange.ts';
import type { ToolList } from '../protocol/tool-list.ts';
import type { CallRecord, Handshake, Observation } from '../recording/observation.ts';
import type { Redactor } from '../recording/redact.ts';
import { headOf } from '../text/clip-text.ts';

/**
 * The observation without any secret, session id or cookie in it, in whatever wrapping. Everything downstream (compare,
 * reports, alerts, files) sees only this.
 */
export function redactObservation(seen: Observation, redactor: Redactor): Observation {
  const error = (value: RpcError): RpcError => ({
    code: value.code,
    message: redactor.redactMessage(value.message),
    ...(value.data === undefined ? {} : { data: redactor.redactResult(value.data) }),
  });
  const breach = (value: Breach): Breach => ({
    ...value,
    evidence: shortEvidence(value.evidence, redactor.redactResult(value.evidence)),
    ...(value.facts === undefined ? {} : { facts: redactFacts(value.facts, redactor) }),
  });
  const transport = (value: TransportFacts): TransportFacts => ({
    ...value,
    deprecation: value.deprecation === null ? null : redactor.redactText(value.deprecation),
    sunset: value.sunset === null ? null : redactor.redactText(value.sunset),
  });
  const handshake = (value: Handshake): Handshake => ({
    ...value,
    result: redactor.redactJson(value.result),
    transport: transport(value.transport),
  });
  const list = (value: ToolList): ToolList => ({
    ...value,
    tools: value.tools.map(redactor.redactJson),
    duplicates: value.duplicates.map(redactor.redactText),
    ...(value.twins === undefined ? {} : { twins: value.twins.map(redactor.redactJson) }),
    malformed: value.malformed.map((entry) => ({
      ...entry,
      value: shortValue(entry.value, redactor.redactJson(entry.value)),
    })),
    beyondFirstPage: value.beyondFirstPage.map(redactor.redactText),
    members: redactor.redactJson(value.members),
    transport: transport(value.transport),
  });
  const call = (value: CallRecord): CallRecord => ({
    ...value,
    arguments: redactor.redactJson(value.arguments),
    transport: transport(value.transport),
    outcome:
      value.outcome.kind === 'result'
        ? { kind: 'result', result: redactor.redactResult(value.outcome.result) }
        : { kind: 'error', error: error(value.outcome.error) },
  });
  return {
    ...seen,
    revision: seen.revision === null ? null : redactor.redactText(seen.revision),
    contract: {
      handshake: seen.contract.handshake === null ? null : handshake(seen.contract.handshake),
      list: seen.contract.list === null ? null : list(seen.contract.list),
      calls: seen.contract.calls.map(call),
    },
    breaches: seen.breaches.map(breach),
    failures: seen.failures.map((failure) => ({ ...failure, message: redactor.redactMessage(failure.message) })),
    notes: seen.notes.map((note) => ({
      ...note,
      message: shortText(note.message, redactor.redactMessage(note.message), noteUnits),
    })),
    challenge:
      seen.challenge === null
        ? null
        : {
            scheme: redactor.redactText(seen.challenge.scheme),
            scopes: seen.challenge.scopes.map(redactor.redactText),
            resourceHost:
              seen.challenge.resourceHost === null ? null : redactor.redactText(seen.challenge.resourceHost),
          },
  };
}

/** What is only quoted is cut here and nowhere before: a part of a secret is no secret that anybody finds. */
const quotedUnits = 200;
const noteUnits = 500;

function shortText(raw: string, redacted: string, units: number): string {
  // What came was cut by the client, perhaps in the middle of a secret: what is near that end is not shown.
  const isCut = raw.length >= limits.rawTextUnits - 1;
  return headOf(isCut ? redacted.slice(0, -limits.rawTextUnits / 2) : redacted, units);
}

function shortValue(raw: JsonValue, redacted: JsonValue): JsonValue {
  if (typeof raw === 'string' && typeof redacted === 'string') return shortText(raw, redacted, quotedUnits);
  const text = canonicalJson(redacted);
  return text.length <= quotedUnits ? redacted : headOf(text, quotedUnits);
}

/** Of the evidence of a breach: the beginning of a body, an id. */
function shortEvidence(raw: JsonValue, redacted: JsonValue): JsonValue {
  if (!isJsonObject(redacted)) return redacted;
  return mapMembers(redacted, (inner, key) => {
    const before = member(raw, key);
    const isQuoted = (key === 'body' || key === 'id') && typeof inner === 'string' && typeof before === 'string';
    return isQuoted ? shortText(before, inner, quotedUnits) : inner;
  });
}

const redactFacts = (
  facts: NonNullable<Breach['facts']>,
  redactor: Redactor,
): Readonly<Record<string, string | number>> =>
  Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [
      name,
      typeof value === 'string' ? redactor.redactText(value) : value,
    ]),
  );
