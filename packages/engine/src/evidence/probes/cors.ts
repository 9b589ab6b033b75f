import { randomBytes } from 'node:crypto';
import type { Headers } from '../../http/exchange/exchange.ts';
import { headerValues } from '../../http/exchange/headers.ts';
import type { Sender } from '../../http/exchange/sender.ts';
import { isBlocked } from '../blocked.ts';
import { isMissing, type Missing } from '../missing.ts';
import { ask, BLOCKED, type ProbeAnswer } from './ask.ts';

type Kind = 'foreign' | 'null' | 'plain' | 'preflight';

/** Response to a cross-origin request. */
export interface CrossOriginAnswer {
  /** `foreign`: an unknown site; `null`: a sandboxed frame or a file; `plain`: the site's own host over HTTP. */
  kind: Kind;
  origin: string;
  url: string;
  status: number;
  headers: Headers;
}

/** Sends one request per kind. `plain` is left out for an HTTP page, which has no insecure twin. */
export async function gatherCors(
  sender: Pick<Sender, 'send'>,
  page: string,
  nonce = randomBytes(8).toString('hex'),
): Promise<readonly CrossOriginAnswer[] | Missing> {
  const { protocol, hostname } = new URL(page);
  const foreign = `https://${nonce}.example`;
  const origins: [Kind, string][] = [
    ['foreign', foreign],
    ['null', 'null'],
    ['preflight', foreign],
  ];
  if (protocol === 'https:') origins.push(['plain', `http://${hostname}`]);
  const answers = await Promise.all(
    origins.map(async ([kind, origin]) => ({ kind, origin, answer: await ask(sender, question(page, kind, origin)) })),
  );
  const missing = answers.map(({ answer }) => answer).find(isMissing);
  if (missing) return missing;
  const seen = answers.map(({ kind, origin, answer }) => toSeen(kind, origin, answer as ProbeAnswer));
  return seen.some(isBlocked) ? { missing: BLOCKED } : seen;
}

function question(url: string, kind: Kind, origin: string) {
  if (kind !== 'preflight') return { method: 'GET', url, headers: [['origin', origin]] as const };
  const headers = [
    ['origin', origin],
    ['access-control-request-method', 'PUT'],
  ] as const;
  return { method: 'OPTIONS', url, headers };
}

const toSeen = (kind: Kind, origin: string, { url, status, headers }: ProbeAnswer): CrossOriginAnswer => ({
  kind,
  origin,
  url,
  status,
  headers,
});

/** Returns the allowed origin. Browsers reject a response with two values. */
export function allowedOrigin({ headers }: CrossOriginAnswer): string | undefined {
  const [value, ...others] = headerValues(headers, 'access-control-allow-origin');
  return others.length === 0 ? value?.trim() : undefined;
}

/** Browsers accept only this spelling. */
export const allowsCredentials = ({ headers }: CrossOriginAnswer) =>
  headerValues(headers, 'access-control-allow-credentials').join() === 'true';

/** Formats the exchange for a finding's evidence. */
export function corsLines({ kind, origin, headers }: CrossOriginAnswer): string {
  const sent = headers.filter(([name]) => /^(access-control-|vary$)/i.test(name));
  const asked = `${kind === 'preflight' ? 'OPTIONS' : 'GET'} with Origin: ${origin}`;
  return [asked, ...sent.map(([name, value]) => `${name.toLowerCase()}: ${value}`)].join('\n');
}
