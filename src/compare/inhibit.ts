import type { Finding } from '../findings/finding.ts';
import { orderFindings } from '../findings/order.ts';
import { parsePointer } from '../json/json-pointer.ts';
import { type RuleId, ruleOf } from '../rules/catalogue.ts';
import type { Severity } from '../rules/rule.ts';
import type { Built } from './build-findings.ts';
import type { Found } from './found.ts';
import { everyItem, instancePath } from './instance-path.ts';

const rank: Readonly<Record<Severity, number>> = { security: 3, breaking: 2, warning: 1, info: 0 };

/**
 * One cause is one finding: what follows from another finding is kept and marked with its fingerprint. Causes come from
 * the outside inwards (transport, sign-in, era, list, tool, schema, result), and none hides what is worse than itself.
 */
export function inhibit(all: readonly Built[]): readonly Finding[] {
  const near = indexCauses(orderFindings(all.map(({ finding }) => finding).filter(isCause)));
  const told = toldCauses(all);
  return all.map(({ finding, changes }) => {
    const stated = told(changes);
    const causes = stated === null ? near(finding) : [stated, ...near(finding)];
    const cause = causes.find(
      (other) =>
        other.fingerprint !== finding.fingerprint &&
        rank[other.severity] >= rank[finding.severity] &&
        (other === stated || explains(other, finding)),
    );
    return cause === undefined ? finding : { ...finding, inhibitedBy: cause.fingerprint };
  });
}

const isCause = ({ rule }: Finding): boolean =>
  causesOf.has(rule) || rule.startsWith('input-') || rule.startsWith('output-');

/** Causes by the tools they are about, so that thousands of findings are not each held against all others. */
function indexCauses(causes: readonly Finding[]): (finding: Finding) => readonly Finding[] {
  const byTool = new Map<string | null, Finding[]>();
  for (const cause of causes) {
    for (const tool of new Set(cause.places.map((place) => place.tool))) {
      const list = byTool.get(tool);
      if (list === undefined) byTool.set(tool, [cause]);
      else list.push(cause);
    }
  }
  const ofServer = byTool.get(null) ?? [];
  return (finding) => {
    const tool = finding.places[0]?.tool ?? null;
    return tool === null ? ofServer : [...ofServer, ...(byTool.get(tool) ?? [])];
  };
}

/** The cause that the check itself named, where all changes of a finding have one. */
function toldCauses(all: readonly Built[]): (changes: readonly Found[]) => Finding | null {
  const key = (tool: string | null, caseName: string | null, rule: string, pointer: string | null): string =>
    JSON.stringify([tool, caseName, rule, pointer]);
  const byPlace = new Map(
    all.flatMap(({ finding, changes }) =>
      changes.map((change) => [key(change.tool, change.case, change.rule, change.pointer), finding]),
    ),
  );
  const causeOf = ({ tool, case: caseName, consequenceOf }: Found): Finding | null =>
    consequenceOf === undefined
      ? null
      : (byPlace.get(key(tool, caseName, consequenceOf.rule, consequenceOf.pointer)) ?? null);
  return (changes) => {
    const causes = changes.map(causeOf);
    return causes.every((cause) => cause !== null) ? (causes[0] ?? null) : null;
  };
}

type Explains = (cause: Finding, finding: Finding) => boolean;

const isSameStep: Explains = (cause, finding) =>
  cause.method === finding.method && (cause.tool === null || covers(cause, finding));

/** Every tool that the finding is about is one that the cause is about. */
const covers: Explains = (cause, finding) => {
  const tools = new Set(cause.places.map((place) => place.tool));
  return finding.places.every((place) => tools.has(place.tool));
};

const isAny =
  (...rules: readonly RuleId[]): Explains =>
  (_, finding) =>
    rules.includes(finding.rule);
const isArea =
  (...areas: readonly string[]): Explains =>
  (_, finding) =>
    areas.includes(ruleOf(finding.rule).area);
const both =
  (a: Explains, b: Explains): Explains =>
  (cause, finding) =>
    a(cause, finding) && b(cause, finding);

