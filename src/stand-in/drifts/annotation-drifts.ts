import { isJsonObject, type JsonObject, type JsonValue, member } from '../../json/json-value.ts';
import { effectiveHint, explicitHint, type HintName, hintNames } from '../../protocol/annotations.ts';
import { type ConsumerUse, casesOf } from '../../recording/consumer-use.ts';
import { hasWords, nameOf, withTool } from './change-recording.ts';
import { type Drift, type DriftFacts, ofRecording } from './drift.ts';
import { without } from './schema-facts.ts';

const annotationsOf = (tool: JsonObject): JsonObject => {
  const annotations = member(tool, 'annotations');
  return isJsonObject(annotations) ? annotations : {};
};

const annotate = (tool: JsonObject, name: string, value: JsonValue): JsonObject => ({
  ...tool,
  annotations: { ...annotationsOf(tool), [name]: value },
});

const hintDrift = (facts: DriftFacts, change: (tool: JsonObject, use: ConsumerUse) => JsonObject | null): Drift =>
  ofRecording(facts, (recording, use) => withTool(recording, use, (tool) => change(tool, use)));

/** Sets a hint whose effective value is another one. */
const flip =
  (name: HintName, to: boolean, mayHappen: (tool: JsonObject) => boolean = () => true) =>
  (tool: JsonObject): JsonObject | null =>
    effectiveHint(tool, name) !== to && mayHappen(tool) ? annotate(tool, name, to) : null;

const reads = (tool: JsonObject): boolean => effectiveHint(tool, 'readOnlyHint');
const writes = (tool: JsonObject): boolean => !reads(tool);

const hints: readonly Drift[] = [
  hintDrift(
    {
      rule: 'annotation-readonly-lost',
      story: 'A tool no longer says that it only reads.',
      needs: 'tool that says that it only reads',
    },
    flip('readOnlyHint', false),
  ),
  hintDrift(
    {
      rule: 'annotation-readonly-claimed',
      story: 'A tool says that it only reads, and did not.',
      needs: 'tool that does not say that it only reads',
      others: ['annotation-name-conflict', 'annotation-contradictory'],
    },
    flip('readOnlyHint', true),
  ),
  hintDrift(
    {
      rule: 'annotation-destructive-gained',
      story: 'A tool no longer says that it destroys nothing.',
      needs: 'tool that writes and says that it destroys nothing',
    },
    flip('destructiveHint', true, writes),
  ),
  hintDrift(
    {
      rule: 'annotation-destructive-dropped',
      story: 'A tool says that it destroys nothing, and did not.',
      needs: 'tool that writes and does not say that it destroys nothing',
    },
    flip('destructiveHint', false, writes),
  ),
  hintDrift(
    {
      rule: 'annotation-idempotent-lost',
      story: 'A tool no longer says that it can be called again.',
      needs: 'tool that writes and says that it can be called again',
    },
    flip('idempotentHint', false, writes),
  ),
  hintDrift(
    {
      rule: 'annotation-idempotent-claimed',
      story: 'A tool says that it can be called again, and did not.',
      needs: 'tool that writes and does not say that it can be called again',
    },
    flip('idempotentHint', true, writes),
  ),
  hintDrift(
    {
      rule: 'annotation-openworld-gained',
      story: 'A tool says that it now talks to the world outside.',
      needs: 'tool that says that its world is closed',
    },
    flip('openWorldHint', true),
  ),
  hintDrift(
    {
      rule: 'annotation-openworld-dropped',
      story: 'A tool says that its world is closed, and did not.',
      needs: 'tool that does not say that its world is closed',
    },
    flip('openWorldHint', false),
  ),
  hintDrift(
    {
      rule: 'annotation-made-explicit',
      story: 'A tool writes a default out, or leaves it out.',
      needs: 'tool whose world is open',
    },
    (tool) => {
      if (!effectiveHint(tool, 'openWorldHint')) return null;
      return explicitHint(tool, 'openWorldHint') === undefined && !Object.hasOwn(annotationsOf(tool), 'openWorldHint')
        ? annotate(tool, 'openWorldHint', true)
        : { ...tool, annotations: without(annotationsOf(tool), 'openWorldHint') };
    },
  ),
  hintDrift(
    {
      rule: 'annotation-masked-change',
      story: 'A tool that only reads changes a hint that means nothing there.',
      needs: 'tool that only reads',
    },
    (tool) => (reads(tool) ? annotate(tool, 'idempotentHint', !effectiveHint(tool, 'idempotentHint')) : null),
  ),
];

const oddities: readonly Drift[] = [
  hintDrift(
    {
      rule: 'annotation-contradictory',
      story: 'A tool says that it only reads, and that it destroys.',
      needs: 'tool that only reads',
      others: ['replay-blocked-unsafe'],
    },
    (tool) =>
      reads(tool) && explicitHint(tool, 'destructiveHint') !== true ? annotate(tool, 'destructiveHint', true) : null,
  ),
  hintDrift(
    {
      rule: 'replay-blocked-unsafe',
      story: 'A tool that is called says that it destroys.',
      needs: 'call of a tool that only reads',
      others: ['annotation-contradictory'],
    },
    (tool, use) =>
      reads(tool) && explicitHint(tool, 'destructiveHint') !== true && casesOf(use, nameOf(tool)).size > 0
        ? annotate(tool, 'destructiveHint', true)
        : null,
  ),
  hintDrift(
    { rule: 'annotation-malformed', story: 'A hint of a tool is a text.', needs: 'tool that leaves a hint out' },
    (tool) => {
      const absent = hintNames.find((name) => !Object.hasOwn(annotationsOf(tool), name));
      return absent === undefined ? null : annotate(tool, absent, 'yes');
    },
  ),
  hintDrift(
    {
      rule: 'annotation-unknown-changed',
      story: 'A tool has a hint that no revision knows.',
      needs: 'tool that is used',
    },
    (tool) => annotate(tool, 'x-rehearsal', true),
  ),
  ofRecording(
    {
      rule: 'annotation-title-changed',
      story: 'The annotations of a tool have another title.',
      needs: 'live recording of its words',
    },
    (recording, use) =>
      hasWords(recording) ? withTool(recording, use, (tool) => annotate(tool, 'title', 'Something else')) : null,
  ),
];

export const annotationDrifts: readonly Drift[] = [...hints, ...oddities];
