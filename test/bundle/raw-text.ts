import { readFileSync } from 'node:fs';

/** Files that the status page serves as they are: `import text from './page.css?raw'`, as vite has it. */
export const rawText = {
  name: 'raw-text',
  resolveId: {
    filter: { id: /\?raw$/ },
    async handler(
      this: { resolve(id: string, importer?: string): Promise<{ readonly id: string } | null> },
      source: string,
      importer?: string,
    ) {
      const file = await this.resolve(source.replace(/\?raw$/, ''), importer);
      return file === null ? null : { id: `${file.id}?raw` };
    },
  },
  load: {
    filter: { id: /\?raw$/ },
    handler: (id: string) => ({
      code: `export default ${JSON.stringify(readFileSync(id.replace(/\?raw$/, ''), 'utf8'))};`,
      moduleType: 'js' as const,
    }),
  },
};
