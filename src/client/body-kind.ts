/** The media type alone, in lower case. */
export function mediaTypeOf(contentType: string | null): string | null {
  const type = (contentType ?? '').split(/[;,]/, 1)[0]?.trim().toLowerCase() ?? '';
  return type === '' ? null : type;
}

/** JSON, or a type that is built on it. */
export const isJsonType = (type: string): boolean =>
  type === 'application/json' || /^[\w.+-]+\/[\w.+-]+\+json$/.test(type);

/** What begins like a page, after blanks, comments and an XML prologue, whatever its label. */
export const beginsLikeHtml = (text: string): boolean =>
  /^\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--[\s\S]{0,1000}?-->\s*)*<(?:!doctype\s+html|html|head|body|title|meta|script|style|div|p|h1|center|iframe|table)\b/i.test(
    text,
  );

export const beginsLikeEvents = (text: string): boolean => /^(?:(?:data|event|id|retry)(?:[:\r\n]|$)|:)/.test(text);
