/**
 * Waits for one turn of the event loop: what thousands of targets take is done in parts, so that checks and readers who
 * ask meanwhile are answered in between. Awaiting a store that answers at once lets nobody in.
 */
export const letOthersIn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
