import { limits } from '../../limits.ts';
import type { FetchResponse } from '../../ports.ts';
import { Secret } from '../../text/secret.ts';

/**
 * The session of one client over HTTP: its id (spec 2025-03-26 on, "Session Management"), the revision that was settled
 * on, and what the server gave us that nobody else may see.
 */
export class HttpSession {
  #id: string | null = null;
  #revision: string | null = null;
  #state: 'none' | 'issued' | 'invalid' = 'none';
  readonly #secrets: Secret[] = [];

  /** null: none was issued, or no legal one. */
  get id(): string | null {
    return this.#id;
  }

  /** The negotiated revision; null before the handshake and in the stateless era. */
  get revision(): string | null {
    return this.#revision;
  }

  get state(): 'none' | 'issued' | 'invalid' {
    return this.#state;
  }

  get secrets(): readonly Secret[] {
    return this.#secrets;
  }

  settle(revision: string): void {
    this.#revision = revision;
  }

  /** Takes the id over, as far as it is visible ASCII; another one is never sent back. */
  adopt(id: string): void {
    const isLegal = /^[\x21-\x7e]+$/.test(id);
    this.#state = isLegal ? 'issued' : 'invalid';
    this.#id = isLegal ? id : null;
    this.#keepSecret(id, 'session id');
  }

  drop(): void {
    this.#id = null;
    this.#state = 'none';
  }

  /** Cookies are never sent back, but an answer may repeat them. */
  keepCookies(headers: FetchResponse['headers']): void {
    for (const cookie of (headers.get('set-cookie') ?? '').matchAll(/(?:^|,\s*)[^=;,\s]+=([^;,]*)/g)) {
      this.#keepSecret(cookie[1] ?? '', 'cookie');
    }
  }

  #keepSecret(value: string, source: string): void {
    if (value.length < limits.secretCharacters || this.#secrets.some((known) => known.reveal() === value)) return;
    this.#secrets.push(new Secret(value, source));
  }
}
