/** The text with the most rows, of at most `most`, that has no more than `units`; with none where not even one fits. */
export function fitLines(units: number, compose: (rows: number) => string, most: number): string {
  let low = 0;
  let high = most;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (compose(middle).length <= units) low = middle;
    else high = middle - 1;
  }
  return compose(low);
}
