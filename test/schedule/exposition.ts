/** One sample of the text format of Prometheus. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const nameForm = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const suffixes: Readonly<Record<string, readonly string[]>> = {
  counter: [''],
  gauge: [''],
  histogram: ['_bucket', '_sum', '_count'],
  summary: ['', '_sum', '_count'],
};

/**
 * Reads the text format, version 0.0.4, and throws at whatever its description forbids: a sample without a type, a name
 * or label of another form, a value that is no number, a series that stands there twice, families in pieces.
 */
export function readExposition(text: string): readonly Sample[] {
  if (!text.endsWith('\n')) throw new Error('the last line has no end');
  const samples: Sample[] = [];
  const families = new Map<string, string>();
  const series = new Set<string>();
  let family = '';
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('# HELP ')) continue;
    const type = /^# TYPE (\S+) (counter|gauge|histogram|summary|untyped)$/.exec(line);
    if (type !== null) {
      family = type[1] ?? '';
      if (families.has(family) || !nameForm.test(family)) throw new Error(`a second or odd family: ${line}`);
      families.set(family, type[2] ?? '');
      if (family.endsWith('_total') !== (type[2] === 'counter')) throw new Error(`no name for a ${type[2]}: ${family}`);
      continue;
    }
    const [, name = '', labels = '', value = ''] =
      /^([^\s{]+)(\{(?:[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*",?)*\})? (\S+)$/.exec(line) ?? [];
    const allowed = (suffixes[families.get(family) ?? ''] ?? []).map((suffix) => `${family}${suffix}`);
    if (!allowed.includes(name)) throw new Error(`not of the family ${family}: ${line}`);
    if (!/^(?:[+-]?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?|Inf)|NaN|Nan)$/.test(value)) throw new Error(`no number: ${line}`);
    if (series.has(`${name}${labels}`)) throw new Error(`twice: ${line}`);
    series.add(`${name}${labels}`);
    samples.push({
      name,
      labels: Object.fromEntries(
        [...labels.matchAll(/([a-zA-Z0-9_]+)="((?:[^"\\]|\\.)*)"/g)].map(([, key, of]) => [key, of]),
      ),
      value: Number(value.replace('Inf', 'Infinity')),
    });
  }
  return samples;
}
