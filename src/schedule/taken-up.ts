import type { RunBook } from '../history/history.ts';
import { isJsonObject } from '../json/json-value.ts';
import { parseJson } from '../json/parse-json.ts';
import { writeJson } from '../json/write-json.ts';

const name = 'taken-up';

/**
 * From when on each target's slots count: after the last one that was handled, or, for a target that never ran, since a
 * service first saw it. That moment is kept: whoever takes over goes on counting from it.
 */
export async function countingSince(
  book: RunBook,
  targets: Iterable<string>,
  now: Date,
): Promise<ReadonlyMap<string, Date>> {
  const last = await book.lastSlots();
  const text = await book.readMemory(name);
  const kept = readMoments(text);
  const fresh = new Map<string, string>();
  const since = new Map<string, Date>();
  for (const target of targets) {
    const slot = last.get(target);
    if (slot !== undefined) {
      since.set(target, new Date(slot));
      continue;
    }
    const moment = kept.get(target) ?? now.toISOString();
    fresh.set(target, moment);
    since.set(target, new Date(moment));
  }
  const written = writeJson(Object.fromEntries(fresh), { indent: 0 });
  if (written !== (text ?? '{}')) await book.writeMemory(name, written);
  return since;
}

function readMoments(text: string | null): ReadonlyMap<string, string> {
  const parsed = text === null ? null : parseJson(text, { depth: 2, nodes: 1_000_000 });
  if (parsed === null || !parsed.ok || !isJsonObject(parsed.value)) return new Map();
  return new Map(
    Object.entries(parsed.value).flatMap(([target, moment]) =>
      typeof moment === 'string' && !Number.isNaN(Date.parse(moment)) ? [[target, moment] as const] : [],
    ),
  );
}
