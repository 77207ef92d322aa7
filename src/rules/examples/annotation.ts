import type { Example } from './example.ts';

export const annotationExamples = {
  'annotation-readonly-lost': ['{"readOnlyHint": true}', '{"readOnlyHint": false}'],
  'annotation-readonly-claimed': ['{}', '{"readOnlyHint": true}'],
  'annotation-destructive-gained': ['{"readOnlyHint": false, "destructiveHint": false}', '{"readOnlyHint": false}'],
  'annotation-destructive-dropped': ['{"readOnlyHint": false}', '{"readOnlyHint": false, "destructiveHint": false}'],
  'annotation-idempotent-lost': ['{"readOnlyHint": false, "idempotentHint": true}', '{"readOnlyHint": false}'],
  'annotation-idempotent-claimed': ['{"readOnlyHint": false}', '{"readOnlyHint": false, "idempotentHint": true}'],
  'annotation-openworld-gained': ['{"openWorldHint": false}', '{"openWorldHint": true}'],
  'annotation-openworld-dropped': ['{"openWorldHint": true}', '{"openWorldHint": false}'],
  'annotation-made-explicit': ['{"readOnlyHint": true}', '{"readOnlyHint": true, "openWorldHint": true}'],
  'annotation-masked-change': ['{"readOnlyHint": true, "idempotentHint": true}', '{"readOnlyHint": true}'],
  'annotation-contradictory': ['{"readOnlyHint": true}', '{"readOnlyHint": true, "destructiveHint": true}'],
  'annotation-malformed': ['{"readOnlyHint": true}', '{"readOnlyHint": "true"}'],
  'annotation-unknown-changed': ['{"x-beta": true}', '{}'],
  'annotation-title-changed': ['{"title": "Check"}', '{"title": "Check a domain"}'],
  'annotation-name-conflict': [
    '{"name": "renew_domain"}',
    '{"name": "renew_domain", "annotations": {"readOnlyHint": true}}',
  ],
  'replay-blocked-unsafe': [
    'the tool says {"readOnlyHint": true}: the call is sent',
    'the tool says nothing: the call is not sent',
  ],
} as const satisfies Readonly<Record<string, Example>>;
