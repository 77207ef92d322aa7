import { pino } from 'pino';
import type { Clock, Log, LogFacts } from '../ports.ts';
import { createRedactor, type Redactor } from '../recording/redact.ts';
import type { Secret } from '../text/secret.ts';

export interface ServiceLog extends Log {
  /** Secrets of a configuration that was read anew; those known before stay known. */
  learn(secrets: readonly Secret[]): void;
}

/**
 * The log of the service: one JSON object a line. Every line goes through the search for known secrets before it
 * leaves: one that holds a secret has it cut out, and is withheld where that does not help.
 */
export function createServiceLog(write: (line: string) => void, clock: Pick<Clock, 'now'>): ServiceLog {
  const known = new Map<string, Secret>();
  let redactor = createRedactor([]);
  const logger = pino(
    {
      base: { name: 'mcp-canary' },
      timestamp: () => `,"time":"${new Date(clock.now()).toISOString()}"`,
      formatters: { level: (level) => ({ level }) },
    },
    { write: (line) => write(cleanLine(line, redactor)) },
  );
  const say =
    (level: 'info' | 'warn') =>
    (message: string, facts: LogFacts = {}) =>
      logger[level](facts, message);
  return {
    info: say('info'),
    warn: say('warn'),
    learn: (secrets) => {
      for (const secret of secrets) known.set(secret.reveal(), secret);
      redactor = createRedactor([...known.values()]);
    },
  };
}

function cleanLine(line: string, redactor: Redactor): string {
  if (redactor.findSecret(line) === null) return line;
  const cut = redactor.redactText(line.trimEnd());
  const left = redactor.findSecret(cut);
  return left === null
    ? `${cut}\n`
    : `${JSON.stringify({ level: 'warn', name: 'mcp-canary', msg: `A line was withheld: it held the secret of ${left.source}.` })}\n`;
}
