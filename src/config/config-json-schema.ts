import { z } from 'zod';
import type { JsonObject } from '../json/json-value.ts';
import { buildTargetsFileSchema } from './targets-schema.ts';

/** The JSON Schema of targets.yaml for editors (draft-07, which they all know), from the schema that `loadConfig` uses. */
export function configJsonSchema(): JsonObject {
  const schema = z.toJSONSchema(buildTargetsFileSchema(), { target: 'draft-7', io: 'input', unrepresentable: 'any' });
  return { ...(schema as JsonObject), title: 'targets.yaml of mcp-canary' };
}
