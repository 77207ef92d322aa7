// Writes `.github/RULES.md`, the reference of all rules, from the catalogue as the built program lists it.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const areas = {
  transport: 'Transport, HTTP and sign-in',
  init: 'Initialize and era',
  list: 'tools/list',
  annotation: 'Annotations',
  input: 'inputSchema: what we may send',
  output: 'outputSchema: what we read',
  result: 'Results of tools/call',
  run: 'The run itself',
};
const escalations = {
  argument: 'becomes breaking when a recorded call sends the argument',
  omitted: 'becomes breaking when a recorded call leaves the argument out',
  pin: 'becomes breaking when a pin names the field',
};

const anchor = (title) =>
  title
    .toLowerCase()
    .replaceAll(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-');
/** Names between angle brackets would be read as HTML. */
const prose = (text) => text.replaceAll('<', '\\<');

function section({ id, severity, severityForCode, otherwise, family, escalates, why, remedy, example }) {
  const facts = [
    `**${severity}**${severityForCode === undefined ? '' : ` (${severityForCode} for a consumer in code)`}`,
    ...(otherwise === undefined ? [] : [otherwise]),
    ...(escalates === 'never' ? [] : [escalations[escalates]]),
    `family \`${family}\``,
  ];
  return `### ${id}

${facts.join(' · ')}

${prose(why)}

What to do: ${prose(remedy)}

\`\`\`diff
- ${example.before}
+ ${example.after}
\`\`\`
`;
}

/** The page, from the rules as `mcp-canary rules --json` gives them. */
export function rulesPage(rules) {
  const parts = Object.entries(areas).map(([area, title]) => {
    const own = rules.filter((rule) => rule.area === area);
    return { title, count: own.length, text: own.map(section).join('\n') };
  });
  return `<!-- Written by test/write-rules-page.mjs from src/rules. A test fails when it is out of date. -->

# The rules of mcp-canary

Each difference between a recording and what a server says tonight is told by one of ${rules.length} rules. The id is a public
contract: it is never reworded, reused or dropped. \`mcp-canary rules <rule>\` shows one of them on the terminal; \`severity\` in
targets.yaml gives a rule another severity, for all targets or for one.

| severity | meaning |
| --- | --- |
| breaking | a caller or reader that keeps to the recorded contract can fail now, or nothing could be decided |
| security | nothing need fail, but an assumption of trust or safety changed; never sinks, and counts as breaking |
| warning | it behaves differently; whether something fails depends on the consumer |
| info | seen, explained, harmless |

A warning becomes breaking where the recording uses what changed, as the rule says. A breaking change of a tool that nobody
watches becomes info. The examples show what is compared before (-) and after (+).

${parts.map(({ title, count }) => `- [${title}](#${anchor(title)}) (${count})`).join('\n')}

${parts.map(({ title, text }) => `## ${title}\n\n${text}`).join('\n')}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
  const rules = JSON.parse(execFileSync(process.execPath, [main, 'rules', '--json'], { encoding: 'utf8' }));
  writeFileSync(new URL('../.github/RULES.md', import.meta.url), rulesPage(rules));
}
