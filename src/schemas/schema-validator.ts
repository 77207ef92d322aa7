import type { JsonValue } from '../json/json-value.ts';

/** What one validation said. `unknown`: the deadline, a dialect we do not carry, or a schema that does not compile. */
export type Verdict =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'refused'; readonly pointer: string; readonly keyword: string }
  | {
      readonly kind: 'unknown';
      readonly reason: 'timeout' | 'dialect' | 'schema-invalid' | 'too-large';
      readonly detail: string;
    };

/** How `format` is read: an annotation (the default of 2020-12), or a demand. */
export type Formats = 'ignored' | 'asserted';

/**
 * JSON Schema validation behind a port. The real one runs Ajv in a worker with a deadline, since a hostile pattern can
 * hang it; tests may run it in process.
 */
export interface SchemaValidator {
  /** Validates by the schema's own `$schema`, else by `dialect`. Never fetches a reference. Absent: formats are ignored. */
  validate(schema: JsonValue, value: JsonValue, dialect?: 'draft-07' | '2020-12', formats?: Formats): Promise<Verdict>;
  /** Whether the schema is valid under its metaschema and compiles. */
  check(schema: JsonValue, dialect?: 'draft-07' | '2020-12'): Promise<Verdict>;
  close(): Promise<void>;
}
