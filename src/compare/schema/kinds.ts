import type { RuleId } from '../../rules/catalogue.ts';

/** Which way a schema is used: what we send, or what we read. */
export type Direction = 'input' | 'output';

/** What a difference does to the set of accepted values; a note touches no value. */
type Effect = 'narrows' | 'widens' | 'both' | 'note';

interface KindOfDifference {
  readonly input: RuleId;
  readonly output: RuleId;
  readonly effect: Effect;
}

const kind = (effect: Effect, input: RuleId, output: RuleId): KindOfDifference => ({ effect, input, output });

/**
 * Every kind of difference with the rule that tells it: direction times effect. We send into an input schema, so what
 * narrows it hurts; we read what an output schema promises, so what widens it does. Where one direction has no rule of
 * its own for a keyword, the nearest one with the right severity speaks.
 */
export const kinds = {
  'type-added': kind('narrows', 'input-type-added', 'output-type-added'),
  'type-narrowed': kind('narrows', 'input-type-narrowed', 'output-type-narrowed'),
  'nullable-removed': kind('narrows', 'input-nullable-removed', 'output-nullable-removed'),
  'type-changed': kind('both', 'input-type-changed', 'output-type-changed'),
  'type-dropped': kind('widens', 'input-type-dropped', 'output-type-dropped'),
  'type-widened': kind('widens', 'input-type-widened', 'output-type-widened'),
  'nullable-added': kind('widens', 'input-nullable-added', 'output-nullable-added'),
  'root-wrapped': kind('both', 'input-type-changed', 'output-root-wrapped'),

  'enum-value-removed': kind('narrows', 'input-enum-value-removed', 'output-enum-value-removed'),
  'enum-added': kind('narrows', 'input-enum-added', 'output-enum-added'),
  'const-added': kind('narrows', 'input-const-added', 'output-const-added'),
  'const-changed': kind('both', 'input-const-changed', 'output-const-changed'),
  'enum-value-added': kind('widens', 'input-enum-value-added', 'output-enum-value-added'),
  'enum-dropped': kind('widens', 'input-enum-dropped', 'output-enum-dropped'),
  'const-dropped': kind('widens', 'input-const-dropped', 'output-const-dropped'),

  'bound-added': kind('narrows', 'input-bound-added', 'output-bound-tightened'),
  'minimum-raised': kind('narrows', 'input-minimum-raised', 'output-bound-tightened'),
  'maximum-lowered': kind('narrows', 'input-maximum-lowered', 'output-bound-tightened'),
  'multiple-coarser': kind('narrows', 'input-multiple-of-changed', 'output-bound-tightened'),
  'bound-removed': kind('widens', 'input-bound-removed', 'output-bound-widened'),
  'minimum-lowered': kind('widens', 'input-minimum-lowered', 'output-bound-widened'),
  'maximum-raised': kind('widens', 'input-maximum-raised', 'output-bound-widened'),
  'multiple-finer': kind('widens', 'input-multiple-of-changed', 'output-bound-widened'),

  'min-length-raised': kind('narrows', 'input-min-length-raised', 'output-bound-tightened'),
  'max-length-lowered': kind('narrows', 'input-max-length-lowered', 'output-bound-tightened'),
  'min-length-lowered': kind('widens', 'input-min-length-lowered', 'output-bound-widened'),
  'max-length-raised': kind('widens', 'input-max-length-raised', 'output-bound-widened'),
  'pattern-added': kind('narrows', 'input-pattern-added', 'output-pattern-added'),
  'pattern-changed': kind('both', 'input-pattern-changed', 'output-pattern-changed'),
  'pattern-removed': kind('widens', 'input-pattern-removed', 'output-pattern-removed'),
  'format-added': kind('note', 'input-format-added', 'output-format-added'),
  'format-changed': kind('note', 'input-format-changed', 'output-format-changed'),
  'format-removed': kind('note', 'input-format-removed', 'output-format-removed'),
  'encoding-changed': kind('note', 'input-content-encoding-changed', 'output-content-encoding-changed'),

  'items-added': kind('narrows', 'input-items-added', 'output-items-added'),
  'items-removed': kind('widens', 'input-items-removed', 'output-items-removed'),
  'positions-changed': kind('both', 'input-prefix-items-changed', 'output-prefix-items-changed'),
  'positions-added': kind('narrows', 'input-prefix-items-added', 'output-prefix-items-added'),
  'positions-removed': kind('widens', 'input-prefix-items-removed', 'output-prefix-items-removed'),
  'min-items-raised': kind('narrows', 'input-min-items-raised', 'output-bound-tightened'),
  'max-items-lowered': kind('narrows', 'input-max-items-lowered', 'output-bound-tightened'),
  'min-items-lowered': kind('widens', 'input-min-items-lowered', 'output-min-items-lowered'),
  'max-items-raised': kind('widens', 'input-max-items-raised', 'output-bound-widened'),
  'unique-added': kind('narrows', 'input-unique-items-added', 'output-unique-items-added'),
  'unique-removed': kind('widens', 'input-unique-items-removed', 'output-unique-items-removed'),
  'contains-added': kind('narrows', 'input-contains-added', 'output-contains-added'),
  'contains-tightened': kind('narrows', 'input-contains-count-tightened', 'output-contains-added'),
  'contains-removed': kind('widens', 'input-contains-removed', 'output-contains-removed'),

  'property-required-added': kind('narrows', 'input-property-required-added', 'output-property-added'),
  'property-optional-added': kind('narrows', 'input-property-optional-added', 'output-property-added'),
  'property-became-required': kind('narrows', 'input-property-became-required', 'output-property-became-required'),
  'property-became-optional': kind('widens', 'input-property-became-optional', 'output-property-became-optional'),
  'property-removed-closed': kind('narrows', 'input-property-removed-closed', 'output-property-removed-optional'),
  'property-removed-open': kind('widens', 'input-property-removed-open', 'output-property-removed-optional'),
  'property-removed-schema': kind('both', 'input-property-removed-schema-ap', 'output-property-removed-optional'),
  'property-promise-removed': kind('widens', 'input-property-removed-open', 'output-property-removed-required'),
  'property-renamed': kind('both', 'input-property-renamed', 'output-property-renamed'),
  'additional-closed': kind('narrows', 'input-additional-closed', 'output-additional-closed'),
  'additional-opened': kind('widens', 'input-additional-opened', 'output-additional-opened'),
  'additional-constrained': kind('narrows', 'input-additional-constrained', 'output-additional-constrained'),
  'additional-relaxed': kind('widens', 'input-additional-relaxed', 'output-additional-relaxed'),
  'map-value-widened': kind('widens', 'input-additional-relaxed', 'output-map-value-widened'),
  'unevaluated-closed': kind('narrows', 'input-unevaluated-closed', 'output-unevaluated-closed'),
  'unevaluated-opened': kind('widens', 'input-unevaluated-opened', 'output-unevaluated-opened'),
  'pattern-property-added': kind('narrows', 'input-pattern-property-added', 'output-pattern-property-added'),
  'pattern-property-removed': kind('widens', 'input-pattern-property-removed', 'output-pattern-property-removed'),
  'names-constrained': kind('narrows', 'input-property-names-constrained', 'output-property-names-constrained'),
  'names-relaxed': kind('widens', 'input-property-names-relaxed', 'output-property-names-relaxed'),
  'min-properties-raised': kind('narrows', 'input-min-properties-raised', 'output-bound-tightened'),
  'max-properties-lowered': kind('narrows', 'input-max-properties-lowered', 'output-bound-tightened'),
  'min-properties-lowered': kind('widens', 'input-min-properties-lowered', 'output-bound-widened'),
  'max-properties-raised': kind('widens', 'input-max-properties-raised', 'output-bound-widened'),
  'dependent-names-added': kind('narrows', 'input-dependent-required-added', 'output-dependent-added'),
  'dependent-names-removed': kind('widens', 'input-dependent-required-removed', 'output-dependent-removed'),
  'dependent-schema-added': kind('narrows', 'input-dependent-schema-added', 'output-dependent-added'),
  'dependent-schema-removed': kind('widens', 'input-dependent-schema-removed', 'output-dependent-removed'),

  'conjunct-added': kind('narrows', 'input-allof-added', 'output-allof-added'),
  'conjunct-removed': kind('widens', 'input-allof-removed', 'output-allof-removed'),
  'any-branch-removed': kind('narrows', 'input-anyof-branch-removed', 'output-anyof-branch-removed'),
  'any-branch-added': kind('widens', 'input-anyof-branch-added', 'output-anyof-branch-added'),
  'one-branch-removed': kind('narrows', 'input-oneof-branch-removed', 'output-oneof-branch-removed'),
  'one-branch-added': kind('widens', 'input-oneof-branch-added', 'output-oneof-branch-added'),
  // A branch of a oneOf grew into another one, or shrank away from it: what matches both is refused.
  'overlap-gained': kind('narrows', 'input-oneof-branch-added', 'output-oneof-branch-removed'),
  'overlap-lost': kind('widens', 'input-anyof-branch-added', 'output-oneof-branch-removed'),
  'any-to-one': kind('narrows', 'input-anyof-to-oneof', 'output-oneof-branch-removed'),
  'one-to-any': kind('widens', 'input-anyof-branch-added', 'output-anyof-branch-added'),
  'not-added': kind('narrows', 'input-not-added', 'output-not-added'),
  'not-removed': kind('widens', 'input-not-removed', 'output-not-removed'),
  'conditional-added': kind('narrows', 'input-conditional-added', 'output-conditional-added'),
  'conditional-changed': kind('both', 'input-conditional-changed', 'output-conditional-changed'),
  'conditional-removed': kind('widens', 'input-conditional-removed', 'output-conditional-removed'),

  'default-added': kind('note', 'input-default-added', 'output-default-changed'),
  'default-changed': kind('note', 'input-default-changed', 'output-default-changed'),
  'default-removed': kind('note', 'input-default-removed', 'output-default-changed'),
  'read-only-added': kind('note', 'input-read-only-added', 'output-description-changed'),
  'write-only-added': kind('note', 'input-description-changed', 'output-write-only-added'),
  'deprecated-added': kind('note', 'input-deprecated-added', 'output-deprecated-added'),
  'title-changed': kind('note', 'input-title-changed', 'output-description-changed'),
  'examples-changed': kind('note', 'input-examples-changed', 'output-description-changed'),
  'note-changed': kind('note', 'input-description-changed', 'output-description-changed'),

  restructured: kind('note', 'input-ref-restructured', 'output-ref-restructured'),
  'reference-unresolved': kind('both', 'input-ref-unresolved', 'output-ref-unresolved'),
  'reference-remote': kind('both', 'input-ref-remote', 'output-ref-remote'),
  'recursion-changed': kind('both', 'input-ref-recursive-changed', 'output-ref-recursive-changed'),
  'dialect-changed': kind('note', 'input-dialect-changed', 'output-dialect-changed'),
  impossible: kind('narrows', 'input-schema-impossible', 'output-schema-impossible'),
  invalid: kind('both', 'input-schema-invalid', 'output-schema-invalid'),
  oversize: kind('both', 'input-schema-oversize', 'output-schema-oversize'),
  unclassified: kind('both', 'input-unclassified', 'output-unclassified'),
} as const satisfies Record<string, KindOfDifference>;

export type Kind = keyof typeof kinds;

export const ruleOfKind = (of: Kind, direction: Direction): RuleId => kinds[of][direction];
