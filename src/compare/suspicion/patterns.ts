/** What is odd about a text that a model reads. */
export type SuspicionKind =
  | 'hidden-character'
  | 'html-comment'
  | 'pseudo-tag'
  | 'override'
  | 'concealment'
  | 'order'
  | 'blob'
  | 'new-host'
  | 'tool-name';

interface Pattern {
  readonly kind: SuspicionKind;
  /**
   * Over text in lower case. Global and without nested or unbounded gaps: it runs over texts of megabytes that a stranger
   * wrote.
   */
  readonly pattern: RegExp;
}

const negation = String.raw`\b(?:do not|don['’]?t|never|must not|mustn['’]?t|should not|shouldn['’]?t|without|avoid|refrain from)\s{1,3}(?:ever |even |directly |explicitly )?`;
const reader = '(?:users?|humans?|persons?|people|anyone|anybody|customers?|operators?|them)';
const sending = 'send|forward|e-?mail|post|upload|transmit|leak|copy';
const acting = `call|invoke|run|execute|use|read|fetch|open|include|pass|${sending}`;

/**
 * Wording that gives orders to a model, overrides what it was told, or asks it to keep quiet. English, as nearly all
 * tool definitions are. It judges only what a change introduces, so a server that always wrote so is no news.
 */
export const wordingPatterns: readonly Pattern[] = [
  {
    kind: 'concealment',
    pattern: new RegExp(`${negation}(?:mention|tell|inform|notify|announce)(?:ing)?\\b`, 'g'),
  },
  {
    kind: 'concealment',
    pattern: new RegExp(
      `${negation}(?:alert|warn|reveal|disclose|show|report|display|share|discuss|explain|say|expose)(?:ing)?\\b[^.!?\\n]{0,40}\\b${reader}\\b`,
      'g',
    ),
  },
  {
    kind: 'concealment',
    pattern:
      /\b(?:hide|conceal|keep) (?:this|it|that|these|them)\b[^.!?\n]{0,40}\b(?:from|secret|hidden|confidential|to yourself)\b/g,
  },
  {
    kind: 'concealment',
    pattern: new RegExp(`\\b(?:secretly|silently|quietly|covertly)\\s{1,3}(?:${acting}|add|append|collect)\\b`, 'g'),
  },
  {
    kind: 'concealment',
    pattern: new RegExp(
      `\\b${reader} (?:must|should|need|does|do|is|are|will)(?: not|n['’]t) (?:need to )?(?:know|see|notice|be (?:told|informed|notified|aware))\\b`,
      'g',
    ),
  },
  {
    kind: 'override',
    pattern:
      /\b(?:ignore|disregard|forget|override|bypass)\s{1,3}(?:\w{1,20}\s{1,3}){0,3}?(?:instruction|prompt|rule|direction|guideline|guardrail|constraint|polic(?:y|ies))s?\b/g,
  },
  {
    kind: 'override',
    pattern:
      /\b(?:ignore|disregard|forget)\s{1,3}(?:all |everything |anything )?(?:the |your |that (?:is|was) )?(?:previous|prior|above|earlier|preceding|before)\b/g,
  },
  { kind: 'override', pattern: /\byou are (?:now (?:an?|the|in|acting|operating)|no longer)\b/g },
  { kind: 'override', pattern: /\b(?:new|updated|real) (?:system )?(?:instructions?|prompt)\s?:/g },
  { kind: 'override', pattern: /\b(?:system|developer|hidden) prompt\b/g },
  { kind: 'override', pattern: new RegExp(`\\b(?:regardless of|no matter) what (?:the )?${reader}\\b`, 'g') },
  {
    kind: 'override',
    pattern:
      /\b(?:takes?|has|have) (?:precedence|priority) over (?:all|any|the|your|other|every)\b[^.!?\n]{0,40}\b(?:instruction|rule|prompt|message|tool)s?\b/g,
  },
  {
    kind: 'order',
    pattern: new RegExp(
      `\\b(?:before|after|prior to|when|whenever|each time|every time)\\s{1,3}(?:you |this |calling |the )?(?:us(?:e|ing)|call(?:ing)?|invok(?:e|ing)|run(?:ning)?|answer(?:ing)?|respond(?:ing)?|reply(?:ing)?)\\b[^.!?\\n]{0,60}?[,:]\\s{0,3}(?:you (?:must|should|need to|have to) )?(?:always |first |also |please )?(?:${acting})\\b`,
      'g',
    ),
  },
  {
    kind: 'order',
    pattern: new RegExp(
      `\\b(?:you|(?:the |any |every )?(?:assistant|agent|model|ai|llm)s?) (?:must|should|shall|needs? to|ha(?:ve|s) to|(?:are|is) required to) (?:always |first |also |then |immediately )?(?:call|invoke|run|execute|read|tell|inform|${sending})\\b`,
      'g',
    ),
  },
  {
    kind: 'order',
    pattern: new RegExp(
      `\\b(?:always|immediately|automatically|first,?) (?:call|invoke|run|execute|read|${sending})\\b`,
      'g',
    ),
  },
  { kind: 'order', pattern: new RegExp(`(?:^|[.!?\\n:\\]]\\s{0,3})(?:please )?tell (?:the )?${reader}\\b`, 'g') },
  {
    kind: 'order',
    pattern: new RegExp(
      `\\b(?:${sending})\\s{1,3}(?:the|your|their|its|my|all|any|every|(?:the |this )?${reader}['’]?s?)\\b[^.!?\\n]{0,60}\\b(?:api[ _-]?keys?|passwords?|credentials?|secrets?|tokens?|private keys?|conversation|chat history|environment variables?|file list|contents? of)\\b`,
      'g',
    ),
  },
  {
    kind: 'order',
    pattern:
      /(?:[/\\]|^|\s)\.(?:ssh|aws|gnupg|kube)[/\\]|\bid_(?:rsa|ed25519)\b|\/etc\/(?:passwd|shadow)\b|\bexfiltrat\w{1,5}\b/g,
  },
];

