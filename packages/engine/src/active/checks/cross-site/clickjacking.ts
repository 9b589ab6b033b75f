import type { PageForm } from '../../../crawl/effect/page-form.ts';
import type { InventoryItem } from '../../../crawl/inventory/inventory.ts';
import { readPage } from '../../../crawl/readers/read-page.ts';
import { requestOf } from '../../../crawl/requests/write-request.ts';
import { headerOf } from '../../../http/exchange/headers.ts';
import { isSame } from '../../../oracle/compare.ts';
import { compareAll, isGiven, textOf } from '../../../oracle/private-content.ts';
import { defineSiteCheck, type Known, type Site } from '../../define-active-check.ts';
import type { Observation } from '../../experiment.ts';
import { freshly, readsOnly } from '../../shared/accounts.ts';

/** Pages on which users change their own data. */
const SENSITIVE =
  /account|settings?|profile|preferences|options|security|password|mail|payment|transfer|billing|address/i;
const HARMLESS = /search|find|log-?(?:in|out)|sign-?(?:in|out)/i;
const MOST_PAGES = 8;

function pagesAt({ origin }: Site, { inventory }: Known): InventoryItem[] {
  return inventory
    .filter(
      (item) =>
        item.url.startsWith(`${origin}/`) &&
        item.method === 'GET' &&
        item.seenAs !== null &&
        readsOnly(item) &&
        /html/i.test(item.contentType) &&
        SENSITIVE.test(new URL(item.url).pathname),
    )
    .slice(0, MOST_PAGES);
}

const isFrameable = ({ response }: Pick<Observation, 'response'>) => {
  const header = (name: string) => headerOf(response?.headers ?? [], name) ?? '';
  return header('x-frame-options').trim() === '' && !/frame-ancestors/i.test(header('content-security-policy'));
};

const changes = ({ method, action, fields }: PageForm) =>
  method === 'POST' && !HARMLESS.test(new URL(action).pathname) && fields.some(({ type }) => type !== 'hidden');
const offersChange = (exchange: Pick<Observation, 'request' | 'response'>) =>
  readPage(textOf(exchange), exchange.request.url).forms.some(changes);

export default defineSiteCheck({
  id: 'clickjacking',
  title: 'Clickjacking: page can be framed by any site',
  cwe: 1021,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:U/C:N/I:L/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:A/VC:N/VI:L/VA:N/SC:N/SI:N/SA:N',
  impact:
    'An attacker makes a logged-in visitor of a malicious page click buttons of this page without noticing, such as one that changes settings.',
  why: 'The page lets users change their account and sends neither X-Frame-Options nor the CSP directive frame-ancestors. An attacker loads it in an invisible frame and redirects the clicks of a logged-in visitor to its buttons. The session cookie is sent in cross-site frames as well: the framed response showed the account.',
  fix: "Send Content-Security-Policy: frame-ancestors 'none' (or 'self') with every page. Set SameSite=Lax or Strict on the session cookie.",
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Clickjacking_Defense_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/11-Client-side_Testing/09-Testing_for_Clickjacking',
    'https://cwe.mitre.org/data/definitions/1021.html',
  ],
  risk: 'harmless',
  appliesTo: (site, known) => pagesAt(site, known).length > 0,
  variants: [] as InventoryItem[],
  async probe(site, _nonce, { ask, known }) {
    for (const item of pagesAt(site, known)) {
      const exchange = await ask(freshly(requestOf(item)), item.seenAs);
      if (exchange.response?.status === 200 && isFrameable(exchange) && offersChange(exchange)) return [item];
    }
    return [];
  },
  maxRequests: 16,
  placeOf: (_site, { url }) => url,
  proof: {
    plan(_site, item) {
      const request = freshly(requestOf(item));
      return {
        account: { label: 'as the account, on the site itself', request, as: item.seenAs, isControl: true },
        // SameSite decides which cookies a framed request carries.
        framed: {
          label: "request from a cross-site frame, with the account's cookies",
          request,
          as: item.seenAs,
          session: { showing: { isCrossSite: true } },
          shows: 'it has neither X-Frame-Options nor frame-ancestors',
        },
        nobody: { label: 'same request without cookies', request, as: null, isControl: true },
      };
    },
    judge(answers) {
      const compared = compareAll(answers);
      if (!compared) return 'VOID';
      const { account, framed, nobody } = compared;
      const isTheirs = isGiven(framed) && isSame(framed, account) && !isSame(framed, nobody);
      // LIKELY only: whether a victim can be tricked into clicking is not tested.
      return isTheirs && isFrameable(answers.framed) && offersChange(answers.framed) ? 'LIKELY' : 'REFUTED';
    },
  },
  lab() {
    const form = '<form method="post" action="/email"><input name="email"><button>Change</button></form>';
    const answer = (attributes: string) => {
      return ({ headers, account }: { headers: Readonly<Record<string, string>>; account: string | null }) => {
        const who = account ?? /sid=(\w+)/.exec(headers.cookie ?? '')?.[1];
        if (who === undefined) return { status: 401, body: 'Log in first' };
        const cookie = { 'set-cookie': `sid=${who}; Path=/; ${attributes}`, 'content-type': 'text/html' };
        return { headers: cookie, body: `<h1>Settings of ${who}</h1>${form}` };
      };
    };
    return {
      item: { method: 'GET', url: '/settings', parameters: [], seenAs: 'alice', contentType: 'text/html' },
      confidence: 'FIRM',
      vulnerable: answer('SameSite=None; Secure'),
      // Can be framed too, but then shows no account.
      safe: answer('SameSite=Lax'),
    };
  },
});
