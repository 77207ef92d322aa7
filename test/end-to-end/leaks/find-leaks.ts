import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** A secret by the name of its variable. */
export type Secrets = Readonly<Record<string, string>>;

const hex = (text: string): string => Buffer.from(text).toString('hex');

/** What of a secret is the same wherever it stands in base64. */
function base64Cores(secret: string): readonly string[] {
  return [0, 1, 2].flatMap((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)])
      .toString('base64')
      .replaceAll('=', '');
    const core = whole.slice(before === 0 ? 0 : before + 1, -2);
    return [core, core.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

const squeeze = (text: string): string => text.replace(/(?:\\+[nrt]|[\s"'\\,])+/g, '');

/** All escapes of single characters resolved, as often as they are nested. */
function unwrap(text: string): string {
  let inner = text;
  for (let round = 0; round < 4; round += 1) {
    const next = inner
      .replace(/%([0-9a-f]{2})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
      .replace(/\\+u([0-9a-f]{4})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
      .replace(/&#x([0-9a-f]{1,6});/gi, (_, digits: string) => String.fromCodePoint(Number.parseInt(digits, 16)))
      .replace(/&#([0-9]{1,7});/g, (_, digits: string) => String.fromCodePoint(Number(digits)))
      .replace(/&(amp|lt|gt|quot|sol|plus|equals|period|lowbar|percnt);/g, (_, name: string) => named[name] ?? '');
    if (next === inner) break;
    inner = next;
  }
  return inner;
}
const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  sol: '/',
  plus: '+',
  equals: '=',
  period: '.',
  lowbar: '_',
  percnt: '%',
};

/** Half of a secret is too much of it. */
const half = (secret: string): number => Math.max(10, Math.ceil(secret.length / 2));

/**
 * Which secrets a text gives away, and how; written without a look at how the product redacts and searches. A part of a
 * secret counts from half of it on: text that is cut before it is redacted ends in one.
 */
export function leaksIn(text: string, secrets: Secrets): readonly string[] {
  const unwrapped = unwrap(text);
  const views = [text, unwrapped, squeeze(unwrapped)];
  return Object.entries(secrets).flatMap(([name, secret]) => {
    const found: string[] = [];
    const says = (how: string, needle: string): void => {
      if (needle.length >= 6 && views.some((view) => view.includes(needle))) found.push(`${name} ${how}`);
    };
    says('plain', secret);
    says('squeezed', squeeze(secret));
    if (views.some((view) => view.toLowerCase().includes(secret.toLowerCase()))) found.push(`${name} in another case`);
    says('reversed', [...secret].reverse().join(''));
    for (const core of base64Cores(secret)) says('in base64', core);
    if (views.some((view) => view.toLowerCase().includes(hex(secret)))) found.push(`${name} in hex`);
    for (let from = 0; from + half(secret) <= secret.length; from += 1)
      says('in part', secret.slice(from, from + half(secret)));
    return [...new Set(found)];
  });
}

/** The same for every file below a folder. */
export async function leaksInFiles(folder: string, secrets: Secrets): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  const found = await Promise.all(
    files.map(async (file) => {
      const at = path.relative(folder, file);
      return [...leaksIn(at, secrets), ...leaksIn(await readFile(file, 'utf8'), secrets)].map(
        (leak) => `${leak} in ${at}`,
      );
    }),
  );
  return found.flat();
}
