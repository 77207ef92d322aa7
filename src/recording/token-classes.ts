import { isJsonArray, isJsonObject, type JsonValue } from '../json/json-value.ts';
import { renameMembers } from './rename-members.ts';

/** What stands where a secret stood: the same for every encoding, so that an echo of a secret compares equal each night. */
export const redactionMark = '[redacted]';

// Each begins where a run of token characters begins (the look-behind) and is bounded: a hostile text costs linear time.
const tokens: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,30}PRIVATE KEY-----|$)/g, redactionMark],
  [/(?<![\w-])eyJ[\w-]{8,4096}\.[\w-]{8,8192}\.[\w-]{0,4096}/g, redactionMark], // JWT (RFC 7519)
  [/\b(Bearer|Basic) {1,4}[\w.~+/=-]{20,4096}/gi, `$1 ${redactionMark}`], // RFC 6750, RFC 7617
  [/(?<![A-Z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Z0-9])/g, redactionMark], // AWS access key ids
  [/(?<!\w)(?:gh[pousr]|github_pat)_\w{20,255}/g, redactionMark], // GitHub
  [/(?<![\w-])(?:xox[abeoprs]|xapp)-[\w-]{10,250}/g, redactionMark], // Slack
  [/(?<![\w-])(?:glpat|sk-ant|sk-proj)-[\w-]{20,250}/g, redactionMark], // GitLab, Anthropic, OpenAI
  [/(?<!\w)(?:sk|rk|pk)_(?:live|test)_\w{16,250}/g, redactionMark], // Stripe
  [/(?<!\w)npm_\w{36}(?!\w)/g, redactionMark],
  [/(?<![\w-])AIza[\w-]{35}(?![\w-])/g, redactionMark], // Google
  [/(?<=:\/\/)[^\s/@:"'<>\\]{1,256}:[^\s/@"'<>\\]{1,256}(?=@)/g, redactionMark], // user and password of an address
];

const secretNames =
  'access_?token|api_?key|api_?secret|auth_?code|auth_?info|authorization|client_?secret|epp_?code|id_?token|passwd|password|private_?key|refresh_?token|secret|secret_?key|session_?token|transfer_?code';
const isSecretName = new RegExp(`^(?:${secretNames})$`, 'i');
/** Such a member in JSON that stands inside a text, and such a parameter of an address. */
const secretMember = new RegExp(
  `("(?:${secretNames})"\\s{0,20}:\\s{0,20}")(?=[^"])[^"\\\\]*(?:\\\\.[^"\\\\]*){0,1000}`,
  'gi',
);
const secretParameter = new RegExp(
  `([?&;](?:${secretNames}|token|sig|signature|x-amz-(?:credential|security-token|signature))=)[^&#\\s"'<>\\\\]+`,
  'gi',
);
const emailAddress = /^[^\s@]{1,64}@[^\s@]{1,255}\.[^\s@.]{2,63}$/;

/** Takes out what is a credential by its look alone, whoever it belongs to. */
export function redactTokens(text: string): string {
  // Nothing shorter can hold one, and most texts are short.
  if (text.length < 8) return text;
  const clean = tokens.reduce((left, [pattern, mark]) => left.replace(pattern, mark), text);
  return clean.replace(secretMember, `$1${redactionMark}`).replace(secretParameter, `$1${redactionMark}`);
}

/**
 * Class-based redaction of a result: tokens by their look, strings by a member's name (`password`, `authCode`, …), and
 * keys that are e-mail addresses, numbered so that a map keyed by them stays one. Types do not change.
 */
export function redactClasses(value: JsonValue): JsonValue {
  if (typeof value === 'string') return redactTokens(value);
  if (isJsonArray(value)) return value.map(redactClasses);
  if (!isJsonObject(value)) return value;
  const rename = (key: string, number: number): string =>
    emailAddress.test(key) ? `redacted-${number}@example.invalid` : numbered(redactTokens(key), number);
  return renameMembers(value, rename, (inner, key) =>
    typeof inner === 'string' && inner !== '' && isSecretName.test(key) ? redactionMark : redactClasses(inner),
  );
}

/** A second and third key of one name. */
export const numbered = (name: string, number: number): string => (number === 1 ? name : `${name} ${number}`);
