// The one set of tools that every server of these tests offers, and what a vendor's next release makes of it.
import { z } from 'zod';

const price = z.object({ amount: z.number(), currency: z.string() });
const answer = z.object({ domain: z.string(), available: z.boolean(), price: price.nullable() });

const find = {
  name: 'domains_find',
  title: 'Find a domain',
  description: 'Says whether a domain is free.',
  input: { domain: z.string().min(3) },
  output: answer,
  run: ({ domain }) => ({ domain, available: false, price: { amount: 12.5, currency: 'EUR' } }),
};
const endings = {
  name: 'endings_list',
  title: 'List endings',
  description: 'The endings that are sold.',
  input: {},
  output: null,
  run: () => '.com, .net, .org',
};

/** `drifted`: one tool asks for more, the other is gone. */
export const toolsOf = (drifted) =>
  drifted ? [{ ...find, input: { ...find.input, years: z.number().int() } }] : [find, endings];

/** What a tool gives back, as the protocol wants it. */
export function resultOf(tool, args) {
  const value = tool.run(args);
  return tool.output === null
    ? { content: [{ type: 'text', text: value }] }
    : { content: [{ type: 'text', text: JSON.stringify(value) }], structuredContent: value };
}

/** The same for the `registerTool` of both official SDKs; they differ in how the arguments are declared. */
export function register(server, drifted, declare) {
  for (const tool of toolsOf(drifted)) {
    const settings = {
      title: tool.title,
      description: tool.description,
      inputSchema: declare(tool.input),
      ...(tool.output === null ? {} : { outputSchema: tool.output }),
      annotations: { readOnlyHint: true },
    };
    server.registerTool(tool.name, settings, async (args) => resultOf(tool, args));
  }
  return server;
}
