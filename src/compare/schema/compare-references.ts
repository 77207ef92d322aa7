import type { Place } from './place.ts';
import { keywordAt } from './place.ts';
import type { Broken, View } from './view.ts';
import { bothFlags, type Pair, tell, type Walk } from './walk.ts';

/** Compares schemas of which at least one refers to where we do not go; whether that was all there is to say. */
export function compareBroken(walk: Walk, from: View, to: View, place: Place, pair: Pair): boolean {
  const [was, is] = [from.broken, to.broken];
  if (was === null && is === null) return false;
  // What lies too deep was not looked at, so it is not known to be the same.
  const isKnown = is?.kind === 'remote' || is?.kind === 'unresolved';
  if (isKnown && was?.kind === is.kind && was.reference === is.reference) return true;
  if (walk.sink.isQuiet) {
    walk.sink.addFlags(bothFlags);
    return true;
  }
  const told = { pointer: keywordAt(place, '$ref'), before: was?.reference ?? null, after: is?.reference ?? null };
  if (is !== null) tellBroken(walk, is, place, pair, told);
  else if (was?.kind === 'unresolved') {
    // Nothing could be validated before; that it can be now takes nothing away from anybody.
    tell(walk, 'restructured', place, pair, told);
  } else tell(walk, 'unclassified', place, pair, { ...told, confidence: 'unclassified' });
  return true;
}

function tellBroken(
  walk: Walk,
  broken: Broken,
  place: Place,
  pair: Pair,
  told: { pointer: string; before: string | null; after: string | null },
): void {
  if (broken.kind === 'remote') {
    const facts = broken.host === null ? {} : { facts: { host: broken.host } };
    tell(walk, 'reference-remote', place, pair, { ...told, ...facts });
  } else if (broken.kind === 'unresolved') {
    tell(walk, 'reference-unresolved', place, pair, { ...told, confidence: 'unclassified' });
  } else if (!walk.memory.isOversizeTold) {
    walk.memory.isOversizeTold = true;
    tell(walk, 'oversize', place, pair, { ...told, confidence: 'unclassified' });
  }
}

/** Two ways of writing one schema, of which one goes through a definition. */
export function tellRespelling(walk: Walk, from: View, to: View, place: Place, pair: Pair): void {
  if (from.hops.join(' ') === to.hops.join(' ')) return;
  tell(walk, 'restructured', place, pair, {
    pointer: to.hops.length > 0 ? keywordAt(place, '$ref') : place.pointer,
    before: from.hops.length > 0 ? { $ref: from.hops[0] ?? '' } : null,
    after: to.hops.length > 0 ? { $ref: to.hops[0] ?? '' } : null,
  });
}
