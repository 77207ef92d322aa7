import { describe, expect, it } from 'vitest';
import { faultOf, withTarget } from './config-of.ts';
import { fileFaults } from './faults/file-faults.ts';
import { pinsFaults } from './faults/pins-faults.ts';
import { targetFaults } from './faults/target-faults.ts';
import { toolsFaults } from './faults/tools-faults.ts';
import { variablesFaults } from './faults/variables-faults.ts';
import { yamlFaults } from './faults/yaml-faults.ts';

const cases = [...yamlFaults, ...fileFaults, ...targetFaults, ...toolsFaults, ...pinsFaults, ...variablesFaults];

/** `line:column path` of a line of the message. */
const placeOf = (line = ''): string => /:(\d+:\d+): (\S+)/.exec(line)?.slice(1, 3).join(' ') ?? line;

describe('a fault of targets.yaml', () => {
  it.each(cases)('$what', ({ text, env = {}, place, says, mend, hides }) => {
    const error = faultOf(text, { env });
    expect(error.code).toBe('config');
    const lines = error.message.split('\n').slice(1);
    expect(lines, error.message).toHaveLength(1);
    expect(`${placeOf(lines[0])} `).toContain(`${place} `);
    expect(lines[0]).toContain(says);
    expect(lines[0]).toContain(mend);
    if (hides !== undefined) expect(`${error.message}${error.mend}`).not.toContain(hides);
  });

  it('is told with all the others, in the order of the lines', () => {
    const text = [
      'formatVersion: 2',
      'failon: info',
      'targets:',
      '  a:',
      '    transport: http',
      '    url: http://mcp.example/',
      '    tools: {}',
      '    credentials: { bearer: NOT_SET }',
      '    waivers: [{ rule: nothing }]',
      '',
    ].join('\n');
    const error = faultOf(text);
    expect(error.message.split('\n').map((line) => placeOf(line))).toEqual([
      'recordings/targets.yaml has 7 faults; nothing was sent',
      '1:16 formatVersion',
      '2:1 failon',
      '6:10 targets.a.url',
      '7:12 targets.a.tools',
      '8:28 targets.a.credentials.bearer',
      '9:15 targets.a.waivers[0].reason',
      '9:23 targets.a.waivers[0].rule',
    ]);
    expect(error.mend).toContain('recordings/targets.yaml');
  });

  it.each([
    { written: 'tols', meant: 'tools' },
    { written: 'revison', meant: 'revision' },
    { written: 'URL', meant: 'url' },
    { written: 'waviers', meant: 'waivers' },
  ])('takes $written for $meant', ({ written, meant }) => {
    expect(faultOf(withTarget(`${written}: 1`)).message).toContain(`${written} is not known. Did you mean ${meant}?`);
  });

  it('names at most fifty, and how many more there are', () => {
    const error = faultOf(withTarget(...Array.from({ length: 60 }, (_, at) => `unknown-${at}: 1`)));
    expect(error.message.split('\n')).toHaveLength(52);
    expect(error.message).toContain('and 10 more');
  });
});

describe('a selection of targets', () => {
  const two = `${withTarget()}  bee: { transport: http, url: "https://mcp.example/", credentials: { bearer: NOT_SET } }\n`;

  it('names a target that is not there, and the nearest one', () => {
    const error = faultOf(two, { select: ['a', 'beee'] });
    expect(error.code).toBe('usage');
    expect(error.message).toContain('"beee"');
    expect(error.mend).toContain('bee');
  });

  it('needs the variables of the selected targets only', () => {
    expect(() => faultOf(two, { select: ['a'] })).toThrow('was accepted');
    expect(faultOf(two, { select: ['bee'] }).message).toContain('NOT_SET');
    expect(faultOf(two).message).toContain('NOT_SET');
  });

  it('finds every other fault of the targets that are not selected', () => {
    expect(faultOf(two.replace('transport: http,', 'transport: htp,'), { select: ['a'] }).message).toContain(
      'targets.bee.transport',
    );
  });
});
