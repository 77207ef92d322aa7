import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { it } from 'vitest';
import { compareSchemas, proveSchemaChanges } from '../../src/compare/schema/compare-schemas.ts';
import { ruleOf } from '../../src/rules/catalogue.ts';
import { createInProcessValidator } from '../../src/schemas/validate-in-process.ts';

const T = '/work/shared/traffic/';
it('real', async () => {
  const v = createInProcessValidator();
  const validator: any = {
    validate: async (...a: any) => (v.validate as any)(...a),
    check: async (...a: any) => (v.check as any)(...a),
    close: async () => {},
  };
  const groups = new Map<string, string[]>();
  for (const d of readdirSync(T)) {
    const i = d.lastIndexOf('@');
    if (i <= 0 || !existsSync(T + d + '/tools-list.json')) continue;
    const n = d.slice(0, i);
    groups.set(n, [...(groups.get(n) ?? []), d]);
  }
  const ver = (d: string) =>
    d
      .slice(d.lastIndexOf('@') + 1)
      .split('.')
      .map(Number);
  const tools = (d: string): any[] => {
    const j = JSON.parse(readFileSync(T + d + '/tools-list.json', 'utf8'));
    return (j.result ?? j).tools ?? j;
  };
  const count: Record<string, number> = {};
  let total = 0,
    compared = 0;
  const un: string[] = [];
  let worst = 0;
  for (const [, ds] of groups) {
    ds.sort((a, b) => {
      const x = ver(a),
        y = ver(b);
      for (let i = 0; i < 3; i++) if (x[i] !== y[i]) return (x[i] ?? 0) - (y[i] ?? 0);
      return 0;
    });
    for (let k = 1; k < ds.length; k++) {
      const A = new Map(tools(ds[k - 1]!).map((t) => [t.name, t]));
      for (const t of tools(ds[k]!)) {
        const o = A.get(t.name);
        if (!o) continue;
        for (const dir of ['input', 'output'] as const) {
          const b = o[`${dir}Schema`],
            a = t[`${dir}Schema`];
          if (!b || !a) continue;
          const pair = {
            direction: dir,
            tool: t.name,
            before: b,
            after: a,
            dialect: { before: '2020-12' as const, after: '2020-12' as const },
            recorded: [],
          };
          const s = performance.now();
          const ch = compareSchemas(pair);
          const ms = performance.now() - s;
          total += ms;
          compared++;
          worst = Math.max(worst, ms);
          if (!ch.length) continue;
          for (const c of await proveSchemaChanges(pair, ch, validator)) {
            const sev = c.severity ?? ruleOf(c.rule).severity;
            const key = `${c.rule} ${sev} ${c.witness ? 'proven' : ''}`;
            count[key] = (count[key] ?? 0) + 1;
            if (sev !== 'info' && !c.witness)
              un.push(
                `${ds[k]} ${t.name} ${c.rule} ${c.pointer} ${JSON.stringify(c.before)?.slice(0, 80)} -> ${JSON.stringify(c.after)?.slice(0, 80)}`,
              );
          }
        }
      }
    }
  }
  console.log('compared', compared, 'ms', total.toFixed(0), 'worst', worst.toFixed(1));
  console.log(
    Object.entries(count)
      .sort()
      .map(([k, n]) => `${n} ${k}`)
      .join('\n'),
  );
  console.log(
    un
      .filter((u) => !/removed-open|default-|dialect|format|removed-optional/.test(u))
      .slice(0, 60)
      .join('\n'),
  );
}, 600000);
