import { getDomain } from 'tldts';
import type { Exchange, Headers, TargetResponse } from '../../http/exchange/exchange.ts';
import { headerOf } from '../../http/exchange/headers.ts';
import { type Sender, StopSending } from '../../http/exchange/sender.ts';
import { isBlocked, isFirewallPage } from '../blocked.ts';
import { blocked, type GatheringFailure, notGathered, toGatheringFailure } from '../gathering-failure.ts';

export interface Hop {
  url: string;
  status: number;
  /** As sent, including duplicates. */
  headers: Headers;
  /** Beginning of a redirect's body, if it has one. */
  redirectBody?: string;
}

/** The page at the scanned URL and the redirects that led to it. */
export interface MainPage {
  hops: readonly Hop[];
  /** Body of the last hop, up to a million characters, including a byte order mark. */
  body: string;
  isCut: boolean;
  /** ISO 8601. Expiry of cookies and certificates is judged at this time. */
  gatheredAt: string;
}

const MAX_BODY_CHARACTERS = 1_000_000;
const MAX_REDIRECT_CHARACTERS = 20_000;
const MAX_SHOWN = 200;
export const PAGE_HEADERS: Headers = [['accept', 'text/html,*/*;q=0.8']];
/**
 * Half of what browsers follow. A long redirect chain is worth a finding; one that is longer than this ends the scan.
 */
export const MOST_HOPS = 10;

/** Resolves to the main page with the redirects that lead to it, or to why there is none. */
export async function gatherMainPage(
  sender: Pick<Sender, 'follow'>,
  url: string,
): Promise<MainPage | GatheringFailure> {
  try {
    return toMainPage(
      url,
      await sender.follow({ method: 'GET', url, headers: PAGE_HEADERS, purpose: 'look' }, MOST_HOPS),
    );
  } catch (error) {
    if (!(error instanceof StopSending)) throw error;
    return toGatheringFailure({ why: error.reason, message: error.message });
  }
}

function toMainPage(url: string, exchanges: readonly Exchange[]): MainPage | GatheringFailure {
  const last = exchanges.at(-1);
  if (!last) return notGathered('The site sent no response.');
  if (last.failure) return toGatheringFailure({ why: last.failure.code, message: last.failure.message });
  const end = last.request.url;
  // A redirect to another owner's site says nothing about this one.
  if (siteOf(end) !== siteOf(url)) {
    return notGathered(`The URL redirects to another site, ${show(end)}`, 'Scan that URL to assess the other site.');
  }
  if (!last.response) return notGathered('The site sent no response.');
  const { status } = last.response;
  const page = bodyOf(last.response);
  if (isBlocked(last.response) || isFirewallPage(status, page.body))
    return blocked(`${show(end)} blocked this scan with status ${status}`);
  if (status >= 300 && status < 400) {
    return notGathered(`${show(end)} returned a redirect loop or a redirect without a valid target`);
  }
  if (!isScannable(status)) return notGathered(`${show(end)} returned status ${status} instead of a page`);
  return { hops: exchanges.flatMap(toHop), ...page, gatheredAt: new Date().toISOString() };
}

/**
 * Login and permission pages describe a site as well as any other. Other error pages may not come from the site itself.
 */
const isScannable = (status: number) => (status >= 200 && status < 300) || status === 401 || status === 403;

export function toHop({ request, response }: Exchange): Hop[] {
  if (!response) return [];
  const { status, headers } = response;
  const isRedirect = status >= 300 && status < 400;
  const redirectBody = isRedirect ? bodyOf(response).body.slice(0, MAX_REDIRECT_CHARACTERS) : '';
  return [{ url: request.url, status, headers, ...(redirectBody && { redirectBody }) }];
}

/** Returns the registrable domain, or the customer's subdomain on a shared hosting domain. */
export function siteOf(url: string): string {
  const { hostname } = new URL(url);
  return getDomain(hostname, { allowPrivateDomains: true }) ?? hostname;
}

const show = (url: string) => (url.length > MAX_SHOWN ? `${url.slice(0, MAX_SHOWN)}…` : url);

function bodyOf({ headers, body, isCut }: TargetResponse): Pick<MainPage, 'body' | 'isCut'> {
  const charset = /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(headerOf(headers, 'content-type') ?? '')?.[1];
  const text = decoderFor(markOf(body) ?? charset).decode(body);
  return { body: text.slice(0, MAX_BODY_CHARACTERS), isCut: isCut || text.length > MAX_BODY_CHARACTERS };
}

/** A byte order mark takes precedence over the headers. */
function markOf(body: Buffer): string | undefined {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return 'utf-8';
  if (body[0] === 0xfe && body[1] === 0xff) return 'utf-16be';
  return body[0] === 0xff && body[1] === 0xfe ? 'utf-16le' : undefined;
}

function decoderFor(charset = 'utf-8') {
  try {
    return new TextDecoder(charset, { ignoreBOM: true });
  } catch {
    return new TextDecoder('utf-8', { ignoreBOM: true });
  }
}
