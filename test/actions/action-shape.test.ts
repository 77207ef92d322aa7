import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

const root = path.join(import.meta.dirname, '..', '..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

/** What GitHub takes as the metadata of a composite action, and no more. */
const input = z.strictObject({
  description: z.string().min(1),
  required: z.boolean().optional(),
  default: z.string().optional(),
});
const step = z
  .strictObject({
    id: z
      .string()
      .regex(/^[a-z-]+$/)
      .optional(),
    name: z.string().optional(),
    if: z.string().optional(),
    shell: z.literal('bash').optional(),
    env: z.record(z.string().regex(/^[A-Z_]+$/), z.string()).optional(),
    run: z.string().optional(),
    uses: z.string().optional(),
    with: z.record(z.string(), z.string()).optional(),
  })
  .refine(
    ({ run, uses, shell }) =>
      (run === undefined) !== (uses === undefined) && (run === undefined) === (shell === undefined),
  );
const action = z.strictObject({
  name: z.string(),
  description: z.string(),
  inputs: z.record(z.string().regex(/^[a-z-]+$/), input),
  outputs: z.record(z.string().regex(/^[a-z-]+$/), z.strictObject({ description: z.string(), value: z.string() })),
  runs: z.strictObject({ using: z.literal('composite'), steps: z.array(step) }),
});

const text = read('.github/actions/canary/action.yml');
const { inputs, runs } = action.parse(parse(text));
const used = (context: string): ReadonlySet<string> =>
  new Set([...text.matchAll(new RegExp(`\\b${context}\\.([\\w-]+)`, 'g'))].flatMap(([, name]) => name ?? []));

describe('the composite action', () => {
  it('uses each of its inputs, and no other', () => {
    expect(used('inputs')).toEqual(new Set(Object.keys(inputs)));
  });

  it('names only steps that it has', () => {
    expect(used('steps')).toEqual(new Set(runs.steps.flatMap(({ id }) => id ?? [])));
  });

  it('hands the token to the step that alerts alone', () => {
    const withToken = runs.steps.filter(({ env }) => JSON.stringify(env ?? {}).includes('inputs.token'));
    expect(withToken.map((one) => one.if)).toEqual(["inputs.command == 'alert'"]);
  });
});

interface Called {
  readonly on: { readonly workflow_call: { readonly inputs: object; readonly secrets: object } };
  readonly jobs: Readonly<Record<string, { readonly permissions: Readonly<Record<string, string>> }>>;
}
interface Calling {
  readonly jobs: Readonly<
    Record<
      string,
      {
        readonly uses: string;
        readonly with?: object;
        readonly secrets?: object;
        readonly permissions: Readonly<Record<string, string>>;
      }
    >
  >;
}

describe('what the README shows', () => {
  const readme = read('README.md');

  it('a consumer needs is twelve lines', () => {
    const consumer = read('test/examples/consumer.yml');
    expect(consumer.trimEnd().split('\n')).toHaveLength(12);
    expect(readme).toContain(`\`\`\`yaml\n${consumer}\`\`\`\n`);
  });

  it('calls a workflow that exists, with secrets it knows and all the permissions its jobs ask for', () => {
    for (const { uses, with: given = {}, secrets = {}, permissions } of Object.values(
      (parse(read('test/examples/consumer.yml')) as Calling).jobs,
    )) {
      const called = parse(read(uses.replace(/^OWNER\/mcp-canary\//, '').replace(/@.*$/, ''))) as Called;
      const { inputs: known, secrets: taken } = called.on.workflow_call;
      expect(Object.keys(known)).toEqual(expect.arrayContaining(Object.keys(given)));
      expect(Object.keys(taken)).toEqual(expect.arrayContaining(Object.keys(secrets)));
      for (const job of Object.values(called.jobs)) expect(permissions).toMatchObject(job.permissions);
    }
  });
});
