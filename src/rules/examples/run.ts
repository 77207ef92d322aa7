import type { Example } from './example.ts';

export const runExamples = {
  'canary-overdue': ['the last run ended 3 hours ago', 'the last run ended 3 days ago'],
  'canary-recording-old': ['taken or touched this month', 'not taken and not touched for months'],
  'canary-recording-weak': ['a recorded list with an entry', 'a recorded list that was never seen with an entry'],
  'canary-recording-not-live': ['taken from the server itself', 'put together from what others published'],
  'waiver-stale': ['{"until": "2027-01-31"} on 2027-01-31', '{"until": "2027-01-31"} on 2027-02-01'],
  'observation-unstable': ['both looks show the same', 'one look shows a finding that the other one does not'],
} as const satisfies Readonly<Record<string, Example>>;
