import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInThisContext } from 'node:vm';
import { build } from 'tsdown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { steadySpreads } from './steady-spread.ts';

const source = `
export const last = (a) => ({ ...a, own: 1 });
export const two = (a) => ({ ...a, ...{ more: 2 }, own: 1 });
export const inner = (a) => [{ ...a, own: { ...a, deep: () => ({ ...a, own: 3 }) } }][0].own.deep();
export const text = (a) => ({ ...a, own: \`{ ...a, \${JSON.stringify({ ...a, own: 4 })}\` });
export const alone = (a) => ({ ...a });
export const first = (a) => ({ own: 0, ...a });
export const rest = ({ kept, ...others }) => ({ kept, others });
`;
type Made = Readonly<Record<string, (a: object) => object>>;

let folder: string;
let made: Made;

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'mcp-canary-spread-'));
  writeFileSync(path.join(folder, 'made.mjs'), source);
  await build({
    cwd: folder,
    entry: ['made.mjs'],
    outDir: path.join(folder, 'out'),
    minify: true,
    dts: false,
    config: false,
    logLevel: 'error',
    plugins: [steadySpreads],
  });
  made = (await import(path.join(folder, 'out/made.mjs'))) as Made;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const call = (name: string, given: object): string => JSON.stringify(made[name]?.(given));

describe('a spread in the bundle', () => {
  it.each([
    ['last', '{"a":1,"own":1}'],
    ['two', '{"a":1,"more":2,"own":1}'],
    ['inner', '{"a":1,"own":3}'],
    ['text', '{"a":1,"own":"{ ...a, {\\"a\\":1,\\"own\\":4}"}'],
    ['alone', '{"a":1}'],
    ['first', '{"own":0,"a":1}'],
    ['rest', '{"others":{"a":1}}'],
  ])('%s makes what it made', (name, expected) => expect(call(name, { a: 1 })).toBe(expected));

  it('overrides where it did, and keeps a member called __proto__ a member', () => {
    expect(call('last', { own: 0, a: 1 })).toBe('{"own":1,"a":1}');
    const odd = JSON.parse('{"__proto__":{"polluted":true}}') as object;
    expect(call('last', odd)).toBe('{"__proto__":{"polluted":true},"own":1}');
    expect(Object.getPrototypeOf(made.last?.(odd))).toBe(Object.prototype);
  });

  it.each(['last', 'two', 'inner'])('%s gives each object the shape of the one before', (name) => {
    setFlagsFromString('--allow-natives-syntax');
    const haveSameShape = runInThisContext('(a, b) => %HaveSameMap(a, b)') as (a: unknown, b: unknown) => boolean;
    // Called often, it is compiled by what V8 has seen so far.
    const all = Array.from({ length: 5_000 }, (_, x) => made[name]?.({ a: x, b: 'text' }));
    expect(haveSameShape(all.at(-2), all.at(-1))).toBe(true);
  });
});
