import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Names, versions and licence texts of the packages whose modules went into the bundle. */
function licencesOf(modules: readonly string[]): string {
  const folders = new Set(modules.flatMap((id) => /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1] ?? []));
  const texts = [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Record<
      string,
      string
    >;
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    return `${name} ${version} (${license})\n\n${file === undefined ? 'No licence file in the package.' : readFileSync(path.join(folder, file), 'utf8').trim()}\n`;
  });
  return `The files beside this one contain code of these packages.\n\n${texts.join(`\n${'-'.repeat(80)}\n\n`)}`;
}

interface Output {
  readonly type: string;
  readonly moduleIds?: readonly string[];
  code?: string;
}

const escapeNonAscii = (code: string): string =>
  code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

export const asciiAndLicences = {
  name: 'ascii-and-licences',
  generateBundle(this: { emitFile(file: object): void }, _options: unknown, bundle: Record<string, Output>) {
    const outputs = Object.values(bundle);
    // One character beyond ASCII makes V8 keep a whole chunk in two bytes a character, and compile it slower.
    for (const output of outputs) if (output.type === 'chunk' && output.code) output.code = escapeNonAscii(output.code);
    const modules = outputs.flatMap((output) => output.moduleIds ?? []);
    this.emitFile({ type: 'asset', fileName: 'THIRD-PARTY-LICENSES.txt', source: licencesOf(modules) });
  },
};
