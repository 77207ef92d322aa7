import { it } from 'vitest';
import { expectPrintedSafely, hostileNames } from './hostile-names.ts';

const name = 'a name that acts on a terminal, hides and turns';

it(`${name} is printed nowhere as it is`, () => expectPrintedSafely(hostileNames[name]));
