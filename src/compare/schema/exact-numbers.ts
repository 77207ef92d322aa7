/** Arithmetic on JSON numbers as they are written: 0.3 is a multiple of 0.1, and 2^53 + 1 is not 2^53. */
export type Numeric = number | bigint;

export const isNumeric = (value: unknown): value is Numeric =>
  typeof value === 'bigint' || (typeof value === 'number' && Number.isFinite(value));

/** Below 0: a is less; JavaScript compares number and bigint by value. */
export const compareNumeric = (a: Numeric, b: Numeric): number => (a < b ? -1 : a > b ? 1 : 0);

interface Decimal {
  readonly digits: bigint;
  /** The value is digits / 10^scale. */
  readonly scale: number;
}

function toDecimal(value: Numeric): Decimal {
  if (typeof value === 'bigint') return { digits: value, scale: 0 };
  const [mantissa = '0', exponent = '0'] = String(value).split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  const scale = fraction.length - Number(exponent);
  const digits = BigInt(whole + fraction);
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 };
}

/** Whether `value` is a whole multiple of `step` (which is greater than 0). */
export function isMultipleOf(value: Numeric, step: Numeric): boolean {
  const [a, b] = [toDecimal(value), toDecimal(step)];
  if (b.digits === 0n) return false;
  const scale = Math.max(a.scale, b.scale);
  const lift = ({ digits, scale: own }: Decimal): bigint => digits * 10n ** BigInt(scale - own);
  return lift(a) % lift(b) === 0n;
}

export const isWhole = (value: Numeric): boolean => typeof value === 'bigint' || Number.isInteger(value);

/** The next whole number at or above (`up`), or at or below. */
export const toWhole = (value: Numeric, up: boolean): Numeric =>
  typeof value === 'bigint' ? value : up ? Math.ceil(value) : Math.floor(value);

/** One more or one less, exactly. */
export function neighbour(value: Numeric, up: boolean): Numeric {
  if (typeof value === 'number' && Number.isSafeInteger(value) && Math.abs(value) < Number.MAX_SAFE_INTEGER) {
    return up ? value + 1 : value - 1;
  }
  if (typeof value === 'number' && !Number.isInteger(value)) return up ? Math.ceil(value) : Math.floor(value);
  return BigInt(value) + (up ? 1n : -1n);
}
