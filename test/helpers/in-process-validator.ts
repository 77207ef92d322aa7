import type { SchemaValidator } from '../../src/schemas/schema-validator.ts';
import { createInProcessValidator } from '../../src/schemas/validate-in-process.ts';

/** The validator without its worker and without a deadline: for schemas of ours. */
export function createDirectValidator(): SchemaValidator {
  const direct = createInProcessValidator();
  return {
    validate: async (schema, value, dialect, formats) => direct.validate(schema, value, dialect, formats),
    check: async (schema, dialect) => direct.check(schema, dialect),
    close: async () => {},
  };
}
