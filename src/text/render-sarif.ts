import { escapeInvisible } from './escape-invisible.ts';

/**
 * Text from outside as the plain text of a SARIF message. Brackets would make an embedded link (SARIF 2.1.0, 3.11.6) and
 * braces a placeholder (3.11.5). Backslashes in front of a bracket are doubled, or they would take its escape away.
 */
export const renderSarifText = (text: string): string =>
  escapeInvisible(text)
    .replace(/(\\*)([[\]])/g, '$1$1\\$2')
    .replace(/[{}]/g, '$&$&');
