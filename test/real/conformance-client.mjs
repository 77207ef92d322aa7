// The product as the client of the conformance suite: `node conformance-client.mjs <server url>`. What is asked depends on
// the scenario, which the suite names in the environment. Everything is sent by the built command line, `record`.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { serveDressed } from './dressed-server.mjs';

const main = path.join(import.meta.dirname, '..', '..', 'dist', 'main.js');
const url = process.argv[2] ?? '';
const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? '';
const revision = process.env.MCP_CONFORMANCE_PROTOCOL_VERSION ?? '2025-11-25';
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}');

const folder = await mkdtemp(path.join(os.tmpdir(), 'mcp-canary-conformance-'));
const config = path.join(folder, 'targets.yaml');

/** Writes the config and runs a command on it; `tools` absent: the list is watched, nothing is called. */
async function run(command, address, tools) {
  const target = {
    transport: 'streamable-http',
    url: address,
    revision,
    confirm: { looks: 1 },
    ...(tools === undefined ? {} : { tools }),
  };
  await writeFile(config, JSON.stringify({ formatVersion: 1, targets: { suite: target } }));
  const child = spawn(process.execPath, [main, ...command, '--config', config], { stdio: 'inherit' });
  return new Promise((done) => child.once('close', (code) => done(code ?? 1)));
}

const record = (address, tools) => run(['record', '--update', '--force'], address, tools);

/** One case for each way a tool is called. */
const callsOf = (asked) => {
  const tools = {};
  for (const [name, args] of asked) {
    tools[name] ??= { calls: {} };
    tools[name].calls[`case-${Object.keys(tools[name].calls).length + 1}`] = { arguments: args };
  }
  return tools;
};

/** `rename`: the suite's tools whose names describe a write, and what they are called here. */
async function call(asked, rename = {}) {
  const dressed = await serveDressed(url, rename);
  try {
    return await record(dressed.url, callsOf(asked));
  } finally {
    await dressed.close();
  }
}

/** Asks for the list, takes a schema out of the recording, and sends it back as it was recorded. */
async function echoSchema() {
  const listed = await record(url);
  if (listed !== 0) return listed;
  const list = JSON.parse(await readFile(path.join(folder, 'suite', 'tools-list.json'), 'utf8'));
  return call([['json_schema_echo', { schema: list.tools.json_schema_2020_12_tool.inputSchema }]]);
}

const invalid = [
  ['invalid_empty_header', { value: 'x' }],
  ['invalid_object_header', { data: { a: 1 } }],
  ['invalid_array_header', { items: ['x'] }],
  ['invalid_null_header', { nil: null }],
  ['invalid_number_header', { score: 1 }],
  ['invalid_duplicate_same_case', { field1: 'x', field2: 'x' }],
  ['invalid_duplicate_diff_case', { field1: 'x', field2: 'x' }],
  ['invalid_space_in_name', { value: 'x' }],
  ['invalid_colon_in_name', { value: 'x' }],
  ['invalid_non_ascii_name', { value: 'x' }],
  ['invalid_control_char_name', { value: 'x' }],
];

const scenarios = {
  initialize: () => record(url),
  tools_call: () => call([['sum_of_numbers', { a: 5, b: 3 }]], { add_numbers: 'sum_of_numbers' }),
  'sse-retry': () => call([['test_reconnection', {}]]),
  // The first request is refused whatever it says; the next run is as good as new.
  'request-metadata': async () => ((await record(url)) === 0 ? 0 : record(url)),
  'http-standard-headers': () =>
    call([
      ['test_headers', {}],
      ['my-hyphenated-tool', {}],
    ]),
  'http-custom-headers': () => call(context.toolCalls.map((one) => [one.name, one.arguments])),
  'http-invalid-tool-headers': () => call([...invalid, ['valid_tool', { region: 'x' }]]),
  // Schemas are compared, compiled and tried with values in a check, not while recording.
  'json-schema-ref-no-deref': async () => ((await record(url)) === 0 ? run(['check'], url) : 1),
  'json-schema-2020-12-preservation': echoSchema,
};

try {
  process.exitCode = Object.hasOwn(scenarios, scenario) ? await scenarios[scenario]() : 2;
} finally {
  await rm(folder, { recursive: true, force: true });
}
