import { limits } from '../limits.ts';
import { Secret } from '../text/secret.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** What came of looking up a secret by the name of its variable. The fault's texts never hold the value, nor a name that looks like one. */
export type SecretLookup =
  | { readonly kind: 'secret'; readonly secret: Secret }
  | { readonly kind: 'fault'; readonly problem: string; readonly mend: string };

const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/;

export const isVariableName = (name: string): boolean => variableName.test(name);

/** The value of a variable, own members only: `constructor` is no variable of anybody. */
export const variableOf = (env: Environment, name: string): string | undefined =>
  Object.hasOwn(env, name) ? env[name] : undefined;

/**
 * A secret by the name of its variable, for a header. A name is refused that is no name, for then it is likely to be the
 * secret itself; so is a value that is empty, too short to be looked for in files, or cannot go into a header.
 */
export function readSecret(name: string, env: Environment): SecretLookup {
  const misnamed = nameFault(name);
  if (misnamed) return misnamed;
  const value = variableOf(env, name);
  if (value === undefined) {
    if (looksLikeToken(name)) return literal;
    return fault(`names the variable ${name}, which is not set`, `Set ${name}, or select other targets.`);
  }
  const told = looksLikeToken(name) ? 'a variable' : `the variable ${name}`;
  if (value === '')
    return fault(`names ${told}, which is empty`, 'Give it a value; in a workflow, check that the secret exists.');
  if (value.length < limits.secretCharacters)
    return fault(
      `names ${told}, whose value is shorter than ${limits.secretCharacters} characters`,
      'A secret that short would be found everywhere; use a longer one.',
    );
  if (!/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value))
    return fault(
      `names ${told}, whose value cannot go into a header`,
      'Take line ends, blanks at its ends and characters beyond ASCII out of it.',
    );
  return { kind: 'secret', secret: new Secret(value, name) };
}

/** Why a text is no name of a variable; null where it is one. The text is not repeated. */
export const nameFault = (
  name: string,
): { readonly kind: 'fault'; readonly problem: string; readonly mend: string } | null =>
  isVariableName(name) ? null : literal;

const fault = (problem: string, mend: string) => ({ kind: 'fault', problem, mend }) as const;
const literal = fault(
  'must be the name of an environment variable, and is none',
  'Put the secret into a variable, and write the name of the variable here. If this was a secret, it is in the file: replace it.',
);

/** A passed-on variable with such a name is a secret that must not show. */
export const isSecretName = (name: string): boolean =>
  /token|secret|passw(?:or)?d|passphrase|credential|api_?key|private_?key|access_?key|(?:^|_)(?:key|pat|pwd|auth|bearer)(?:_|$)/i.test(
    name,
  ) && !/^SSH_AUTH_SOCK$/.test(name);

/** Prefixes that vendors give their tokens, and long mixtures of letters and digits: some are names of variables, too. */
const looksLikeToken = (name: string): boolean =>
  /^(?:gh[a-z]_|github_pat_|glpat|sk_|pk_|rk_|xox[a-z]|AKIA|ASIA|eyJ|npm_|pypi_|hf_|sk[A-Za-z0-9]{20})/.test(name) ||
  (name.length >= 20 &&
    /\d/.test(name) &&
    !/^[A-Z][A-Z_]*(?:_[A-Z0-9]+)*$/.test(name) &&
    (name.match(/\d/g)?.length ?? 0) >= 4);
