/** Each target has a loopback address, and so an origin, of its own. */
export const addressOf = (n) => `127.${1 + (n >> 16)}.${(n >> 8) & 255}.${n & 255}`;
