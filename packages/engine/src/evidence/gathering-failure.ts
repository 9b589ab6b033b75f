import type { SendFailure } from '../http/exchange/exchange.ts';
import type { StopSending } from '../http/exchange/sender.ts';

/** Why the main page could not be loaded. */
export interface GatheringFailure {
  code: 'TARGET_REFUSED' | 'TARGET_UNREACHABLE' | 'TARGET_TIMEOUT' | 'TLS_FAILED' | 'TARGET_BLOCKED' | 'NOT_GATHERED';
  /** What happened and what to do next. */
  message: string;
}

const MAX_REASON = 500;

const codes: Record<SendFailure['code'] | StopSending['reason'], GatheringFailure['code']> = {
  REFUSED: 'TARGET_REFUSED',
  UNREACHABLE: 'TARGET_UNREACHABLE',
  TIMEOUT: 'TARGET_TIMEOUT',
  TLS: 'TLS_FAILED',
  PROTOCOL: 'NOT_GATHERED',
  TOO_LARGE: 'NOT_GATHERED',
  requests: 'NOT_GATHERED',
  bytes: 'NOT_GATHERED',
  time: 'TARGET_TIMEOUT',
  unreachable: 'TARGET_UNREACHABLE',
  window: 'TARGET_REFUSED',
};

const nextSteps: Record<GatheringFailure['code'], string> = {
  TARGET_REFUSED:
    'Scan a URL that does not resolve or redirect there, or ask the operator of this service to allow it.',
  TARGET_UNREACHABLE:
    'Check the name and the port, and that the site accepts connections from the Internet; then scan again.',
  TARGET_TIMEOUT: 'Check that the site responds in time and that no firewall drops the requests; then scan again.',
  TLS_FAILED: 'Check that this port serves https under this name, or scan the http URL.',
  TARGET_BLOCKED:
    'Allow requests with the header X-Sortie-Run in the WAF or bot protection, or scan again later and less often.',
  NOT_GATHERED: 'Scan a URL that shows a page in a browser without a login.',
};

/** Next steps for a scan that runs on the user's own machine. */
const nextStepsHere: Partial<typeof nextSteps> = {
  TARGET_REFUSED: 'Scan a URL that does not resolve or redirect there.',
  TARGET_UNREACHABLE:
    'Check the name and the port, and that the site can be reached from this machine; then scan again.',
};

/** Rewords the failure for a scan that runs on the user's own machine. */
export function toFailureHere({ code, message }: GatheringFailure): GatheringFailure {
  return { code, message: message.replace(nextSteps[code], nextStepsHere[code] ?? nextSteps[code]) };
}

/** Returns why a site could not be scanned, with what to do about it. */
export function toGatheringFailure({ why, message }: { why: keyof typeof codes; message: string }): GatheringFailure {
  const code = codes[why];
  return { code, message: `${sentence(message)} ${nextSteps[code]}` };
}

/** Returns the failure of a scan that the site has blocked. */
export function blocked(message: string): GatheringFailure {
  return { code: 'TARGET_BLOCKED', message: `${sentence(message)} ${nextSteps.TARGET_BLOCKED}` };
}

export function notGathered(message: string, next = nextSteps.NOT_GATHERED): GatheringFailure {
  return { code: 'NOT_GATHERED', message: `${sentence(message)} ${next}` };
}

function sentence(text: string): string {
  const cut = text.slice(0, MAX_REASON).trim();
  return /[.!?]$/.test(cut) ? cut : `${cut}.`;
}
