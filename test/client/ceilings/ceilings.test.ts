import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readAlertReport } from '../../../src/alert/read-alert-report.ts';
import { limits, targetLimits } from '../../../src/limits.ts';
import { replayTarget } from '../../../src/replay/replay-target.ts';
import { useOf } from '../../compare/sides.ts';
import type { Ceiling } from './cases.ts';
import { heldElsewhere, hitByNobody } from './elsewhere.ts';
import { json, letPass, message, openAgainst } from './hostile-fetch.ts';
import { httpCases } from './http-cases.ts';

const ceilings = [...Object.keys(targetLimits), ...Object.keys(limits)] as Ceiling[];

describe('every ceiling', () => {
  it.each(ceilings)('%s has a hostile case, or nobody can hit it', (ceiling) => {
    const places = [httpCases[ceiling], heldElsewhere[ceiling], hitByNobody[ceiling]];
    expect(places.filter((place) => place !== undefined)).not.toEqual([]);
    for (const { file, words } of heldElsewhere[ceiling] ?? []) {
      const at = path.join(import.meta.dirname, '..', '..', file);
      expect(existsSync(at) && readFileSync(at, 'utf8').includes(words), `${file} says “${words}”`).toBe(true);
    }
  });

  it('is one: no case is of something else', () => {
    const named = [httpCases, heldElsewhere, hitByNobody].flatMap((cases) => Object.keys(cases));
    expect(named.filter((name) => !ceilings.some((ceiling) => ceiling === name))).toEqual([]);
  });
});

describe.each(Object.entries(httpCases))('%s holds against a server that', (_, deeds) => {
  it.each(Object.entries(deeds))('%s', (_name, deed) => deed());
});

describe('sessionRestarts holds against a server that', () => {
  it('loses every session', async () => {
    const { client, clock, asked } = openAgainst((one) =>
      one.method === 'initialize'
        ? {
            headers: { ...json, 'mcp-session-id': `session-${one.nth}` },
            body: message(one, { protocolVersion: '2025-11-25' }),
          }
        : { status: one.http === 'POST' ? 404 : 405 },
    );
    const use = useOf({ target: 't', consumer: 'code', texts: 'words' });
    const replay = replayTarget({
      target: 't',
      era: 'handshake',
      offered: '2025-11-25',
      use,
      isFirst: true,
      openClient: () => client,
    });
    const [{ failures }] = await letPass(clock, replay);
    expect(failures).toMatchObject([{ class: 'session-lost' }]);
    expect(asked.filter(({ method }) => method === 'initialize')).toHaveLength(1 + limits.sessionRestarts);
  });
});

describe('reportBytes holds against', () => {
  it('a report of more bytes', () => {
    expect(() => readAlertReport(new Uint8Array(limits.reportBytes + 1), null)).toThrow('larger than');
  });
});
