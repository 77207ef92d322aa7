import type { Finding } from '../../findings/finding.ts';
import { fingerprintPattern } from '../../findings/identifiers.ts';
import { ruleOf } from '../../rules/catalogue.ts';
import { wordFinding } from '../../rules/word-finding.ts';
import { clipText } from '../../text/clip-text.ts';
import { defangUrls } from '../../text/render-markdown.ts';
import { evidenceLines, witnessText, witnessVerdict } from '../evidence.ts';
import { acceptCommand, waiverLines } from '../next-steps.ts';
import { severityInHtml } from './marks.ts';
import { type Html, html, htmlBlock } from './markup.ts';
import { momentInHtml } from './moments.ts';
import { nameInHtml, ourWords } from './names.ts';
import { heading } from './section.ts';

/**
 * The sentence of a finding, worded anew from its rule, never taken from `message`: that quotes names as plain text, and
 * may hold anything in a report that was handed to us.
 */
export function sentenceInHtml(finding: Finding): Html {
  const names: string[] = [];
  // A mark that no wording has stands for each name until the sentence is whole.
  const worded = wordFinding(finding, (name) => `\u0000${names.push(name) - 1}\u0000`);
  const parts = worded.split('\u0000');
  return html`${parts.map((part, i) => (i % 2 === 0 ? html`${part}` : nameInHtml(names[Number(part)] ?? '')))}`;
}

/** Places of a grouped finding that are named. */
const placesNamed = 12;

function placesOf({ places, pointer }: Finding): Html | null {
  if (places.length > 1) {
    const named = places.slice(0, placesNamed).map(({ tool, pointer: at }) => tool ?? at ?? 'the server');
    const more = places.length - named.length;
    return html`In ${named.map((name, i) => html`${i === 0 ? null : ', '}${nameInHtml(name)}`)}${more > 0 ? html` and ${more} more` : null}`;
  }
  return pointer === null || pointer === '' ? null : html`At ${nameInHtml(pointer)}`;
}

const marksOf = ({ impact, confidence }: Finding): readonly string[] => [
  ...(impact === 'hits-recording' ? ['hits your recorded calls'] : []),
  ...(impact === 'not-recorded' ? ['no recorded call meets it'] : []),
  ...(confidence === 'unclassified' ? ['could not be decided'] : []),
];

/** Before and after, line by line; the signs stand in the text, so that colour is not needed. */
function evidenceInHtml(finding: Finding): Html | null {
  const lines = evidenceLines(finding);
  if (lines.length === 0) return null;
  const rows = lines.map(({ sign, text }) => {
    if (sign === ' ') return html`  ${text}\n`;
    return sign === '-' ? html`<del>− ${text}</del>\n` : html`<ins>+ ${text}</ins>\n`;
  });
  return html`<pre class="diff">${rows}</pre>`;
}

function witnessInHtml({ witness, severity }: Finding): Html | null {
  if (witness === null) return null;
  const text = clipText(witnessText(witness));
  return html`<p>Proof: <code>${severity === 'security' ? defangUrls(text) : text}</code> ${witnessVerdict(witness)}.</p>`;
}

/** How to accept it, or to set it aside: made of configured ids, rule ids and fingerprints only. */
function waysOut(target: string, finding: Finding): Html | null {
  const command = acceptCommand(target, finding.fingerprint);
  const waiver = waiverLines(finding);
  if (command === null || waiver === null) return null;
  return html`<p class="way">Accept it as the new contract:</p>
<pre class="command">npx ${command}</pre>
<details><summary>Set it aside for a while</summary>
<p>Under <code>${target}</code> in <code>targets.yaml</code>:</p>
<pre class="command">${htmlBlock(waiver)}</pre>
</details>`;
}

export interface FindingContext {
  readonly target: string;
  /** Of the finding's own heading. */
  readonly level: number;
  /** When the run began that saw it first; null: not known. */
  readonly firstSeen: string | null;
}

/** One finding in full: what happened, before and after, the proof, and the ways out. */
export function findingArticle(finding: Finding, { target, level, firstSeen }: FindingContext): Html {
  const id = fingerprintPattern.test(finding.fingerprint) ? html` id="${finding.fingerprint}"` : null;
  const facts = [
    html`<code>${finding.rule}</code>`,
    placesOf(finding),
    ...marksOf(finding).map((mark) => html`${mark}`),
    firstSeen === null ? null : html`first seen ${momentInHtml(firstSeen)}`,
  ].filter((fact) => fact !== null);
  return html`<article class="finding ${finding.severity}"${id}>
${heading(level, html`${severityInHtml(finding.severity)} ${sentenceInHtml(finding)}`)}
<p class="dim">${facts.map((fact, i) => html`${i === 0 ? null : ' · '}${fact}`)}</p>
${evidenceInHtml(finding)}${witnessInHtml(finding)}${finding.severity === 'info' ? null : waysOut(target, finding)}
</article>`;
}

/** Why a rule matters and what to do, once for all its findings. */
export function ruleInHtml(id: Finding['rule']): Html {
  const rule = ruleOf(id);
  return html`<dl class="why"><dt>Why it matters</dt><dd>${ourWords(rule.why)}</dd><dt>What to do</dt><dd>${ourWords(rule.remedy)}</dd></dl>`;
}
