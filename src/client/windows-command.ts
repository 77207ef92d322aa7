import path from 'node:path';

/** How a command is started on Windows, where only programs can be started as they are. */
export interface WindowsCommand {
  readonly file: string;
  readonly args: readonly string[];
  /** The arguments are one command line already; nothing may quote them again. */
  readonly isVerbatim: boolean;
}

/**
 * Finds a command on Windows along the `PATH` and `PATHEXT` that the child gets. Package managers leave batch files there
 * (`npx.cmd`), which need an interpreter: then every argument is quoted. What no quoting protects from the interpreter (quotes,
 * percent signs, line ends: CVE-2024-27980) is refused.
 *
 * @param isFile whether there is such a file
 * @returns null where an argument cannot be handed over safely
 */
export function windowsCommand(
  command: string,
  args: readonly string[],
  environment: ReadonlyMap<string, string>,
  isFile: (file: string) => boolean,
): WindowsCommand | null {
  const file = findCommand(command, environment, isFile) ?? command;
  if (!/\.(?:cmd|bat)$/i.test(file)) return { file, args, isVerbatim: false };
  const words = [file, ...args];
  if (words.some((word) => /["%\r\n\0]/.test(word))) return null;
  const line = words.map((word) => `"${word.replace(/\\+$/, '$&$&')}"`).join(' ');
  const interpreter = path.win32.join(variable(environment, 'SystemRoot') ?? 'C:\\Windows', 'System32', 'cmd.exe');
  return { file: interpreter, args: ['/d', '/s', '/v:off', '/c', `"${line}"`], isVerbatim: true };
}

function findCommand(
  command: string,
  environment: ReadonlyMap<string, string>,
  isFile: (file: string) => boolean,
): string | undefined {
  const endings = (variable(environment, 'PATHEXT') ?? '.COM;.EXE;.BAT;.CMD').split(';').filter((end) => end !== '');
  const hasEnding = endings.some((end) => command.toLowerCase().endsWith(end.toLowerCase()));
  const names = hasEnding ? [command] : endings.map((end) => command + end.toLowerCase());
  const folders = /[\\/:]/.test(command) ? [''] : (variable(environment, 'PATH') ?? '').split(';').filter(Boolean);
  return folders
    .flatMap((folder) => names.map((name) => (folder === '' ? name : path.win32.join(folder, name))))
    .find(isFile);
}

/** Windows does not tell `Path` from `PATH`. */
const variable = (environment: ReadonlyMap<string, string>, name: string): string | undefined =>
  [...environment].find(([known]) => known.toLowerCase() === name.toLowerCase())?.[1];
