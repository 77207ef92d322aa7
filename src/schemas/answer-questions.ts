import type { JsonValue } from '../json/json-value.ts';
import { createInProcessValidator } from './validate-in-process.ts';
import type { Answer, Question } from './worker-messages.ts';

/** The worker's side: answers each question with the schemas it was told of so far. */
export function createAnswerer(): (question: Question) => Answer {
  const schemas = new Map<number, JsonValue>();
  const validator = createInProcessValidator();
  return ({ id, task, schema, value, dialect, formats, forget }) => {
    for (const name of forget) schemas.delete(name);
    if (schema.whole !== undefined) schemas.set(schema.name, schema.whole);
    const known = schemas.get(schema.name);
    if (known === undefined) {
      return { id, verdict: { kind: 'unknown', reason: 'schema-invalid', detail: 'the schema was not sent' } };
    }
    const verdict =
      task === 'check' ? validator.check(known, dialect) : validator.validate(known, value, dialect, formats);
    return { id, verdict };
  };
}