export const tagPatterns: readonly Pattern[] = [
  { kind: 'html-comment', pattern: /<!--[^\n]{0,200}/g },
  {
    kind: 'pseudo-tag',
    pattern:
      /<\/?(?:important|system|instructions?|assistant|secret|hidden|admin|prompt|override|critical)(?:\s[^<>\n]{0,80})?>/g,
  },
  { kind: 'pseudo-tag', pattern: /<\|\w{1,30}\|>|<<\/?sys>>|\[\/?(?:inst|sys|system|important|hidden|admin)\b/g },
  { kind: 'pseudo-tag', pattern: /^\s{0,3}#{1,6}\s{0,3}(?:system|instructions?)\s{0,3}:/gm },
];

/** Tags that are mere formatting; any other pair of tags speaks to a model. */
export const formattingTags = new Set(
  'a b blockquote br code dd del details div dl dt em h1 h2 h3 h4 h5 h6 hr i ins kbd li ol p pre q s samp small span strong sub summary sup table tbody td th thead tr u ul var'.split(
    ' ',
  ),
);
export const tagPair = /<([A-Za-z][\w-]{1,30})>[^<>]{1,2000}<\/\1>/gu;

/** Runs that nobody can read: base64, hex, and escapes of bytes. */
export const blobPatterns: readonly RegExp[] = [
  /[A-Za-z0-9+/_-]{64,}={0,2}/g,
  /(?:\\x[0-9a-f]{2}){8,}/gi,
  /(?:\\u[0-9a-f]{4}){8,}/gi,
  /(?:%[0-9a-f]{2}){12,}/gi,
];

export const urlPattern = /\b(?:https?|wss?|ftp):\/\/[^\s"'<>()`\]}{|\\^]{1,2048}/giu;
