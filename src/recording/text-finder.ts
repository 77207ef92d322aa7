/** As many are found faster one by one, by the platform. */
const few = 64;

/**
 * Says which of many texts stands in another one, in the time of one walk over it however many they are.
 * @param wanted texts of at least four units
 */
export function createTextFinder<T extends { readonly text: string }>(
  wanted: readonly T[],
): (text: string) => T | null {
  if (wanted.length <= few) return (text) => wanted.find((one) => text.includes(one.text)) ?? null;
  const byHead = new Map<string, T[]>();
  // One bit would do; nearly every place of a text is ruled out by it alone.
  const heads = new Uint8Array(slots);
  for (const one of wanted) {
    const head = one.text.slice(0, headUnits);
    const known = byHead.get(head);
    if (known === undefined) byHead.set(head, [one]);
    else known.push(one);
    heads[slotOf(one.text, 0)] = 1;
  }
  return (text) => {
    for (let at = 0; at + headUnits <= text.length; at += 1) {
      if (heads[slotOf(text, at)] === 0) continue;
      const found = byHead.get(text.slice(at, at + headUnits))?.find((one) => text.startsWith(one.text, at));
      if (found !== undefined) return found;
    }
    return null;
  };
}

const headUnits = 4;
const slots = 65_536;

const slotOf = (text: string, at: number): number =>
  (text.charCodeAt(at) ^
    (text.charCodeAt(at + 1) << 4) ^
    (text.charCodeAt(at + 2) << 8) ^
    (text.charCodeAt(at + 3) << 11)) &
  (slots - 1);
