/** In what a schema without `$schema` is read (2025-11-25, "JSON Schema Usage"); earlier revisions leave it open. */
export const unmarkedDialect = { before: '2020-12', after: '2020-12' } as const;
