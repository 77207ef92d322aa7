import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/json/json-value.ts';
import { migrateFiles } from '../../src/recording/migrations.ts';
import { filesToRecording, readRecordingFiles } from '../../src/recording/parse-recording.ts';
import type { Recording } from '../../src/recording/recording.ts';
import { callPath, slugOf } from '../../src/recording/recording-layout.ts';
import { recordingToFiles } from '../../src/recording/serialise-recording.ts';
import { callOf, contractOf, overHttp, recordingOf, textResult } from './sample-recording.ts';

const golden = path.join(import.meta.dirname, 'golden', 'format-1');
const goldenFiles = (): Map<string, string> =>
  new Map(
    readdirSync(golden, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.json'))
      .map((name) => [name.replaceAll(path.sep, '/'), readFileSync(path.join(golden, name), 'utf8')]),
  );
const edit = (
  files: ReadonlyMap<string, string>,
  name: string,
  change: (text: string) => string,
): Map<string, string> => new Map([...files].map(([file, text]) => [file, file === name ? change(text) : text]));

/** A recording with one of everything. */
const full: Recording = recordingOf(
  contractOf({
    calls: [
      callOf(
        textResult('{"id":725653563933458432}', { id: 725653563933458432n, half: 0.5, hidden: 'a\u202eb\u200bc\r\n' }),
      ),
      callOf(
        {},
        {
          case: 'refused',
          outcome: { kind: 'error', error: { code: -32602, message: 'no such tld', data: { tld: 'x' } } },
        },
      ),
      callOf({}, { tool: 'Look/up', case: 'odd', outcome: { kind: 'error', error: { code: -32000, message: 'no' } } }),
    ],
  }),
  {
    authenticated: true,
    challenge: { scheme: 'Bearer', scopes: ['b', 'a'], resourceHost: 'auth.example' },
    acceptances: [{ at: '2026-02-03T04:05:06Z', by: 'somebody', reason: 'agreed', fingerprints: ['0123456789abcdef'] }],
    breaches: [{ code: 'stdio-noise-added', method: 'initialize' }],
  },
);

describe('files', () => {
  it('are those of the golden recording, byte for byte', () => {
    expect([...recordingToFiles(full)].sort()).toEqual([...goldenFiles()].sort());
  });

  it('of format version 1 are read and written back unchanged', () => {
    expect([...recordingToFiles(filesToRecording(goldenFiles()))].sort()).toEqual([...goldenFiles()].sort());
    expect(readRecordingFiles(goldenFiles()).edited()).toEqual([]);
  });

  it('show what hides, keep every digit, and end in one line feed', () => {
    const text = recordingToFiles(full).get('tools-call/lookup/taken.json') ?? '';
    expect(text).toContain('"a\\u202eb\\u200bc\\r\\n"');
    expect(text).toContain('"id": 725653563933458432');
    for (const file of recordingToFiles(full).values()) expect(file).toMatch(/^\{\n[^\r]*[^\n]\n$/);
  });

  it('keep what a server sends, whatever it is called', () => {
    const tools: JsonObject[] = [
      { name: '__proto__', inputSchema: JSON.parse('{"__proto__":{"type":"string"},"x":1}') as JsonValue },
      { name: 'constructor', unknown: [1] },
      { name: '' },
    ];
    const recording = recordingOf(
      contractOf({
        list: {
          tools,
          duplicates: ['a'],
          malformed: [{ index: 3, value: null }],
          pages: 2,
          beyondFirstPage: ['a'],
          members: JSON.parse('{"__proto__":1,"ttlMs":5}') as JsonObject,
          transport: overHttp,
        },
        calls: [
          callOf(
            { content: [], unknown: { deep: [{}] } },
            { arguments: JSON.parse('{"__proto__":"x"}') as JsonObject },
          ),
        ],
      }),
    );
    const read = filesToRecording(recordingToFiles(recording));
    expect([...recordingToFiles(read)]).toEqual([...recordingToFiles(recording)]);
    expect(read.contract.list?.tools.map((tool) => tool.name)).toEqual(['', '__proto__', 'constructor']);
    expect(Object.keys(read.contract.list?.members ?? {})).toEqual(expect.arrayContaining(['__proto__']));
  });

  it('write, read, write gives the same bytes, whatever the results are', () => {
    const json = fc.jsonValue({ maxDepth: 5 }).map((value) => value as JsonValue);
    const results = fc.record({
      content: fc.array(
        fc.record({ type: fc.constantFrom('text', 'image', 'odd'), text: fc.string({ unit: 'binary' }) }),
      ),
      structuredContent: fc.dictionary(fc.string(), json),
      isError: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(results, { maxLength: 3 }), fc.string({ unit: 'binary' }), (values, tool) => {
        const recording = recordingOf(
          contractOf({ calls: values.map((value, at) => callOf(value as JsonObject, { tool, case: `case${at}` })) }),
        );
        const once = recordingToFiles(recording);
        expect([...recordingToFiles(filesToRecording(once))]).toEqual([...once]);
        expect(readRecordingFiles(once).edited()).toEqual([]);
      }),
      { seed: 42, numRuns: 60 },
    );
  });
});

describe('files that are refused', () => {
  const refused = (files: ReadonlyMap<string, string>): string => {
    try {
      filesToRecording(files);
    } catch (error) {
      expect(error).toMatchObject({ code: 'recording' });
      return String(error);
    }
    return 'accepted';
  };

  it.each<[string, string, (text: string) => string, RegExp]>([
    [
      'an unknown member of ours',
      'recording.json',
      (t) => t.replace('"era"', '"eraa": 1,\n  "era"'),
      /recording\.json.*unknown member "eraa"/,
    ],
    [
      'one further in',
      'recording.json',
      (t) => t.replace('"by"', '"bye": 1,\n      "by"'),
      /recording\.json: \/acceptances\/0: unknown member "bye"/,
    ],
    [
      'one called __proto__',
      'handshake.json',
      (t) => t.replace('"offered"', '"__proto__": 1,\n  "offered"'),
      /handshake\.json.*__proto__/,
    ],
    [
      'one of a call',
      'tools-call/lookup/taken.json',
      (t) => t.replace('"case"', '"kase": 1,\n  "case"'),
      /taken\.json.*unknown member "kase"/,
    ],
    ['a missing member', 'handshake.json', (t) => t.replace(/"offered": "[^"]*",\n/, ''), /handshake\.json: \/offered/],
    ['a wrong type', 'tools-list.json', (t) => t.replace('"pages": 1', '"pages": "1"'), /tools-list\.json: \/pages/],
    [
      'a tool that is none',
      'tools-list.json',
      (t) => t.replace('"tools": {', '"tools": {\n    "x": 1,'),
      /tools-list\.json: \/tools/,
    ],
    [
      'a shape that is none',
      'tools-call/lookup/taken.json',
      (t) => t.replace('"shape": {', '"shape": {\n    "x": 1,'),
      /taken\.json: \/shape/,
    ],
    [
      'a member twice',
      'handshake.json',
      (t) => t.replace('"offered"', '"offered": "x",\n  "offered"'),
      /handshake\.json: names a member twice: "offered"/,
    ],
    ['no JSON', 'handshake.json', (t) => t.slice(0, 30), /handshake\.json: is no JSON/],
    ['a merge conflict', 'handshake.json', (t) => `<<<<<<< ours\n${t}`, /handshake\.json: is no JSON/],
    ['an empty file', 'recording.json', () => '', /recording\.json: is empty/],
    [
      'a newer format',
      'recording.json',
      (t) => t.replace('"formatVersion": 1', '"formatVersion": 2'),
      /formatVersion 2; this mcp-canary reads up to 1/,
    ],
    ['no format', 'recording.json', (t) => t.replace('"formatVersion": 1', '"formatVersion": "1"'), /no formatVersion/],
    [
      'a rule that is none',
      'recording.json',
      (t) => t.replace('stdio-noise-added', 'no-such-rule'),
      /recording\.json: \/breaches\/0\/code/,
    ],
  ])('%s', (_, name, change, said) => {
    const files = goldenFiles();
    expect(edit(files, name, change).get(name)).not.toBe(files.get(name));
    expect(refused(edit(files, name, change))).toMatch(said);
  });

  it('the same case in two files', () => {
    const files = goldenFiles();
    files.set('tools-call/lookup/copy.json', files.get('tools-call/lookup/taken.json') ?? '');
    expect(refused(files)).toMatch(/another file holds/);
  });

  it('without recording.json', () => {
    const files = goldenFiles();
    files.delete('recording.json');
    expect(refused(files)).toMatch(/recording\.json: is missing/);
  });

  it.each(['handshake.json', 'tools-list.json'])('without %s, which it had', (path) => {
    const files = goldenFiles();
    files.delete(path);
    expect(refused(files)).toContain(`${path}: is missing`);
  });

  it('hand edits are told, not refused', () => {
    const edited = edit(goldenFiles(), 'handshake.json', (text) => text.replace('1.2.3', '1.2.4'));
    edited.delete('tools-call/lookup/refused.json');
    expect(readRecordingFiles(edited).edited()).toEqual(['handshake.json', 'tools-call/lookup/refused.json']);
  });
});

describe('migrations', () => {
  const files = new Map<string, JsonValue>([['recording.json', { formatVersion: 1, steps: [] }]]);
  const step = (to: number) => (from: ReadonlyMap<string, JsonValue>) =>
    new Map([...from].map(([name, value]) => [name, { ...(value as JsonObject), formatVersion: to }]));

  it('lead from an older version to the current one, one step each', () => {
    expect(
      migrateFiles(
        files,
        new Map([
          [1, step(2)],
          [2, step(3)],
        ]),
        3,
      ).get('recording.json'),
    ).toMatchObject({ formatVersion: 3 });
  });

  it('say where there is no way any more', () => {
    expect(() => migrateFiles(files, new Map([[2, step(3)]]), 3)).toThrow(/no longer read/);
  });
});

describe('names of files', () => {
  it.each(['lookup', 'domains_check_availability', 'a.b-c_d', '0'])('%s is its own', (name) => {
    expect(slugOf(name)).toBe(name);
  });

  it.each([
    '',
    '.',
    '..',
    '../../etc/passwd',
    'a/b',
    'a\\b',
    'Lookup',
    'LOOKUP',
    'con',
    'NUL',
    'com1.json',
    '.hidden',
    'trailing.',
    'a..b',
    'a b',
    'a\u0000b',
    'é',
    'K',
    'x'.repeat(300),
    'lookup-0a1b2c3d',
    '-',
    'a:b',
    'aux.tools',
  ])('%j is made safe', (name) => {
    expect(slugOf(name)).toMatch(/^[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?-[0-9a-f]{8}$/);
    expect(slugOf(name)).not.toContain('..');
    expect(callPath(name, name).split('/')).toHaveLength(3);
  });

  it('differ where the texts do, on a file system without case, too', () => {
    const names = [
      'look',
      'Look',
      'LOOK',
      'lo/ok',
      'lo\\ok',
      'lo ok',
      'lo-ok',
      'look.',
      '.look',
      `look-${'0'.repeat(8)}`,
      slugOf('Look'),
    ];
    expect(new Set(names.map((name) => slugOf(name).toLowerCase())).size).toBe(names.length);
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ unit: 'binary', maxLength: 12 }), { minLength: 2 }), (texts) => {
        expect(new Set(texts.map((text) => slugOf(text).toLowerCase())).size).toBe(texts.length);
      }),
      { seed: 42, numRuns: 300 },
    );
  });
});
