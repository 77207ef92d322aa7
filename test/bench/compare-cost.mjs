// What comparing two catalogues costs against JSON.parse of one, both sides parsed for themselves; and how it grows.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { compareBareLists, createWorkerValidator } from '../../dist/index.js';
import { median } from './measure.mjs';

const rounds = Number(process.env.ROUNDS ?? 5);
const words = 'Looks up the state of a domain and says whether it can be registered for the given number of years.';

/** A tool as a registrar lists it: about a kilobyte. */
const toolOf = (at) => ({
  name: `domains_${at}_check`,
  title: `Check ${at}`,
  description: `${words} (${at})`,
  inputSchema: {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: {
      domain: { type: 'string', minLength: 3, maxLength: 253, description: 'The name, with its ending.' },
      years: { type: 'integer', minimum: 1, maximum: 10, default: 1, description: 'For how long.' },
      tlds: { type: 'array', items: { type: 'string', enum: ['com', 'net', 'org', 'io'] }, description: 'Endings.' },
      options: {
        type: 'object',
        properties: { privacy: { type: 'boolean' }, coupon: { type: 'string' } },
        additionalProperties: false,
      },
    },
    required: ['domain', 'years'],
    additionalProperties: false,
  },
  outputSchema: {
    type: 'object',
    properties: { available: { type: 'boolean' }, price: { type: 'number' }, currency: { type: 'string' } },
    required: ['available'],
  },
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
});
const catalogueOf = (count) => Array.from({ length: count }, (_, at) => toolOf(at));

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

/** Milliseconds of processor time that this process takes, its threads included: other processes do not count. */
async function costOf(work) {
  collectGarbage(); // what was parsed before is not part of it
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return { ms: (user + system) / 1000, result };
}

const validator = createWorkerValidator(new URL('../../dist/schema-worker.js', import.meta.url));
const compare = async (one, other) => {
  const [before, after] = [JSON.parse(one), JSON.parse(other)];
  return costOf(() => compareBareLists(before, after, validator));
};

/** Medians of several rounds, the parts of a round in turn. */
async function inRounds(parts, rounds) {
  const figures = Object.fromEntries(Object.keys(parts).map((name) => [name, []]));
  for (let round = -2; round < rounds; round += 1) {
    for (const [name, part] of Object.entries(parts)) {
      const { ms, result } = await part();
      if (round >= 0) figures[name].push(ms);
      if (round === 0 && name in expected) expectFindings(name, result);
    }
  }
  return Object.fromEntries(Object.entries(figures).map(([name, all]) => [name, median(all)]));
}

const changes = {
  'a new required argument': (tool) => {
    tool.inputSchema.properties.token = { type: 'string' };
    tool.inputSchema.required.push('token');
  },
  'a description': (tool) => {
    tool.description += ' Costs nothing. See https://new.example/terms for more.';
  },
  'a new name': (tool) => {
    tool.name = 'domains_lookup';
  },
};
const expected = { itself: 0, ...Object.fromEntries(Object.keys(changes).map((name) => [name, 1])) };
function expectFindings(name, findings) {
  if (expected[name] === 0 ? findings.length > 0 : findings.length === 0)
    throw new Error(`${name}: ${findings.length} findings`);
}
const withChange = (count, change) => {
  const tools = catalogueOf(count);
  change(tools[Math.floor(count / 2)]);
  return JSON.stringify(tools);
};
/** Every tool in a way of its own: a description that grew, a name with a prefix. */
const everyChanged = (count) => {
  const tools = catalogueOf(count);
  for (const [at, tool] of tools.entries()) {
    if (at % 2 === 0) tool.name = `acme.${tool.name}`;
    else tool.description += ` In stock: ${at}.`;
  }
  return JSON.stringify(tools);
};

const text = JSON.stringify(catalogueOf(5000));
const changed = Object.fromEntries(Object.entries(changes).map(([name, change]) => [name, withChange(5000, change)]));
const costs = await inRounds(
  {
    parse: () => costOf(() => JSON.parse(text)),
    itself: () => compare(text, text),
    ...Object.fromEntries(Object.entries(changed).map(([name, other]) => [name, () => compare(text, other)])),
  },
  rounds,
);
const line = (name, ratio, most) => console.log(`${name.padEnd(58)} ratio ${ratio.toFixed(2)} (at most ${most})`);
console.log(
  `5,000 tools, ${(text.length / 1e6).toFixed(1)} MB: JSON.parse takes ${costs.parse.toFixed(0)} ms of processor time`,
);
line('compared with itself', costs.itself / costs.parse, 4);
for (const name of Object.keys(changes)) line(`compared with one change, ${name}`, costs[name] / costs.parse, 6);

// Both are larger than the caches of a processor, in which a small one would win by that alone.
const grown = [5000, 50_000].map((count) => {
  const whole = JSON.stringify(catalogueOf(count));
  return { whole, one: withChange(count, changes['a new required argument']), all: everyChanged(count) };
});
const [small, large] = grown;
const growth = await inRounds(
  {
    itself1: () => compare(small.whole, small.whole),
    itself10: () => compare(large.whole, large.whole),
    one1: () => compare(small.whole, small.one),
    one10: () => compare(large.whole, large.one),
    all1: () => compare(small.whole, small.all),
    all10: () => compare(large.whole, large.all),
  },
  Math.ceil(rounds / 2),
);
line('ten times the tools, compared with themselves', growth.itself10 / growth.itself1, 11);
line('ten times the tools, one change', growth.one10 / growth.one1, 11);
line('ten times the tools, every one changed', growth.all10 / growth.all1, 11);
await validator.close();
