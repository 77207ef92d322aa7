import { CanaryError } from '../../errors.ts';
import type { JsonObject } from '../../json/json-value.ts';
import { writeJson } from '../../json/write-json.ts';
import { isRuleId, type RuleId, ruleOf, rules } from '../../rules/catalogue.ts';
import { exampleOfRule } from '../../rules/examples/example-of-rule.ts';
import type { Area, Rule } from '../../rules/rule.ts';
import { quoteName } from '../../text/quote-name.ts';
import type { CliWorld } from '../cli-world.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';

const areas: Readonly<Record<Area, string>> = {
  transport: 'Transport, HTTP and sign-in',
  init: 'Initialize and era',
  list: 'tools/list',
  annotation: 'Annotations',
  input: 'inputSchema: what we may send',
  output: 'outputSchema: what we read',
  result: 'Results of tools/call',
  run: 'The run itself',
};

/** The catalogue, or one rule explained. */
export async function runRules(
  id: string | undefined,
  options: { readonly json: boolean },
  world: CliWorld,
): Promise<ExitCode> {
  if (id === undefined) {
    world.writeOut(options.json ? `${writeJson(rules.map(withExample))}\n` : listing());
    return exitCodes.fine;
  }
  if (!isRuleId(id))
    throw new CanaryError('usage', `There is no rule called ${quoteName(id)}.`, 'mcp-canary rules lists them all.');
  const rule = ruleOf(id);
  world.writeOut(options.json ? `${writeJson(withExample(rule))}\n` : explain(rule));
  return exitCodes.fine;
}

function listing(): string {
  const width = Math.max(...rules.map((rule) => rule.id.length));
  const sections = Object.entries(areas).map(([area, title]) => {
    const rows = rules
      .filter((rule) => rule.area === area)
      .map((rule) => `  ${rule.id.padEnd(width)}  ${severityOf(rule)}`);
    return `${title}\n${rows.join('\n')}\n`;
  });
  return `${sections.join('\n')}\n${rules.length} rules. mcp-canary rules <rule> explains one; .github/RULES.md in the repository shows all of them.\n`;
}

const withExample = (rule: Rule & { readonly id: RuleId }): JsonObject => ({
  ...rule,
  example: { ...exampleOfRule(rule.id) },
});

const severityOf = (rule: Rule): string =>
  rule.severityForCode === undefined
    ? rule.severity
    : `${rule.severity} (${rule.severityForCode} for a consumer in code)`;

function explain(rule: Rule & { readonly id: RuleId }): string {
  const facts = [
    `severity   ${severityOf(rule)}`,
    ...(rule.otherwise === undefined ? [] : [`otherwise  ${rule.otherwise}`]),
    ...(rule.escalates === 'never' ? [] : [`escalates  ${escalations[rule.escalates]}`]),
    `family     ${rule.family}`,
  ];
  const { before, after } = exampleOfRule(rule.id);
  const example = `\nexample\n  before  ${before}\n  after   ${after}\n`;
  return `${rule.id}\n\n${facts.join('\n')}\n\nwhy\n  ${rule.why}\n\nwhat to do\n  ${rule.remedy}\n${example}`;
}

const escalations = {
  argument: 'to breaking when a recorded call sends the argument',
  omitted: 'to breaking when a recorded call leaves the argument out',
  pin: 'to breaking when a pin names the field',
} as const;
