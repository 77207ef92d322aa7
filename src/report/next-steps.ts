import type { FailureClass } from '../findings/failure.ts';
import type { Finding } from '../findings/finding.ts';
import { fingerprintPattern, targetIdPattern } from '../findings/identifiers.ts';

/**
 * The command that accepts one finding, ready to be pasted. null where an id has another form than the configuration
 * allows (two files compared by hand): a command is never made of text from elsewhere.
 */
export const acceptCommand = (target: string, id: string): string | null =>
  targetIdPattern.test(target) && fingerprintPattern.test(id)
    ? `mcp-canary accept ${target} --finding ${id} --reason "why"`
    : null;

/** Lines of targets.yaml that set one finding aside; null as above. */
export const waiverLines = ({ rule, fingerprint }: Finding): string | null =>
  fingerprintPattern.test(fingerprint)
    ? `waivers:\n  - { rule: ${rule}, fingerprint: "${fingerprint}", until: YYYY-MM-DD, reason: "why" }`
    : null;

/** What to do about a target that could not be judged, by the class of its failure. */
export const failureAdvice: Readonly<Record<FailureClass, string>> = {
  unreachable:
    'No connection came about. Check the address and whether this machine may reach it; if both are fine, the server is down.',
  timeout:
    'The server took too long. Try again; if it is slow every night, raise the limits of the target within reason.',
  tls: 'The certificate is not trusted, so nothing was sent. See the finding beside it.',
  protocol: 'An answer came that could not be used, so nothing behind it was compared. See the finding or the message.',
  'session-lost':
    'The server forgot the session again and again. Its machines probably do not share sessions; try again later.',
  auth: 'The credentials were refused. Check whether the token has run out, and set its variable anew.',
  blocked:
    'Something in front of the server turned the request away: a bot wall, a firewall or a login page. Ask the registrar to let it pass.',
  'rate-limited': 'The server asks for patience. Lower requestsPerSecond or run at another hour.',
  'server-error': 'The server reports a fault of its own. Try again later and tell the registrar if it lasts.',
  undecodable: 'The body does not match its headers and could not be decoded. A proxy on the way is the usual suspect.',
  'stream-cut':
    'The connection broke off in the middle of an answer. Try again; if it lasts, compare the limits of proxies on the way.',
  'too-large': 'The answer is larger than the limit. See the finding beside it.',
  exited: 'The process did not start or ended too early. Run its command by hand and read what it writes to stderr.',
  refused: 'A guard of the canary refused to send this. The message says which one.',
  internal: 'This is a fault of the canary itself. Please report it with the message.',
  canceled: 'The run was interrupted.',
  recording: 'There is no usable recording to compare with. Run `mcp-canary record` for this target.',
  unstable: 'The two looks saw different answers, so neither can be trusted. Run again in a while.',
};
