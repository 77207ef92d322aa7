import { createHash } from 'node:crypto';

/** `sha256:` and 64 hex digits over the UTF-8 bytes of the text. */
export const sha256Of = (text: string): string => `sha256:${createHash('sha256').update(text, 'utf8').digest('hex')}`;
