import { compareRecordings } from '../compare/compare-lists.ts';
import type { Finding } from '../findings/finding.ts';
import { acceptAll, acceptFindings, type Grain } from '../recording/accept-findings.ts';
import type { ConsumerUse } from '../recording/consumer-use.ts';
import type { Acceptance, Recording } from '../recording/recording.ts';
import type { SchemaValidator } from '../schemas/schema-validator.ts';

const grains: readonly Grain[] = ['place', 'member', 'whole'];

/**
 * The previous recording with the chosen findings accepted and as little else as possible: the smallest grain at which
 * none of them is found any more between the accepted recording and the candidate, or else the candidate as it is.
 */
export async function acceptSelected(
  { previous, candidate }: { readonly previous: Recording; readonly candidate: Recording },
  chosen: readonly Finding[],
  acceptance: Omit<Acceptance, 'fingerprints'>,
  use: ConsumerUse | undefined,
  validator: SchemaValidator,
): Promise<Recording> {
  const wanted = new Set(chosen.map((finding) => finding.fingerprint));
  for (const grain of grains) {
    const accepted = acceptFindings(previous, candidate, chosen, acceptance, grain);
    const left = await compareRecordings(accepted, candidate, validator, use);
    if (!left.some((finding) => wanted.has(finding.fingerprint))) return accepted;
  }
  return acceptAll(previous, candidate, { ...acceptance, fingerprints: [...wanted].sort() });
}
