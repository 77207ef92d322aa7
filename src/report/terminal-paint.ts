/** Colours of a terminal; each function leaves a text as it is where colour is off. */
export interface Paint {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
}

const style =
  (isOn: boolean, start: number, end: number) =>
  (text: string): string =>
    isOn && text !== '' ? `\u001b[${start}m${text}\u001b[${end}m` : text;

/** The texts that are painted must be rendered already: a colour of theirs would outlive ours. */
export const createPaint = (isOn: boolean): Paint => ({
  bold: style(isOn, 1, 22),
  dim: style(isOn, 2, 22),
  red: style(isOn, 31, 39),
  green: style(isOn, 32, 39),
  yellow: style(isOn, 33, 39),
});
