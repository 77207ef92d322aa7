import { expect, it } from 'vitest';

it('exports these names and no others', async () => {
  const api = await import('../src/index.ts');
  expect(Object.keys(api).sort()).toEqual([
    'CanaryError',
    'checkTargets',
    'compareBareLists',
    'compareRecordings',
    'configJsonSchema',
    'counts',
    'createNodeFiles',
    'createOpenClient',
    'createOpenFetch',
    'createRecordingShelf',
    'createWorkerValidator',
    'loadConfig',
    'loadReporter',
    'readRecording',
    'reportJsonSchema',
    'reporterNames',
    'ruleOf',
    'rules',
    'serveStandIn',
    'silentProgress',
    'systemClock',
  ]);
});
