import { compareRecordings } from '../compare/compare-lists.ts';
import type { Finding } from '../findings/finding.ts';
import { acceptAll, acceptFindings, type Grain } from '../recording/accept-findings.ts';
import type { ConsumerUse } from '../recording/consumer-use.ts';
import type { Acceptance, Recording } from '../recording/recording.ts';
import type { SchemaValidator } from '../schemas/schema-validator.ts';

/**
 * The previous recording with the chosen findings accepted and as little else as possible: the smallest grain at which
 * none of them is found any more between the accepted recording and the candidate, and nothing that was not found
 * before. Where there is none, the smallest at which they are gone; or else the candidate as it is.
 */
export async function acceptSelected(
  { previous, candidate }: { readonly previous: Recording; readonly candidate: Recording },
  chosen: readonly Finding[],
  acceptance: Omit<Acceptance, 'fingerprints'>,
  use: ConsumerUse | undefined,
  validator: SchemaValidator,
): Promise<Recording> {
  const fingerprintsOf = (findings: readonly Finding[]) => findings.map(({ fingerprint }) => fingerprint);
  const wanted = new Set(fingerprintsOf(chosen));
  const found = fingerprintsOf(await compareRecordings(previous, candidate, validator, use));
  const mayStay = new Set(found.filter((fingerprint) => !wanted.has(fingerprint)));
  let smallest: Recording | null = null;
  for (const grain of grainsFor(chosen)) {
    const accepted = acceptFindings(previous, candidate, chosen, acceptance, grain);
    const left = fingerprintsOf(await compareRecordings(accepted, candidate, validator, use));
    if (left.every((fingerprint) => mayStay.has(fingerprint))) return accepted;
    if (!left.some((fingerprint) => wanted.has(fingerprint))) smallest ??= accepted;
  }
  if (smallest !== null) return smallest;
  return acceptAll(previous, candidate, { ...acceptance, fingerprints: [...wanted].sort() });
}

/**
 * The fingerprints of findings that accepting does not end: what would be told of the candidate by itself (the config
 * demands something else), and a call that stays at home whatever is recorded.
 */
export async function findUnacceptable(
  candidate: Recording,
  chosen: readonly Finding[],
  use: ConsumerUse | undefined,
  validator: SchemaValidator,
): Promise<ReadonlySet<string>> {
  const lasting = await compareRecordings(candidate, candidate, validator, use);
  return new Set([
    ...lasting.map(({ fingerprint }) => fingerprint),
    ...chosen.filter(({ rule }) => rule === 'replay-blocked-unsafe').map(({ fingerprint }) => fingerprint),
  ]);
}

/** From the place itself outwards. */
function grainsFor(chosen: readonly Finding[]): readonly Grain[] {
  const depths = chosen.flatMap(({ places }) => places.map(({ pointer }) => pointer?.split('/').length ?? 0));
  const steps = Math.max(1, ...depths) - 1;
  return [...Array.from({ length: Math.max(1, steps) }, (_, at) => at), 'member', 'whole'];
}
