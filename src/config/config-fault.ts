import { CanaryError } from '../errors.ts';
import { quoteName } from '../text/quote-name.ts';

/** Steps from the root of the file: member names and indexes of lists. */
export type ConfigPath = readonly (string | number)[];

/** A fault before it is known where in the text it stands. Neither text ever holds a value that might be a secret. */
export interface DraftFault {
  readonly path: ConfigPath;
  /** Whether the name of the last step is wrong, or what stands there. */
  readonly at: 'key' | 'value';
  /** Goes on after the path: "is missing". */
  readonly problem: string;
  /** What to write instead; a sentence. */
  readonly mend: string;
}

/** One thing that is wrong in the file, and where. Lines and columns begin with 1. */
export interface ConfigFault {
  readonly line: number;
  readonly column: number;
  /** As `targets.godaddy.url`; empty for the file as a whole. */
  readonly path: string;
  readonly problem: string;
  readonly mend: string;
}

/** Faults that are listed by name; of more only the number is said. */
const listedFaults = 50;

/** As `targets.godaddy.tools.check.calls.taken.pins["/structuredContent/isAvailable"].equals`. */
export const renderPath = (path: ConfigPath): string =>
  path.map((step, at) => (isPlain(step) ? `${at === 0 ? '' : '.'}${step}` : `[${renderStep(step)}]`)).join('');

const isPlain = (step: string | number): boolean => typeof step === 'string' && /^[A-Za-z_][\w-]*$/.test(step);
const renderStep = (step: string | number): string => (typeof step === 'number' ? String(step) : quoteName(step));

/** Every fault of a file in one error, in the order of its lines. */
export function configError(file: string, faults: readonly ConfigFault[]): CanaryError {
  const lines = faults.slice(0, listedFaults).map((fault) => {
    const subject = fault.path === '' ? '' : `${fault.path} `;
    return `  ${file}:${fault.line}:${fault.column}: ${subject}${fault.problem}. ${fault.mend}`;
  });
  const more = faults.length - lines.length;
  if (more > 0) lines.push(`  and ${more} more`);
  const number = faults.length === 1 ? 'a fault' : `${faults.length} faults`;
  return new CanaryError(
    'config',
    [`${file} has ${number}; nothing was sent`, ...lines].join('\n'),
    `Mend ${faults.length === 1 ? 'it' : 'them'} in ${file}, then run the command again.`,
  );
}

export const byPlace = (a: ConfigFault, b: ConfigFault): number =>
  a.line - b.line || a.column - b.column || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0);
