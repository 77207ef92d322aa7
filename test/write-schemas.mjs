// Part of the build: the JSON Schemas that ship in the package, made from the schemas that the product itself reads with.
import { mkdirSync, writeFileSync } from 'node:fs';
import { configJsonSchema, reportJsonSchema } from '../dist/index.js';

const folder = new URL('../schema/', import.meta.url);
mkdirSync(folder, { recursive: true });
const write = (name, schema) => writeFileSync(new URL(name, folder), `${JSON.stringify(schema, null, 2)}\n`);
write('targets.schema.json', configJsonSchema());
write('report.schema.json', reportJsonSchema());
