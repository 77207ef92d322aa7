/** Long enough for a secret, and like nothing that a server says. */
const placeholder = 'a-value-of-a-rehearsal';

const isGiven = (name: string | symbol): boolean => typeof name === 'string' && !/proxy$/i.test(name);

/**
 * An environment in which every variable is set, but for those of proxies: a rehearsal reaches nobody, so that it needs no
 * secret, and must not hold one.
 */
export const rehearsalEnvironment = (): Readonly<Record<string, string | undefined>> =>
  new Proxy<Record<string, string>>(
    {},
    {
      get: (_, name) => (isGiven(name) ? placeholder : undefined),
      has: (_, name) => isGiven(name),
      getOwnPropertyDescriptor: (_, name) =>
        isGiven(name) ? { value: placeholder, enumerable: true, configurable: true } : undefined,
    },
  );
