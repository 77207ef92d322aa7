const width = 100;

/** Breaks a rendered text into lines of about `width` columns at its blanks; a longer word stays whole. */
export function wrapText(text: string, indent: string, hanging: string = indent): readonly string[] {
  const lines: string[] = [];
  let line = indent;
  let isEmpty = true;
  for (const word of text.split(' ')) {
    if (!isEmpty && line.length + 1 + word.length > width) {
      lines.push(line);
      line = hanging;
      isEmpty = true;
    }
    line += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, line];
}
