/**
 * What a rule compares, before and after, as a reader may meet it. JSON where it can be: a schema, a tool, a list, a
 * result of `initialize` or of a call, or a JSON-RPC error; for rules about the wire what came over it.
 */
export type Example = readonly [before: string, after: string];
