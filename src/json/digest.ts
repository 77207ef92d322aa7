import { hash } from 'node:crypto';

/** `sha256:` and 64 hex digits over the UTF-8 bytes of the text. */
export const sha256Of = (text: string): string => `sha256:${hash('sha256', text, 'hex')}`;
