import { inputArraysRules } from './input-arrays.ts';
import { inputCompositionRules } from './input-composition.ts';
import { inputObjectsRules } from './input-objects.ts';
import { inputValuesRules } from './input-values.ts';

/** Rules about `inputSchema`: what we may send. */
export const inputRules = [
  ...inputObjectsRules,
  ...inputValuesRules,
  ...inputArraysRules,
  ...inputCompositionRules,
] as const;
