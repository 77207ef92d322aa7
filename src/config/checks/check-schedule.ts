import { type JsonObject, type JsonValue, member } from '../../json/json-value.ts';
import type { ConfigPath, DraftFault } from '../config-fault.ts';
import { nameFault } from '../secret-variables.ts';

/** Only what can be seen without the scheduler, so that a check pays nothing for it; the scheduler has the last word. */
export function checkSchedule(path: ConfigPath, owner: JsonObject): DraftFault[] {
  const schedule = member(owner, 'schedule');
  const at = [...path, 'schedule'];
  return [...checkCron(at, member(schedule, 'cron')), ...checkTimezone(at, member(schedule, 'timezone'))];
}

/** A history lies in one place, and the address of a database is a secret. */
export function checkHistory(file: JsonObject): DraftFault[] {
  const history = member(file, 'history');
  const variable = member(history, 'postgres');
  if (typeof variable !== 'string') return [];
  const path = ['history', 'postgres'];
  if (member(history, 'file') !== undefined)
    return [
      {
        path: ['history', 'file'],
        at: 'key',
        problem: 'stands beside postgres',
        mend: 'A history lies in one of them: keep one.',
      },
    ];
  const fault = nameFault(variable);
  return fault === null ? [] : [{ path, at: 'value', problem: fault.problem, mend: fault.mend }];
}

function checkCron(at: ConfigPath, cron: JsonValue | undefined): DraftFault[] {
  if (typeof cron !== 'string' || /^@(?:yearly|monthly|weekly|daily|hourly)$/.test(cron)) return [];
  const fields = cron.trim().split(/\s+/);
  const ranges = fields.length === 6 ? [seconds, ...fiveFields] : fiveFields;
  const say = (problem: string): DraftFault[] => [
    {
      path: [...at, 'cron'],
      at: 'value',
      problem,
      mend: 'Write minute, hour, day, month and weekday, as in "17 3 * * *".',
    },
  ];
  if (fields.length !== 5 && fields.length !== 6)
    return say(`has ${fields[0] === '' ? 'no' : fields.length} fields, not five`);
  const wrong = ranges.find((range, at) => !(fields[at] ?? '').split(',').every((part) => isPart(part, range)));
  return wrong ? say(`has no valid ${wrong.name}`) : [];
}

interface FieldRange {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  /** Names in place of numbers, the first one for `min`. */
  readonly names?: readonly string[];
}

const seconds: FieldRange = { name: 'second', min: 0, max: 59 };
const fiveFields: readonly FieldRange[] = [
  { name: 'minute', min: 0, max: 59 },
  { name: 'hour', min: 0, max: 23 },
  { name: 'day', min: 1, max: 31 },
  {
    name: 'month',
    min: 1,
    max: 12,
    names: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
  },
  { name: 'weekday', min: 0, max: 7, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
];

function isPart(part: string, range: FieldRange): boolean {
  const [, span = '', step] = /^([^/]+)(?:\/(\d{1,4}))?$/.exec(part) ?? [];
  if (step === '0' || span === '') return false;
  if (span === '*') return true;
  const [from, to, ...rest] = span.split('-').map((end) => numberIn(end, range));
  return rest.length === 0 && from !== null && from !== undefined && (to === undefined || (to !== null && from <= to));
}

function numberIn(text: string, range: FieldRange): number | null {
  const named = range.names?.indexOf(text.toLowerCase()) ?? -1;
  const value = named >= 0 ? range.min + named : /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
  return value >= range.min && value <= range.max ? value : null;
}

function checkTimezone(at: ConfigPath, timezone: JsonValue | undefined): DraftFault[] {
  if (typeof timezone !== 'string' || isTimezone(timezone)) return [];
  return [
    {
      path: [...at, 'timezone'],
      at: 'value',
      problem: 'is no time zone',
      mend: 'Write UTC, or a name as Europe/Berlin.',
    },
  ];
}

function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
