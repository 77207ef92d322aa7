import { existsSync } from 'node:fs';
import path from 'node:path';

const folder = path.resolve(import.meta.dirname, '..', '..', '..', 'shared');

/** The path of a file of the reference folder, or null where that folder is not there (the test is then skipped). */
export const reference = (file: string): string | null => {
  const place = path.join(folder, file);
  return existsSync(place) ? place : null;
};
