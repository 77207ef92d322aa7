import type { SchemaValidator } from '../schemas/schema-validator.ts';

/** The validator in its worker, started when something is first validated: most nights nothing is. */
export function lazyValidator(): SchemaValidator {
  let started: Promise<SchemaValidator> | null = null;
  const start = (): Promise<SchemaValidator> => {
    started ??= import('../schemas/worker-validator.ts').then(({ createWorkerValidator }) =>
      // The worker is a file of its own beside the bundle.
      createWorkerValidator(new URL('./schema-worker.js', import.meta.url)),
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
