import { overlap } from '../../recording/pin-pointer.ts';
import type { RuleId } from '../../rules/catalogue.ts';
import { type Drift, rankOf, severityOf } from './drift.ts';

/**
 * One cause is one finding: what is the same change seen again, in the copy of the structured content, by the declared
 * schema, or by a pin, names the one that explains it. Order: declared schema, structured content, text, pins.
 */
export function markConsequences(drifts: readonly Drift[]): readonly Drift[] {
  const violations = drifts.filter((drift) => drift.rule.startsWith('result-schema-violation'));
  const pins = drifts.filter((drift) => drift.rule === 'result-pinned-value-changed');
  const shapes = drifts.filter((drift) => isShape(drift.rule) && drift.at?.[0] === 'structuredContent');
  const texts = drifts.filter((drift) => drift.inner !== undefined);
  const lost = drifts.filter(
    (drift) => drift.rule === 'result-text-json-lost' || drift.rule === 'result-structured-missing',
  );
  return drifts.map((drift) => {
    const cause =
      drift.rule === 'result-pinned-value-changed'
        ? [...violations, ...lost, ...shapes, ...texts].find((one) => rankOf(one) >= 2 && reaches(one, drift))
        : causeOf(drift, { violations, pins, shapes, texts });
    return cause === undefined ? drift : { ...drift, consequenceOf: cause };
  });
}

const isShape = (rule: RuleId): boolean =>
  rule.startsWith('result-shape-') ||
  rule === 'result-number-became-fractional' ||
  rule === 'result-string-format-lost';

interface Causes {
  readonly violations: readonly Drift[];
  readonly pins: readonly Drift[];
  readonly shapes: readonly Drift[];
  readonly texts: readonly Drift[];
}

function causeOf(drift: Drift, { pins, shapes, texts, violations }: Causes): Drift | undefined {
  if (drift.rule === 'result-text-structured-mismatch')
    return [...shapes, ...texts].sort((a, b) => rankOf(b) - rankOf(a))[0];
  const inner = drift.inner ?? (isShape(drift.rule) ? drift.rule : undefined);
  const at = asStructured(drift);
  if (inner === undefined || at === null) return undefined;
  const copied = drift.inner === undefined ? undefined : shapes.find((one) => one.rule === inner && isSame(one.at, at));
  const declared = violations.find(
    (one) => isSame(one.at, at) || (isOfMembers(one) && isSame(one.at, at.slice(0, -1))),
  );
  // What only warns is told by the pin that it breaks.
  const pinned =
    severityOf(drift) === 'warning' ? pins.find((one) => isSame(one.at, at) || isSame(one.at, drift.at)) : undefined;
  return declared ?? copied ?? pinned;
}

/** Keywords that speak of members and are reported at the object around them. */
const isOfMembers = ({ keyword }: Drift): boolean =>
  ['required', 'additionalProperties', 'unevaluatedProperties', 'dependentRequired'].includes(keyword ?? '');

/** Where a place of a text would stand in the structured content that it is a copy of. */
function asStructured({ at, inner }: Drift): readonly string[] | null {
  if (at === null) return null;
  return inner === undefined ? at : ['structuredContent', ...at.slice(3)];
}

const isSame = (a: readonly string[] | null, b: readonly string[] | null): boolean =>
  a !== null && b !== null && overlap(a, b);

/** Whether a change stands at the pinned place or above it. */
const reaches = (cause: Drift, pinned: Drift): boolean => {
  if (cause.at === null || pinned.at === null) return false;
  if (cause.keyword !== undefined && isOfMembers(cause) && cause.at.length + 1 === pinned.at.length) {
    return overlap(cause.at, pinned.at.slice(0, cause.at.length));
  }
  return cause.at.length <= pinned.at.length && overlap(cause.at, pinned.at.slice(0, cause.at.length));
};
