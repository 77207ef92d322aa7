import { type JsonObject, member } from '../json/json-value.ts';

/** Hints of a tool with their defaults applied (schema of ToolAnnotations, the same in every revision that has them). */
export interface EffectiveHints {
  readonly readOnly: boolean;
  /** Means something only while not read-only. */
  readonly destructive: boolean;
  /** Means something only while not read-only. */
  readonly idempotent: boolean;
  readonly openWorld: boolean;
}

export const hintNames = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;
export type HintName = (typeof hintNames)[number];

export const hintDefaults: Readonly<Record<HintName, boolean>> = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
};

/** A hint as the server wrote it; anything but a boolean counts as absent. */
export function explicitHint(tool: JsonObject, name: HintName): boolean | undefined {
  const value = member(member(tool, 'annotations'), name);
  return typeof value === 'boolean' ? value : undefined;
}

export const effectiveHint = (tool: JsonObject, name: HintName): boolean =>
  explicitHint(tool, name) ?? hintDefaults[name];

export const effectiveHints = (tool: JsonObject): EffectiveHints => ({
  readOnly: effectiveHint(tool, 'readOnlyHint'),
  destructive: effectiveHint(tool, 'destructiveHint'),
  idempotent: effectiveHint(tool, 'idempotentHint'),
  openWorld: effectiveHint(tool, 'openWorldHint'),
});

/** Hints that are there and no boolean (`"true"`, 1, null). */
export const malformedHints = (tool: JsonObject): readonly HintName[] =>
  hintNames.filter((name) => {
    const value = member(member(tool, 'annotations'), name);
    return value !== undefined && typeof value !== 'boolean';
  });
