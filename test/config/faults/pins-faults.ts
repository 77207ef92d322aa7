import { withCall } from '../config-of.ts';
import type { FaultCase } from './fault-case.ts';

export const pinsFaults: readonly FaultCase[] = [
  {
    what: 'a pin without a slash',
    text: withCall('pins: { isAvailable: { equals: true } }'),
    place: '11:21',
    says: 'no JSON Pointer',
    mend: 'slash',
  },
  {
    what: 'a pin with a tilde that escapes nothing',
    text: withCall('pins: { /a~2: { equals: true } }'),
    place: '11:21',
    says: 'no JSON Pointer',
    mend: '~0',
  },
  {
    what: 'a pin that demands nothing',
    text: withCall('pins: { /a: {} }'),
    place: '11:25',
    says: 'demands nothing',
    mend: 'equals',
  },
  {
    what: 'a misspelt demand',
    text: withCall('pins: { /a: { equal: 1 } }'),
    place: '11:27',
    says: 'is not known',
    mend: 'Did you mean equals?',
  },
  {
    what: 'a misspelt demand of a demand',
    text: withCall('pins: { /a: { eachValue: { typ: string } } }'),
    place: '11:40',
    says: 'is not known',
    mend: 'Did you mean type?',
  },
  {
    what: 'a regular expression that is none',
    text: withCall('pins: { /a: { regex: "(" } }'),
    place: '11:34',
    says: 'no regular expression',
    mend: 'backslash',
  },
  {
    what: 'a range that ends before it begins',
    text: withCall('pins: { /a: { range: { min: 3, max: 1 } } }'),
    place: '11:34',
    says: 'ends before',
    mend: 'Swap',
  },
  {
    what: 'a range without an end',
    text: withCall('pins: { /a: { range: {} } }'),
    place: '11:34',
    says: 'has no end',
    mend: 'min',
  },
  {
    what: 'maxItems below minItems',
    text: withCall('pins: { /a: { minItems: 3, maxItems: 1 } }'),
    place: '11:40',
    says: 'less than minItems',
    mend: 'Swap',
  },
  {
    what: 'ignore beside another demand',
    text: withCall('pins: { /a: { ignore: true, equals: 1 } }'),
    place: '11:27',
    says: 'takes back equals',
    mend: 'Keep one',
  },
  {
    what: 'ignore that ignores nothing',
    text: withCall('pins: { /a: { ignore: false } }'),
    place: '11:35',
    says: 'none of the known',
    mend: 'true',
  },
  {
    what: 'an unknown type',
    text: withCall('pins: { /a: { type: int } }'),
    place: '11:33',
    says: 'none of the known',
    mend: 'integer',
  },
];
