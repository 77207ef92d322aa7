import { outputCompositionRules } from './output-composition.ts';
import { outputObjectsRules } from './output-objects.ts';

/** Rules about `outputSchema`: what we read. */
export const outputRules = [...outputObjectsRules, ...outputCompositionRules] as const;
