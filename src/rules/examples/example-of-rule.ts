import type { RuleId } from '../catalogue.ts';
import { annotationExamples } from './annotation.ts';
import type { Example } from './example.ts';
import { initExamples } from './init.ts';
import { inputExamples } from './input.ts';
import { listExamples } from './list.ts';
import { outputExamples } from './output.ts';
import { resultExamples } from './result.ts';
import { runExamples } from './run.ts';
import { transportExamples } from './transport.ts';

const examples: Readonly<Record<RuleId, Example>> = {
  ...initExamples,
  ...transportExamples,
  ...listExamples,
  ...annotationExamples,
  ...inputExamples,
  ...outputExamples,
  ...resultExamples,
  ...runExamples,
};

/** A change on which the rule fires. Apart from the catalogue, since only whoever explains a rule needs it. */
export const exampleOfRule = (id: RuleId): { readonly before: string; readonly after: string } => {
  const [before, after] = examples[id];
  return { before, after };
};
