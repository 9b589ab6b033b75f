import { isSame } from '../../../oracle/compare.ts';
import { compareAll, isGiven } from '../../../oracle/private-content.ts';
import { type Asking, defineSiteCheck, type Known, type Site } from '../../define-active-check.ts';
import type { PointRequest } from '../../insertion-point.ts';
import { isFunction } from '../../shared/accounts.ts';

/** The refused URL and the header that bypasses the refusal. */
interface Variant {
  url: string;
  header: string;
}

const HEADERS = [
  'X-Forwarded-For',
  'X-Real-IP',
  'X-Client-IP',
  'True-Client-IP',
  'Client-IP',
  'X-Remote-Addr',
  'X-Originating-IP',
  'CF-Connecting-IP',
];
const INSIDE = '127.0.0.1';
/** From a range reserved for documentation. */
const OUTSIDE = '198.51.100.7';
const MOST_PLACES = 6;

/** Administrative URLs come first, because they are the most likely to be restricted by IP address. */
function refusedAt({ origin }: Site, { refused = [] }: Known): string[] {
  const urls = refused.filter(({ as, url }) => as === null && url.startsWith(`${origin}/`)).map(({ url }) => url);
  return [...new Set(urls)].toSorted((a, b) => Number(isFunction(b)) - Number(isFunction(a))).slice(0, MOST_PLACES);
}

const saying = (url: string, headers: readonly string[], address: string): PointRequest => ({
  method: 'GET',
  url,
  headers: headers.map((name) => [name, address] as const),
});

async function headerFor(url: string, { ask }: Asking): Promise<string | undefined> {
  const opens = async (headers: readonly string[]) => {
    const { response } = await ask(saying(url, headers, INSIDE), null);
    return response !== null && isGiven(response);
  };
  if (!(await opens(HEADERS))) return undefined;
  for (const header of HEADERS) if (await opens([header])) return header;
  return undefined;
}

export default defineSiteCheck({
  id: 'ip-spoofing-bypass',
  title: 'Access control bypass: spoofed client IP header is trusted',
  cwe: 290,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N',
  impact: 'An attacker on the internet reads pages that are meant for the internal network only, without an account.',
  asvs: '4.1.3',
  why: 'The target refuses this page to the public, but serves it when a request header such as X-Forwarded-For claims that the client is 127.0.0.1. Any client can send that header, so an attacker reaches the page without logging in. The same header with an external address was still refused.',
  fix: 'Require authentication for internal pages, regardless of the source address. Where an IP allowlist is needed, use the address of the TCP connection, and accept forwarding headers only from your own proxy, which must overwrite them.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Authorization_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/05-Authorization_Testing/02-Testing_for_Bypassing_Authorization_Schema',
    'https://cwe.mitre.org/data/definitions/290.html',
  ],
  risk: 'harmless',
  appliesTo: (site, known) => refusedAt(site, known).length > 0,
  variants: [{ url: '', header: '' }],
  async probe(site, _nonce, asking) {
    const found: Variant[] = [];
    for (const url of refusedAt(site, asking.known)) {
      const header = await headerFor(url, asking);
      if (header !== undefined) found.push({ url, header });
    }
    return found;
  },
  maxRequests: 60,
  placeOf: (_site, { url }) => url,
  proof: {
    plan: (_site, { url, header }, { word }) => ({
      plain: { label: 'without a login', request: { method: 'GET', url }, as: null, isControl: true },
      inside: {
        label: 'same request with the client IP header set to 127.0.0.1',
        request: saying(url, [header], INSIDE),
        as: null,
      },
      outside: {
        label: 'same request with the client IP header set to an external address',
        request: saying(url, [header], OUTSIDE),
        as: null,
        isControl: true,
      },
      elsewhere: {
        label: 'page that does not exist, with the client IP header set to 127.0.0.1',
        request: saying(new URL(word, url).href, [header], INSIDE),
        as: null,
        isControl: true,
      },
    }),
    judge(answers) {
      const compared = compareAll(answers);
      if (!compared) return 'VOID';
      const { plain, inside, outside, elsewhere } = compared;
      const isOpened = isGiven(inside) && !isGiven(plain) && !isGiven(outside);
      return isOpened && !isSame(inside, elsewhere) ? 'PROVED' : 'REFUTED';
    },
  },
  lab() {
    const log = { headers: { 'content-type': 'text/html' }, body: '<h1>Log</h1>12:01 alice logged in' };
    const refused = { status: 403, body: 'Not for you' };
    const answer = (path: string, isInside: boolean) =>
      path === '/admin/log' ? (isInside ? log : refused) : { status: 404, body: 'Nothing here' };
    return {
      item: { method: 'GET', url: '/', parameters: [], seenAs: null, contentType: 'text/html' },
      refused: [{ as: null, url: '/admin/log' }],
      vulnerable: ({ path, headers }) => answer(path, headers['x-real-ip'] === INSIDE),
      // Reads the header but grants no access by it.
      safe: ({ path, headers }) => (headers['x-real-ip'] === INSIDE ? refused : answer(path, false)),
    };
  },
});
