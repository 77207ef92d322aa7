import type { SchemaValidator } from '../schemas/schema-validator.ts';

/**
 * The validator in its worker, started when something is first validated: most nights nothing is.
 * @param worker its file; by default the one beside the bundle
 */
export function lazyValidator(worker = new URL('./schema-worker.js', import.meta.url)): SchemaValidator {
  let started: Promise<SchemaValidator> | null = null;
  const start = (): Promise<SchemaValidator> => {
    started ??= import('../schemas/worker-validator.ts').then(({ createWorkerValidator }) =>
      createWorkerValidator(worker),
    );
    return started;
  };
  return {
    validate: async (...args) => (await start()).validate(...args),
    check: async (...args) => (await start()).check(...args),
    close: async () => {
      if (started !== null) await (await started).close();
    },
  };
}
