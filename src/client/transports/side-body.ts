import type { TargetLimits } from '../../limits.ts';
import { limits } from '../../limits.ts';
import type { Clock, FetchResponse } from '../../ports.ts';
import type { RpcError } from '../../protocol/exchange.ts';
import { findError } from '../../protocol/json-rpc.ts';
import type { BodyReading } from '../body-text.ts';
import type { ExchangeControl } from '../exchange-control.ts';
import { readBody } from '../read-body.ts';

/**
 * Reads a body that is not our answer and only adds to what the status says: an error page, the reply to a notification. So
 * it gets little room and is not waited for long.
 */
export async function readSideBody(
  response: FetchResponse,
  exchange: ExchangeControl,
  ceilings: TargetLimits,
  clock: Clock,
): Promise<{ readonly reading: BodyReading; readonly error: RpcError | null }> {
  let error: RpcError | null = null;
  const stop = clock.after(limits.sideBodyMs, () => exchange.abort());
  const reading = await readBody(response, {
    ceilings: { ...ceilings, bodyBytes: limits.sideBodyBytes },
    clock,
    take: (value) => {
      error ??= findError(value);
      return error !== null;
    },
    isAnswer: (value) => findError(value) !== null,
    abandon: () => exchange.abort(),
  });
  stop();
  return { reading, error };
}
