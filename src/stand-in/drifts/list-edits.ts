import { isJsonObject, type JsonObject, member } from '../../json/json-value.ts';
import type { ChangeSchema, SchemaEdit } from './schema-edit.ts';
import { dropKeyword, has, isArraySchema, listAt, numberAt, without } from './schema-facts.ts';
import { belied } from './value-edits.ts';

const ofArray =
  (change: ChangeSchema): ChangeSchema =>
  (schema, place) =>
    isArraySchema(schema) ? change(schema, place) : null;

const isSchema = (schema: JsonObject, keyword: string): boolean => isJsonObject(member(schema, keyword));

const entries: readonly SchemaEdit[] = [
  {
    input: 'input-items-added',
    output: 'output-items-added',
    story: '{It} is a list whose entries have to be texts.',
    needs: '{it} that is a list of anything',
    change: ofArray((schema) =>
      has(schema, 'items') || has(schema, 'prefixItems') ? null : { ...schema, items: { type: 'string' } },
    ),
    outputOthers: belied,
  },
  {
    input: 'input-items-removed',
    output: 'output-items-removed',
    story: '{It} is a list whose entries may be anything.',
    needs: '{it} that is a list with a schema for its entries',
    change: ofArray((schema) =>
      isSchema(schema, 'items') && !has(schema, 'prefixItems') ? without(schema, 'items') : null,
    ),
  },
  {
    input: 'input-prefix-items-changed',
    output: 'output-prefix-items-changed',
    story: '{It} is a list whose places are in another order.',
    needs: '{it} that is a list with a schema for each place',
    change: (schema) => {
      const [first, second, ...rest] = listAt(schema, 'prefixItems') ?? [];
      return first === undefined || second === undefined ? null : { ...schema, prefixItems: [second, first, ...rest] };
    },
    outputOthers: belied,
  },
  {
    input: 'input-prefix-items-added',
    output: 'output-prefix-items-added',
    story: '{It} is a list with a place more.',
    needs: '{it} that is a list with a schema for each place',
    change: (schema) => {
      const places = listAt(schema, 'prefixItems');
      return places === undefined ? null : { ...schema, prefixItems: [...places, { type: 'boolean' }] };
    },
    outputOthers: belied,
  },
  {
    input: 'input-prefix-items-removed',
    output: 'output-prefix-items-removed',
    story: '{It} is a list with a place less.',
    needs: '{it} that is a list with a schema for each of several places',
    change: (schema) => {
      const places = listAt(schema, 'prefixItems') ?? [];
      return places.length < 2 ? null : { ...schema, prefixItems: places.slice(0, -1) };
    },
    outputOthers: belied,
  },
];

const counts: readonly SchemaEdit[] = [
  {
    input: 'input-min-items-raised',
    story: 'An argument is a list that must not be empty.',
    needs: 'argument that is a list',
    change: ofArray((schema) => ({ ...schema, minItems: (numberAt(schema, 'minItems') ?? 0) + 1 })),
  },
  {
    input: 'input-max-items-lowered',
    story: 'An argument is a list that must be shorter.',
    needs: 'argument that is a list',
    change: ofArray((schema) => {
      const most = (numberAt(schema, 'maxItems') ?? 11) - 1;
      return most > (numberAt(schema, 'minItems') ?? 0) ? { ...schema, maxItems: most } : null;
    }),
  },
  {
    input: 'input-min-items-lowered',
    output: 'output-min-items-lowered',
    story: '{It} is a list that may be empty.',
    needs: '{it} that is a list with a least length',
    change: ofArray((schema) => ((numberAt(schema, 'minItems') ?? 0) > 0 ? without(schema, 'minItems') : null)),
  },
  {
    input: 'input-max-items-raised',
    story: 'An argument is a list that may be longer.',
    needs: 'argument that is a list with a greatest length',
    change: ofArray((schema) => {
      const most = numberAt(schema, 'maxItems');
      return most === undefined ? null : { ...schema, maxItems: most + 1 };
    }),
  },
  {
    input: 'input-unique-items-added',
    output: 'output-unique-items-added',
    story: '{It} is a list that holds nothing twice.',
    needs: '{it} that is a list',
    change: ofArray((schema) => (member(schema, 'uniqueItems') === true ? null : { ...schema, uniqueItems: true })),
    outputOthers: belied,
  },
  {
    input: 'input-unique-items-removed',
    output: 'output-unique-items-removed',
    story: '{It} is a list that may hold things twice.',
    needs: '{it} that is a list without doubles',
    change: ofArray((schema) => (member(schema, 'uniqueItems') === true ? without(schema, 'uniqueItems') : null)),
  },
  {
    input: 'input-contains-added',
    output: 'output-contains-added',
    story: '{It} is a list that has to hold a certain entry.',
    needs: '{it} that is a list',
    change: ofArray((schema) => (has(schema, 'contains') ? null : { ...schema, contains: { const: 'whois' } })),
    outputOthers: belied,
  },
  {
    input: 'input-contains-count-tightened',
    story: 'An argument is a list that has to hold more of certain entries.',
    needs: 'argument that is a list with certain entries',
    change: (schema) =>
      isSchema(schema, 'contains') ? { ...schema, minContains: (numberAt(schema, 'minContains') ?? 1) + 1 } : null,
  },
  {
    input: 'input-contains-removed',
    output: 'output-contains-removed',
    story: '{It} is a list that need not hold a certain entry.',
    needs: '{it} that is a list with certain entries',
    change: dropKeyword('contains', 'minContains', 'maxContains'),
  },
];

export const listEdits: readonly SchemaEdit[] = [...entries, ...counts];
