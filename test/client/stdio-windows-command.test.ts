import { describe, expect, it } from 'vitest';
import { windowsCommand } from '../../src/client/windows-command.ts';

const environment = new Map([
  ['Path', 'C:\\tools;C:\\Program Files\\nodejs'],
  ['PATHEXT', '.COM;.EXE;.CMD'],
  ['SystemRoot', 'C:\\Windows'],
]);
const files = new Set([
  'C:\\Program Files\\nodejs\\npx.cmd',
  'C:\\Program Files\\nodejs\\node.exe',
  'C:\\own\\run.bat',
]);
const start = (command: string, ...args: string[]) =>
  windowsCommand(command, args, environment, (file) => files.has(file));

describe('a command on Windows', () => {
  it('that is a program is started as it is', () => {
    expect(start('node', 'a b', '"')).toEqual({
      file: 'C:\\Program Files\\nodejs\\node.exe',
      args: ['a b', '"'],
      isVerbatim: false,
    });
  });

  it('that is a batch file is handed to the interpreter, each word quoted', () => {
    expect(start('npx', '-y', 'server@1', 'a&b', 'C:\\dir\\')).toEqual({
      file: 'C:\\Windows\\System32\\cmd.exe',
      args: ['/d', '/s', '/v:off', '/c', '""C:\\Program Files\\nodejs\\npx.cmd" "-y" "server@1" "a&b" "C:\\dir\\\\""'],
      isVerbatim: true,
    });
  });

  it('is looked for beside the path only where it has none', () => {
    expect(start('C:\\own\\run.bat')?.args.at(-1)).toBe('""C:\\own\\run.bat""');
  });

  it('that is nowhere is left to the platform to refuse', () => {
    expect(start('nothing')).toEqual({ file: 'nothing', args: [], isVerbatim: false });
  });

  it.each(['"', '%PATH%', 'a\nb'])('that is a batch file never gets the argument %j', (argument) => {
    expect(start('npx', argument)).toBeNull();
  });
});
