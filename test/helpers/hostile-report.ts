import type { Report } from '../../src/findings/report.ts';
import { makeFinding, makeReport, makeTarget } from './make-report.ts';

/** A report in which every text from outside is this one. */
export const hostileReport = (text: string): Report =>
  makeReport(
    [
      makeTarget({
        state: 'drifted',
        registrar: text,
        server: { name: text, version: text },
        revision: { offered: text, recorded: text, live: text },
        failure: { class: 'server-error', step: 'tools/list', message: text },
        notes: [{ code: 'sse-junk', step: 'tools/list', message: text }],
        replayed: [
          {
            method: 'tools/call',
            tool: text,
            case: 'taken',
            outcome: 'answered',
            httpStatus: 200,
            durationMs: 1,
            bytes: 1,
          },
        ],
        findings: [
          makeFinding({
            tool: text,
            pointer: `/inputSchema/properties/${text}`,
            before: text,
            after: { [text]: [text] },
            witness: { value: { [text]: text }, accepts: 'recorded' },
            message: text,
          }),
          makeFinding({
            rule: 'tool-text-suspicious',
            severity: 'security',
            tool: text,
            before: null,
            after: `${text}\n${text}`,
          }),
          makeFinding({
            rule: 'tool-removed',
            tool: null,
            places: [
              { tool: text, pointer: text },
              { tool: `${text}2`, pointer: null },
            ],
          }),
          makeFinding({ rule: 'tool-added-readonly', tool: text }),
          makeFinding({
            rule: 'result-pinned-value-changed',
            method: 'tools/call',
            tool: text,
            case: 'taken',
            pointer: text,
            waived: { reason: text, until: null },
          }),
        ],
      }),
    ],
    { canary: [makeFinding({ rule: 'waiver-stale', tool: text, message: text })] },
  );
