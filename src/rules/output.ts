import { outputCompositionRules } from './output-composition.ts';
import { outputObjectsRules } from './output-objects.ts';
import { outputPromisesRules } from './output-promises.ts';

/** Rules about `outputSchema`: what we read. */
export const outputRules = [...outputObjectsRules, ...outputCompositionRules, ...outputPromisesRules] as const;
