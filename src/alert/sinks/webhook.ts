import { CanaryError } from '../../errors.ts';
import type { JsonValue } from '../../json/json-value.ts';
import { writeJson } from '../../json/write-json.ts';
import { limits } from '../../limits.ts';
import type { Clock } from '../../ports.ts';
import type { Secret } from '../../text/secret.ts';

const tries = 3;
const mend = 'Check the address in the variable that alerts.webhook names, and whether the service is up.';

/**
 * Posts the document. Its address is a secret and in no message; redirects are not followed. Repeated after a 429, a 5xx
 * or no answer, so the receiver may see it twice.
 * @throws CanaryError `delivery` where it was not taken, `config` where the address cannot be used.
 */
export async function postWebhook(
  address: Secret,
  document: JsonValue,
  {
    fetch,
    clock,
    version,
  }: { readonly fetch: typeof globalThis.fetch; readonly clock: Clock; readonly version: string },
): Promise<void> {
  const url = usableUrl(address);
  const body = writeJson(document, { indent: 0, order: 'kept' });
  for (let round = 1; ; round += 1) {
    const status = await post(url, body, fetch, version);
    if (status !== null && status >= 200 && status < 300) return;
    const isPassing = status === null || status === 429 || status >= 500;
    if (!isPassing || round >= tries) {
      const what = status === null ? 'did not answer' : `answered ${status}`;
      throw new CanaryError('delivery', `The webhook in ${address.source} ${what}.`, mend);
    }
    await clock.sleep(1_000 * 4 ** round);
  }
}

function usableUrl(address: Secret): string {
  const url = URL.canParse(address.reveal()) ? new URL(address.reveal()) : null;
  const isLoopback = url !== null && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (url !== null && (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback))) return url.href;
  throw new CanaryError(
    'config',
    `The variable ${address.source} holds no https address.`,
    'Put the whole address of the webhook into it.',
  );
}

/** The status, or null where no answer came. */
async function post(
  url: string,
  body: string,
  fetch: typeof globalThis.fetch,
  version: string,
): Promise<number | null> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': `mcp-canary/${version}` },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(limits.alertRequestMs),
    });
    await response.body?.cancel();
    return response.status;
  } catch {
    // The platform's error quotes the address.
    return null;
  }
}
