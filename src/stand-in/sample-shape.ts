import type { JsonValue } from '../json/json-value.ts';
import type { Shape, StringFormat } from '../recording/result-shape.ts';

const samples: Readonly<Record<StringFormat, string>> = {
  'date-time': '2026-01-01T00:00:00Z',
  date: '2026-01-01',
  uuid: '00000000-0000-4000-8000-000000000000',
  uri: 'https://example.com/',
  domain: 'example.com',
  email: 'someone@example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  decimal: '1.50',
  integer: '1',
};

/** A text of a format, or one that has none. */
export const sampleText = (format: StringFormat | null): string => (format === null ? 'text' : samples[format]);

/** A plausible value of a shape: what a stand-in serves where the recording kept the shape only. */
export function sampleShape(shape: Shape): JsonValue {
  switch (shape.kind) {
    case 'any':
    case 'null':
      return null;
    case 'boolean':
      return true;
    case 'number':
      return shape.fractional ? 1.5 : 1;
    case 'string':
      return sampleText(shape.format);
    case 'array': {
      const { items } = shape;
      return items === null
        ? []
        : Array.from({ length: Math.min(Math.max(shape.min, 1), shape.max) }, () => sampleShape(items));
    }
    case 'object': {
      const tag = shape.tag === null || shape.tag === 'merged' ? null : shape.tag;
      const members = [...shape.members].filter(([, { optional }]) => !optional);
      return Object.fromEntries(
        members.map(([name, { shape: inner }]) => [name, tag?.member === name ? tag.value : sampleShape(inner)]),
      );
    }
    case 'map':
      return Object.fromEntries([[sampleText(shape.keys), sampleShape(shape.values)]]);
    case 'union': {
      const [first] = shape.of;
      return first === undefined ? null : sampleShape(first);
    }
  }
}
