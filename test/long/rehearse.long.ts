import { describe, expect, it } from 'vitest';
import { rehearseAll, rehearseCommitted, wrong } from '../rehearse/rehearse-all.ts';
import { richTargets } from '../rehearse/rich-recordings.ts';

const isShort = process.env.SHORT === '1';

describe('rehearse --all', () => {
  it.each(isShort ? [] : richTargets)('fires every rule that it can on $what', async ({ recording, target }) => {
    expect(wrong(await rehearseAll(target, recording))).toEqual([]);
  });

  it.each(['hostinger', 'namecom'])('fires what it can on the committed recording of %s', (id) =>
    rehearseCommitted(id),
  );
});
