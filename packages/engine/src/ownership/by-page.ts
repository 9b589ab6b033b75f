import { readMetaTags } from '../html/meta-tags.ts';
import type { Headers, TargetResponse } from '../http/exchange/exchange.ts';
import { headerOf, redirectOf } from '../http/exchange/headers.ts';
import { type Sender, StopSending } from '../http/exchange/sender.ts';
import { describeLook, type OwnershipLook, proofPlaces } from '../protocol/ownership-messages.ts';

type Lookups = OwnershipLook['lookUps'];

/** Result of a request to an origin: a page, another response, or no response. */
interface Gotten {
  page: TargetResponse | undefined;
  outcome: 'NOT_FOUND' | 'UNKNOWN';
  seen: string;
  lookUps: Lookups;
}

const FILE_REDIRECTS = 1;
const PAGE_REDIRECTS = 5;
const TOKEN = /^[0-9A-Za-z]{32}$/;

export async function lookForFile(origin: string, token: string, sender: Pick<Sender, 'send'>): Promise<OwnershipLook> {
  const place = `${origin}${proofPlaces.filePath}`;
  const { page, outcome, seen, lookUps } = await getOnOrigin(place, sender, FILE_REDIRECTS);
  const remedy = `Publish a file there that contains only ${token} and needs no login, then check again.`;
  const conclude = (outcome: OwnershipLook['outcome'], seen: string) =>
    describeLook(outcome, { what: `the token ${token}`, place, seen, remedy, lookUps });
  if (!page) return conclude(outcome, seen);
  const content = page.body.toString('utf8').trim();
  if (content === token && !page.isCut) return conclude('FOUND', '');
  const isToken = TOKEN.test(content);
  lookUps.at(-1)?.seen.push(isToken ? `the token ${content}` : 'content other than a token');
  return conclude('NOT_FOUND', isToken ? `the file has another token, ${content}` : 'the file has other content');
}

/** `tagsOf` reads the tags of a page; a caller with several tokens can keep its results. */
export async function lookForTag(
  origin: string,
  token: string,
  sender: Pick<Sender, 'send'>,
  tagsOf = readTags,
): Promise<OwnershipLook> {
  const place = `${origin}/`;
  const tag = `<meta name="${proofPlaces.metaName}" content="${token}">`;
  const { page, outcome, seen, lookUps } = await getOnOrigin(place, sender, PAGE_REDIRECTS);
  const remedy = 'Add the tag to the head of the page that is shown without a login, then check again.';
  const conclude = (outcome: OwnershipLook['outcome'], seen: string) =>
    describeLook(outcome, { what: `the tag ${tag}`, place, seen, remedy, lookUps });
  if (!page) return conclude(outcome, seen);
  if (!isHtml(page.headers)) return conclude('NOT_FOUND', 'the response is not an HTML page');
  const tokens = tagsOf(page);
  lookUps.at(-1)?.seen.push(...describeTokens(tokens));
  // An attacker who can add a second tag may not be able to remove the first one.
  if (new Set(tokens).size > 1) return conclude('NOT_FOUND', 'there are several such tags with different values');
  if (tokens[0] === token) return conclude('FOUND', '');
  return conclude('NOT_FOUND', tokens.length > 0 ? 'the tag has another value' : 'its head has no such tag');
}

export function readTags(page: Pick<TargetResponse, 'body'>): string[] {
  return readMetaTags(page.body.toString('utf8'), proofPlaces.metaName);
}

function describeTokens(tokens: readonly string[]): string[] {
  if (tokens.length === 0) return ['no such tag in the head'];
  return tokens.slice(0, 5).map((token) => (TOKEN.test(token) ? `the token ${token}` : 'a tag without a token'));
}

/** Follows redirects only within the origin: a page on another origin proves nothing about this one. */
async function getOnOrigin(first: string, sender: Pick<Sender, 'send'>, redirects: number): Promise<Gotten> {
  const lookUps: Lookups = [];
  const end = (outcome: Gotten['outcome'], seen: string, page?: TargetResponse) => ({ page, outcome, seen, lookUps });
  let url = new URL(first);
  for (let followed = 0; ; followed++) {
    const { response, failure } = await get(url.href, sender);
    const seen = response ? describeResponse(response) : failure;
    lookUps.push({ place: `GET ${url.href}`.slice(0, 500), seen: [seen.slice(0, 500)] });
    if (!response) return end('UNKNOWN', seen);
    const next = redirectOf(response, url.href);
    if (!next)
      return end(isTrouble(response.status) ? 'UNKNOWN' : 'NOT_FOUND', `the response was ${seen}`, okOnly(response));
    if (next.origin !== url.origin) return end('NOT_FOUND', `it redirects to another origin, ${next.origin}`);
    if (followed === redirects) return end('NOT_FOUND', 'too many redirects');
    next.hash = '';
    url = next;
  }
}

async function get(
  url: string,
  sender: Pick<Sender, 'send'>,
): Promise<{ response: TargetResponse | null; failure: string }> {
  try {
    const { response, failure } = await sender.send({ method: 'GET', url, purpose: 'look' });
    return { response, failure: failure?.message ?? '' };
  } catch (error) {
    if (error instanceof StopSending) return { response: null, failure: error.message };
    throw error;
  }
}

/** The server may be overloaded, perhaps by us; the status says nothing about the token. */
const isTrouble = (status: number) => status === 429 || status >= 500;
const okOnly = (response: TargetResponse) => (response.status === 200 ? response : undefined);

const mediaType = (headers: Headers) => /^[\w.+-]+\/[\w.+-]+/.exec(headerOf(headers, 'content-type') ?? '')?.[0];

const isHtml = (headers: Headers) =>
  ['text/html', 'application/xhtml+xml'].includes(mediaType(headers)?.toLowerCase() ?? '');

function describeResponse({ status, headers, body, isCut }: TargetResponse): string {
  const size = `${isCut ? 'more than ' : ''}${body.length} bytes`;
  return [`status ${status}`, mediaType(headers), size].filter((part) => part !== undefined).join(', ');
}
