/** Headers by which walls in front of a server say that it was them who answered. */
const headerMarks: readonly (readonly [name: string, value: RegExp])[] = [
  ['cf-mitigated', /./],
  ['x-amzn-waf-action', /./],
  ['x-vercel-mitigated', /./],
];

/** What their pages hold. Looked for in pages only: a JSON error may speak of captchas, too. */
const pageMarks =
  /cf-chl-|cdn-cgi\/challenge-platform|Just a moment\.\.\.|Attention Required! \| Cloudflare|_Incapsula_Resource|captcha-delivery\.com|px-captcha|awswaf|g-recaptcha|h-captcha|hcaptcha\.com|Pardon Our Interruption|Request unsuccessful\. Incapsula|Access Denied[\s\S]{0,400}errors\.edgesuite\.net|Vercel Security Checkpoint|ddos-guard/i;

/** Whether a wall against bots answered in the server's place, by headers or by the beginning of the page. */
export const isBotWall = (header: (name: string) => string | null, head: string): boolean =>
  headerMarks.some(([name, value]) => value.test(header(name) ?? '')) ||
  (/^[\s\ufeff]*</.test(head) && pageMarks.test(head));
