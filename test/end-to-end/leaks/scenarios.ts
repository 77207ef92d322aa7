import { randomFrom, type SeededRandom } from '../../helpers/seeded-random.ts';
import { wrappings } from '../../recording-store/wrappings.ts';
import type { Secrets } from './find-leaks.ts';
import { type Place, places } from './places.ts';

/** One hostile server, and what is done with it. */
export interface Scenario {
  readonly number: number;
  readonly transport: 'streamable-http' | 'sse' | 'stdio' | 'tls';
  readonly secrets: Secrets;
  /** What the server repeats, and where; several at once. */
  readonly echoes: readonly { readonly place: Place; readonly how: string; readonly text: string }[];
  /** Whether it is healthy while it is recorded. */
  readonly isRecordedHealthy: boolean;
  readonly then: 'accept' | 'update' | 'doctor' | 'probe' | 'nothing';
  readonly isStateless: boolean;
}

const seed = 20_261_203;
const ways = Object.entries(wrappings) as [[string, (text: string) => string], ...[string, (text: string) => string][]];
const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const marks = '-_.~+/=%&\\"\':;!*()[]{}<>|^`?$#@';

/** The scenario of a number: always the same one. */
export function scenarioOf(number: number): Scenario {
  const random = randomFrom(seed + number);
  const transport = random.percent(76)
    ? 'streamable-http'
    : random.pick<Scenario['transport']>(['sse', 'sse', 'stdio', 'stdio', 'tls']);
  // A child is not started beside the secret of another target.
  const others = transport === 'stdio' ? {} : { OTHER: madeUpSecret(random) };
  const secrets = { TOKEN: madeUpSecret(random), API_KEY: madeUpSecret(random), ...others };
  const known = Object.values(secrets) as [string, ...string[]];
  // The address of the webhook is one, too; no server was ever sent it.
  const hook = Array.from({ length: 24 }, () => letters[random.below(letters.length)]).join('');
  const possible = places.filter((place) => place.over.includes(transport === 'tls' ? 'streamable-http' : transport));
  const echoes = Array.from({ length: 1 + random.below(4) }, () => {
    const [how, wrap] = random.pick(ways);
    const secret = random.percent(60) ? secrets.TOKEN : random.pick(known);
    const around = random.percent(25) ? 'x'.repeat(random.below(230)) : '';
    return { place: random.pick(possible as [Place, ...Place[]]), how, text: `${around}${wrap(secret)}` };
  });
  return {
    number,
    transport,
    secrets: { ...secrets, HOOK: hook },
    echoes,
    isRecordedHealthy: random.percent(65),
    then: random.pick<Scenario['then']>([
      'accept',
      'accept',
      'update',
      'update',
      'doctor',
      'probe',
      'nothing',
      'nothing',
    ]),
    isStateless: transport === 'streamable-http' && random.percent(10),
  };
}

/** As registrars hand them out, and some with every character that a header may carry. */
function madeUpSecret(random: SeededRandom): string {
  const alphabet = random.percent(60) ? letters : letters + marks;
  return Array.from({ length: 16 + random.below(40) }, () => alphabet[random.below(alphabet.length)]).join('');
}
