import type { InventoryItem } from '../../../crawl/inventory/inventory.ts';
import { readPage } from '../../../crawl/readers/read-page.ts';
import { requestOf } from '../../../crawl/requests/write-request.ts';
import { headerOf } from '../../../http/exchange/headers.ts';
import { textOf } from '../../../oracle/private-content.ts';
import { defineSiteCheck, type Known, type Site } from '../../define-active-check.ts';
import type { Observation } from '../../experiment.ts';
import type { PointRequest } from '../../insertion-point.ts';
import { readsOnly } from '../../shared/accounts.ts';

const HEADER = 'X-Forwarded-Host';
/** Pages that send links by e-mail. */
const LETTERS = /forg[eo]t|reset|recover|lost|password|invit|activat|confirm|register|sign-?up/i;
const MOST_PAGES = 5;

/** Pages that send e-mail come first, then any page, because links are often built in one place. */
function pagesAt({ origin }: Site, { inventory }: Known): InventoryItem[] {
  const pages = inventory.filter(
    (item) =>
      item.url.startsWith(`${origin}/`) &&
      item.method === 'GET' &&
      item.seenAs === null &&
      readsOnly(item) &&
      /html/i.test(item.contentType),
  );
  const isLetter = ({ url }: InventoryItem) => LETTERS.test(new URL(url).pathname);
  return [...pages.filter(isLetter), ...pages.filter((item) => !isLetter(item)).slice(0, 1)].slice(0, MOST_PAGES);
}

const naming = (item: InventoryItem, header: string, host: string): PointRequest => {
  const request = requestOf(item);
  return { ...request, headers: [...(request.headers ?? []), [header, host]] };
};

/** Returns whether the response links or redirects to the host, or loads a script from it. */
function leadsTo(host: string, exchange: Pick<Observation, 'request' | 'response'>): boolean {
  const { request, response } = exchange;
  const location = headerOf(response?.headers ?? [], 'location') ?? '';
  const { links, scripts } = readPage(textOf(exchange), request.url);
  const urls = [...links, ...scripts].flatMap(({ url }) => url ?? []);
  return [location, ...urls].some((url) => URL.parse(url, request.url)?.hostname === host);
}

export default defineSiteCheck({
  id: 'host-header-injection',
  title: "Host header injection: links point to an attacker's host",
  cwe: 644,
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:H/I:H/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:P/PR:N/UI:A/VC:H/VI:H/VA:N/SC:N/SI:N/SA:N',
  impact: 'An attacker takes over an account whose owner opens a password reset link that the attacker has requested.',
  why: 'The target builds absolute links from the X-Forwarded-Host header of the request. An attacker requests a password reset for a victim with their own host in the header; the link in the email then sends the reset token to the attacker. A shared cache can deliver the poisoned page to every visitor. The page linked to the host from the header, and did not without it.',
  fix: 'Build absolute links from a configured host name. Accept X-Forwarded-Host only from your own proxy, and reject unknown Host values.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/07-Input_Validation_Testing/17-Testing_for_Host_Header_Injection',
    'https://cheatsheetseries.owasp.org/cheatsheets/Forgot_Password_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/644.html',
  ],
  risk: 'harmless',
  needsNoAccount: true,
  appliesTo: (site, known) => pagesAt(site, known).length > 0,
  variants: [] as InventoryItem[],
  /** One page is enough, because links are built in one place. */
  async probe(site, { word }, { ask, known }) {
    const host = `${word}.example`;
    for (const item of pagesAt(site, known)) {
      if (leadsTo(host, await ask(naming(item, HEADER, host)))) return [item];
    }
    return [];
  },
  maxRequests: 12,
  placeOf: (_site, { url }) => url,
  proof: {
    plan: (_site, item, { word }) => ({
      plain: { label: 'the page', request: requestOf(item), isControl: true },
      named: {
        label: 'page with X-Forwarded-Host set to another host',
        request: naming(item, HEADER, `${word}.example`),
      },
      other: {
        label: 'page with the same value in an unrelated header',
        request: naming(item, 'X-Remark', `${word}.example`),
        isControl: true,
      },
    }),
    judge({ plain, named, other }, _item, { word }) {
      const host = `${word}.example`;
      const isLed = leadsTo(host, named) && ![plain, other].some((each) => leadsTo(host, each));
      // LIKELY only: whether other users receive such a link is not tested.
      return isLed ? 'LIKELY' : 'REFUTED';
    },
  },
  lab() {
    const page = (host: string) => ({
      headers: { 'content-type': 'text/html' },
      body: `<p>We have written to you: <a href="https://${host}/new?token=1">a new password</a></p>`,
    });
    return {
      item: { method: 'GET', url: '/forgotten', parameters: [], seenAs: null, contentType: 'text/html' },
      confidence: 'FIRM',
      vulnerable: ({ headers }) => page(headers['x-forwarded-host'] ?? 'shop.test'),
      safe: () => page('shop.test'),
    };
  },
});