/** A step that broke: what else its answer did to the protocol says nothing more. */
const brokenStep: Explains = both(
  isSameStep,
  isAny(
    'http-status-changed',
    'response-missing',
    'response-malformed',
    'response-envelope-invalid',
    'tools-list-failed',
    'init-failed',
    'result-protocol-error-new',
  ),
);

/** Where an error says why, the status that came with it says nothing more. */
const itsStatus: Explains = both(isSameStep, isAny('http-status-changed'));

const goneTool: Explains = both(covers, isArea('input', 'output', 'result', 'annotation'));
const blockedCall: Explains = both(covers, isAny('replay-blocked-unsafe'));

const causesOf: ReadonlyMap<RuleId, Explains> = new Map<RuleId, Explains>([
  ['endpoint-gone', brokenStep],
  ['redirect-same-origin', brokenStep],
  ['redirect-cross-origin', brokenStep],
  ['redirect-downgrade', brokenStep],
  ['tls-invalid', brokenStep],
  ['stdio-framing-invalid', brokenStep],
  ['response-too-large', brokenStep],
  ['protocol-header-refused', brokenStep],
  ['auth-now-required', brokenStep],
  ['init-failed', itsStatus],
  ['init-era-stateless-only', both(isSameStep, isAny('http-status-changed', 'init-failed', 'tools-list-failed'))],
  ['init-era-handshake-only', both(isSameStep, isAny('http-status-changed', 'init-failed', 'tools-list-failed'))],
  // The list cannot work where the handshake was never finished.
  ['initialized-rejected', (_, finding) => finding.method === 'tools/list' || finding.rule === 'http-status-changed'],
  ['init-capability-tools-removed', isAny('tools-list-failed', 'tools-list-empty')],
  [
    'init-instructions-added',
    (_, finding) => finding.rule === 'tool-text-suspicious' && finding.pointer === '/instructions',
  ],
  [
    'init-instructions-changed',
    (_, finding) => finding.rule === 'tool-text-suspicious' && finding.pointer === '/instructions',
  ],
  ['tools-list-failed', itsStatus],
  ['tools-list-empty', isAny('tool-removed')],
  ['tool-removed', goneTool],
  ['tool-renamed', goneTool],
  ['tool-name-case-changed', goneTool],
  ['annotation-readonly-lost', blockedCall],
  ['annotation-destructive-gained', blockedCall],
  ['tool-input-schema-missing', both(covers, isArea('input'))],
  ['tool-output-schema-root', both(covers, isArea('output'))],
]);

function explains(cause: Finding, finding: Finding): boolean {
  const known = causesOf.get(cause.rule);
  if (known !== undefined) return known(cause, finding);
  if (!covers(cause, finding) || ruleOf(finding.rule).area !== 'result') return false;
  return cause.rule.startsWith('input-') ? isRefusedCall(cause, finding) : isSameField(cause, finding);
}

/** The recorded arguments are no longer taken, and the call is answered with an error. */
const isRefusedCall: Explains = (cause, finding) =>
  cause.impact === 'hits-recording' &&
  cause.severity === 'breaking' &&
  (finding.rule === 'result-error-new' || finding.rule === 'result-protocol-error-new');

/** The schema announced the very field that differs in the result: below it, or itself. */
const isSameField: Explains = (cause, finding) => {
  const field = cause.pointer === null ? null : instancePath(cause.pointer);
  const place = finding.pointer === null ? null : placeInResult(finding.pointer);
  if (field === null || field.length === 0 || place === null || place.length < field.length) return false;
  return field.every((step, at) => step === everyItem || place[at] === '*' || step === place[at]);
};

/** Inside `structuredContent`, or inside the JSON of a text block, which is meant to be its copy. */
function placeInResult(pointer: string): readonly string[] | null {
  const tokens = parsePointer(pointer);
  if (tokens === null) return null;
  if (tokens[0] === 'structuredContent') return tokens.slice(1);
  return tokens[0] === 'content' && tokens[2] === 'text' ? tokens.slice(3) : null;
}
