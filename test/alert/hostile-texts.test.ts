import { describe, expect, it } from 'vitest';
import { draftProposal } from '../../src/alert/draft/draft-proposal.ts';
import { readMarkedBody } from '../../src/alert/marker.ts';
import type { Finding } from '../../src/findings/finding.ts';
import { hostileTexts } from './hostile-texts.ts';
import { alive, carrying } from './living-text.ts';
import { Nights } from './nights.ts';
import { described, silent, target } from './reports.ts';

const chunks = <T>(items: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));

describe('texts of servers', () => {
  it('there are three hundred of them', () => {
    expect(hostileTexts.length).toBeGreaterThan(300);
  });

  it.each([
    ['values', 0],
    ['shapes', 1],
    ['none', 2],
  ] as const)('are inert in bodies, comments and titles, with evidence: %s', async (evidence, third) => {
    // Each text in one place of a finding here; the long test has each text in every place.
    const texts = hostileTexts.filter((_, i) => i % 3 === third);
    for (const some of chunks(texts, 20)) {
      const nights = new Nights({ evidence, unavailableAfter: 1 });
      const findings = some.flatMap((text, i) => carrying(text).slice(i % 5, (i % 5) + 1));
      const [first = '', second = ''] = some;
      const night = (more: readonly Finding[]) => [
        target('godaddy', { findings: [...findings, ...more], server: { name: first, version: second } }),
        silent('dynadot', { class: 'server-error', message: first }),
      ];
      await nights.run(night([]));
      await nights.run(night([described(first.slice(0, 99), second, first, { severity: 'breaking' })]));
      for (const { title, body, comments } of nights.service.issues) {
        expect(title).toMatch(/^\[mcp-canary\] [\w.-]+: [\w ,()-]+$/);
        expect(alive(body)).toEqual([]);
        for (const comment of comments) expect(alive(comment.body)).toEqual([]);
        expect(readMarkedBody(body)?.state).not.toBeNull();
      }
      expect(nights.service.issues.length).toBeGreaterThanOrEqual(2);
    }
  });

  it('are inert in pull requests', () => {
    for (const some of chunks(hostileTexts, 40)) {
      const findings = some.flatMap((text, i) => carrying(text).slice(i % 5, (i % 5) + 1));
      const { body, title } = draftProposal(target('godaddy'), findings, { evidence: 'values', version: '0.1.0' });
      expect(alive(body)).toEqual([]);
      expect(title).toBe('[mcp-canary] godaddy: record what the server answers now');
    }
  });

  it.each(['a', '😀', '`', '\n```\n'])('a body that was cut to size is whole: %j', async (unit) => {
    const nights = new Nights({ evidence: 'values' });
    const changed = (i: number): Finding =>
      described(`tool_${i}`, unit.repeat(2_000), `${unit.repeat(2_000)}x`, {
        severity: 'breaking',
        rule: i % 2 ? 'tool-description-changed' : 'tool-text-grew',
      });
    await nights.run([target('godaddy', { findings: Array.from({ length: 120 }, (_, i) => changed(i)) })]);
    const body = nights.service.issues[0]?.body ?? '';
    expect(body.length).toBeLessThanOrEqual(60_000);
    expect(alive(body)).toEqual([]);
    expect(body).toMatch(/and \d+ more/);
  });
});
