import fc from 'fast-check';
import { it } from 'vitest';
import { findDifferences } from '../../src/compare/schema/find-differences.ts';
import { createInProcessValidator } from '../../src/schemas/validate-in-process.ts';
import { instances, pairArb } from './generate-schemas.ts';

it('stat', () => {
  const table: Record<string, number> = {};
  const kinds: Record<string, number> = {};
  const falseAlarm: string[] = [];
  for (const { before, after } of fc.sample(pairArb, { numRuns: 600, seed: 3 })) {
    const d = findDifferences({
      direction: 'input',
      tool: 't',
      before,
      after,
      dialect: { before: '2020-12', after: '2020-12' },
      recorded: [],
    });
    for (const x of d) kinds[x.kind] = (kinds[x.kind] ?? 0) + 1;
    const n = d.some((x) => x.narrows),
      w = d.some((x) => x.widens);
    const v = createInProcessValidator();
    let tn = false,
      tw = false,
      unk = false;
    for (const i of instances) {
      const a = v.validate(before, i).kind,
        b = v.validate(after, i).kind;
      if (a === 'unknown' || b === 'unknown') {
        unk = true;
        break;
      }
      if (a === 'accepted' && b === 'refused') tn = true;
      if (a === 'refused' && b === 'accepted') tw = true;
    }
    const key = unk ? 'unknown' : `says ${n ? 'N' : '-'}${w ? 'W' : '-'} true ${tn ? 'N' : '-'}${tw ? 'W' : '-'}`;
    table[key] = (table[key] ?? 0) + 1;
    if (!unk && ((!n && tn) || (!w && tw))) console.log('CONTRA', JSON.stringify({ before, after }));
    if (!unk && ((n && !tn) || (w && !tw)))
      falseAlarm.push(
        JSON.stringify({
          before,
          after,
          d: d
            .filter((x) => x.narrows || x.widens)
            .map((x) => `${x.kind} ${x.pointer} ${x.narrows ? 'N' : ''}${x.widens ? 'W' : ''}`),
        }),
      );
  }
  console.log(JSON.stringify(table, null, 1));
  console.log(JSON.stringify(kinds));
  falseAlarm.sort((a, b) => a.length - b.length);
  console.log(falseAlarm.slice(0, 40).join('\n'));
}, 600000);
