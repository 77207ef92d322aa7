import { describe, expect, it } from 'vitest';
import { createExchangeControl } from '../../src/client/exchange-control.ts';

/** What happens at its end, as an exchange and the platform's controller tell it. */
const controls = [
  ['ours', createExchangeControl],
  ['the platform’s', () => new AbortController()],
] as const;

describe.each(controls)('the end of an exchange, by %s control', (_, create) => {
  it('is told once, in order, with the first reason', () => {
    const exchange = create();
    const told: string[] = [];
    exchange.signal.addEventListener('abort', () => told.push(`a ${exchange.signal.reason}`));
    exchange.signal.addEventListener('abort', () => told.push('b'));
    expect(exchange.signal.aborted).toBe(false);
    exchange.abort('enough');
    exchange.abort('again');
    expect(told).toEqual(['a enough', 'b']);
    expect(exchange.signal).toMatchObject({ aborted: true, reason: 'enough' });
  });

  it('is not told to whoever left, before or meanwhile, nor to whoever came too late', () => {
    const exchange = create();
    const told: string[] = [];
    const left = (): void => void told.push('left');
    const leftMeanwhile = (): void => void told.push('left meanwhile');
    exchange.signal.addEventListener('abort', left);
    exchange.signal.removeEventListener('abort', left);
    exchange.signal.addEventListener('abort', () => exchange.signal.removeEventListener('abort', leftMeanwhile));
    exchange.signal.addEventListener('abort', leftMeanwhile);
    exchange.abort();
    exchange.signal.addEventListener('abort', () => told.push('late'));
    expect(told).toEqual([]);
  });

  it('has a reason where none is given', () => {
    const exchange = create();
    exchange.abort();
    expect(exchange.signal.reason).toMatchObject({ name: 'AbortError' });
  });
});
