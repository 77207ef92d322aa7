import { it } from 'vitest';
import { expectPrintedSafely, hostileNames } from '../end-to-end/hostile-names.ts';

it.each(Object.entries(hostileNames))('%s is printed nowhere as it is', (_, name) => expectPrintedSafely(name));
