import { z } from 'zod';
import { type ProbeRecord, probeBodies } from './probes.ts';

/** `probes.json`. Strict, as the other files of a recording; a probe that this version does not know is kept. */
export const probesFile = z.strictObject({
  revision: z.string(),
  answers: z.record(
    z.string().regex(/^[a-z0-9-]{1,64}$/, 'is no id of a probe'),
    z.strictObject({
      status: z.int().min(100).max(999).nullable(),
      body: z.enum(probeBodies).nullable(),
      code: z.union([z.int(), z.bigint()], 'must be an integer').nullable(),
      facts: z.array(z.string().regex(/^[a-z0-9-]{1,64}$/, 'is no fact about an answer')),
    }),
  ),
});

export const probesFromFile = ({ revision, answers }: z.output<typeof probesFile>): ProbeRecord => ({
  revision,
  answers: new Map(Object.entries(answers)),
});
