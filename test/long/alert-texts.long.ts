import { describe, expect, it } from 'vitest';
import { hostileTexts } from '../alert/hostile-texts.ts';
import { alive, carrying } from '../alert/living-text.ts';
import { Nights } from '../alert/nights.ts';
import { silent, target } from '../alert/reports.ts';

// A tenth of the texts where the run is to be short.
const step = process.env.SHORT === '1' ? 10 : 1;

describe('each hostile text in every place of a finding', () => {
  it.each(['values', 'shapes', 'none'] as const)('evidence: %s', { timeout: 600_000 }, async (evidence) => {
    // What differs between the levels is few places: a third of the texts will do for the stricter two.
    for (const text of hostileTexts.filter((_, i) => i % (evidence === 'values' ? step : 3 * step) === 0)) {
      const nights = new Nights({ evidence, unavailableAfter: 1 });
      const night = (more: string) => [
        target('godaddy', { findings: carrying(`${text}${more}`), server: { name: text, version: text } }),
        silent('dynadot', { class: 'server-error', message: text }),
      ];
      await nights.run(night(''));
      await nights.run(night('!'));
      for (const { body, comments } of nights.service.issues) {
        expect([text, ...alive(body)]).toEqual([text]);
        for (const comment of comments) expect([text, ...alive(comment.body)]).toEqual([text]);
      }
    }
  });
});
