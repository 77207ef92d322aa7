import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';
import { onceForEqual } from '../../src/config/once-for-equal.ts';

describe('what is made once for equal sources', () => {
  it('is made once for equal ones, whatever the order of their members, and anew for others', () => {
    const made: unknown[] = [];
    const make = onceForEqual((source: unknown) => {
      made.push(source);
      return { source };
    });
    const first = make({ a: 1, b: [2] });
    expect(make({ b: [2], a: 1 })).toBe(first);
    expect(make({ a: 1, b: [3] })).not.toBe(first);
    expect(make(undefined)).toBe(make(undefined));
    expect(make('')).not.toBe(make(undefined));
    expect(made).toEqual([{ a: 1, b: [2] }, { a: 1, b: [3] }, undefined, '']);
  });
});

describe('targets of one config', () => {
  const call = { tools: { echo: { calls: { hello: { arguments: { text: 'hello', many: 12345678901234567890n } } } } } };
  const config = loadConfig({
    text: `{"formatVersion":1,"schedule":{"cron":"0 3 * * *"},"targets":{
      "a":{"transport":"http","url":"http://127.0.0.1:1/mcp","tools":${write(call.tools)}},
      "b":{"transport":"http","url":"http://127.0.0.1:2/mcp","tools":${write(call.tools)}},
      "c":{"transport":"http","url":"http://127.0.0.1:2/mcp","tools":{"echo":{"calls":{"hello":{"arguments":{"text":"bye"}}}}},
           "limits":{"pages":3},"confirm":{"looks":1},"severity":{"tool-added-readonly":"warning"},"schedule":{"cron":"0 4 * * *"}}}}`,
    file: 'targets.yaml',
    env: {},
    select: null,
    version: '1.0.0',
  });
  const of = (id: string) => config.targets.get(id);

  it('hold what they share once', () => {
    const [a, b] = [of('a'), of('b')];
    expect(a?.use.tools).toBe(b?.use.tools);
    for (const part of ['limits', 'confirm', 'schedule'] as const) expect(a?.[part]).toBe(b?.[part]);
    for (const part of ['severity', 'waivers', 'failurePatterns'] as const) expect(a?.use[part]).toBe(b?.use[part]);
    expect([a?.use.target, b?.use.target]).toEqual(['a', 'b']);
  });

  it('keep what is their own', () => {
    const [a, c] = [of('a'), of('c')];
    expect(c?.use.tools?.get('echo')?.calls.hello?.arguments).toEqual({ text: 'bye' });
    expect(a?.use.tools?.get('echo')?.calls.hello?.arguments).toEqual({ text: 'hello', many: 12345678901234567890n });
    expect([a?.limits.pages === 3, c?.limits.pages]).toEqual([false, 3]);
    expect([a?.confirm.looks, c?.confirm.looks]).toEqual([2, 1]);
    expect([a?.schedule?.cron, c?.schedule?.cron]).toEqual(['0 3 * * *', '0 4 * * *']);
    expect([a?.use.severity.size, c?.use.severity.get('tool-added-readonly')]).toEqual([0, 'warning']);
  });
});

function write(value: unknown): string {
  return JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? Number(part) : part)).replace(
    '12345678901234567000',
    '12345678901234567890',
  );
}
