/** Orders texts by code unit, so that every machine agrees; for `sort`. */
export const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
