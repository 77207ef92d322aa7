import { inspect } from 'node:util';

/**
 * A secret value that does not print, stringify or inspect. Only the code that sends it or looks for it reveals it.
 */
export class Secret {
  readonly #value: string;
  /** Where it came from: the name of an environment variable. */
  readonly source: string;

  constructor(value: string, source: string) {
    this.#value = value;
    this.source = source;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return `[secret ${this.source}]`;
  }

  toJSON(): string {
    return this.toString();
  }

  [inspect.custom](): string {
    return this.toString();
  }
}
