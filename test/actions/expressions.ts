/** What expressions of a workflow may name: `github`, `inputs`, `secrets`, `steps`, … */
export type Contexts = Readonly<Record<string, unknown>>;

const tokens = /\s*(\|\||&&|==|!=|!|\(|\)|'(?:[^']|'')*'|[\d.]+|[A-Za-z_][\w.-]*)/y;

function tokenize(expression: string): string[] {
  const found: string[] = [];
  tokens.lastIndex = 0;
  while (tokens.lastIndex < expression.trimEnd().length) {
    const token = tokens.exec(expression)?.[1];
    if (token === undefined) throw new Error(`the expression cannot be read: ${expression}`);
    found.push(token);
  }
  return found;
}

const isTrue = (value: unknown): boolean =>
  value !== null && value !== undefined && value !== false && value !== '' && value !== 0;
const textOf = (value: unknown): string => (value === null || value === undefined ? '' : String(value));

/** The expressions of GitHub Actions as far as our workflows use them: paths, texts, `!`, `==`, `!=`, `&&`, `||`, `always()`. */
export function evaluate(expression: string, contexts: Contexts): unknown {
  const left = tokenize(expression);
  const take = (...wanted: readonly string[]): string | null => {
    const [next] = left;
    return next !== undefined && (wanted.length === 0 || wanted.includes(next)) ? (left.shift() ?? null) : null;
  };
  const primary = (): unknown => {
    const token = take();
    if (token === null) throw new Error(`the expression ends too early: ${expression}`);
    if (token === '!') return !isTrue(primary());
    if (token === '(') {
      const value = either();
      if (take(')') === null) throw new Error(`a bracket is open: ${expression}`);
      return value;
    }
    if (token.startsWith("'")) return token.slice(1, -1).replaceAll("''", "'");
    if (/^\d/.test(token)) return Number(token);
    if (token === 'true' || token === 'false') return token === 'true';
    if (take('(') !== null) {
      if (token !== 'always' || take(')') === null) throw new Error(`this runner has no ${token}(): ${expression}`);
      return true;
    }
    const [context = '', ...members] = token.split('.');
    if (!Object.hasOwn(contexts, context)) throw new Error(`there is no context ${context}: ${expression}`);
    return members.reduce<unknown>(
      (value, name) => (typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined),
      contexts[context],
    );
  };
  const comparison = (): unknown => {
    let value = primary();
    for (let sign = take('==', '!='); sign !== null; sign = take('==', '!=')) {
      const isEqual = textOf(value).toLowerCase() === textOf(primary()).toLowerCase();
      value = isEqual === (sign === '==');
    }
    return value;
  };
  const both = (): unknown => {
    let value = comparison();
    while (take('&&') !== null) {
      const other = comparison();
      value = isTrue(value) ? other : value;
    }
    return value;
  };
  function either(): unknown {
    let value = both();
    while (take('||') !== null) {
      const other = both();
      value = isTrue(value) ? value : other;
    }
    return value;
  }
  const value = either();
  if (left.length > 0) throw new Error(`something is left over: ${expression}`);
  return value;
}

/** A text with its `${{ … }}` filled in. */
export const fill = (text: unknown, contexts: Contexts): string =>
  textOf(text).replace(/\$\{\{(.*?)\}\}/gs, (_, expression: string) => textOf(evaluate(expression, contexts)));

/** An `if:`, which may leave out the braces. */
export const holds = (condition: unknown, contexts: Contexts): boolean =>
  isTrue(evaluate(textOf(condition).replace(/^\$\{\{(.*)\}\}$/s, '$1'), contexts));
