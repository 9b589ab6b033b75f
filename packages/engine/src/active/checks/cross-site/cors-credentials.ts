import { CALLBACK } from '../../../browser/visit.ts';
import type { InventoryItem } from '../../../crawl/inventory/inventory.ts';
import { requestOf } from '../../../crawl/requests/write-request.ts';
import type { Exchange } from '../../../http/exchange/exchange.ts';
import { headerOf } from '../../../http/exchange/headers.ts';
import { isSame } from '../../../oracle/compare.ts';
import { compareAll, isGiven, privateKeysOf, shows } from '../../../oracle/private-content.ts';
import { type Asking, defineSiteCheck, type Known, type Site } from '../../define-active-check.ts';
import { ifPossible, type Nonce } from '../../experiment.ts';
import type { PointRequest } from '../../insertion-point.ts';
import { freshly, marksOf, readsOnly } from '../../shared/accounts.ts';

/** Kinds of foreign origins. */
const WAYS = ['stranger', 'null', 'below a stranger', 'ends alike', 'ends like a partner'] as const;
type Way = (typeof WAYS)[number];

interface Variant {
  way: Way;
  item?: InventoryItem;
  /** Another site that this one links to and may trust. */
  partner?: string | undefined;
}

const MOST_READ = 100;

/** Reports the beginning of the response it could read. */
function readingPage(url: string, word: string): string {
  return `<script>${reading(url, word, `${CALLBACK}(text)`)}</script>`;
}

/** Same from a sandboxed frame with an opaque origin: it posts the text to the page, which reports it. */
function namelessPage(url: string, word: string): string {
  const frame = `<script>${reading(url, word, "parent.postMessage(text, '*')")}</script>`;
  return `<iframe id="frame" sandbox="allow-scripts"></iframe><script>
    addEventListener('message', ({ data }) => ${CALLBACK}(data));
    document.getElementById('frame').srcdoc = ${JSON.stringify(frame).replaceAll('<', '\\u003c')};
  </script>`;
}

const reading = (url: string, word: string, tell: string) => `
    const asking = new XMLHttpRequest();
    asking.withCredentials = true;
    asking.onload = () => {
      const text = '${word}' + asking.responseText.slice(0, ${MOST_READ});
      ${tell};
    };
    asking.open('GET', ${JSON.stringify(url).replaceAll('<', '\\u003c')});
    asking.send();`;

/** Endpoints whose responses depend on Origin, plus a few others. */
const MOST_ITEMS = 12;
const MOST_WITHOUT_HINT = 3;

function foreignOrigin({ way, partner = '' }: Variant, url: string, { word }: Pick<Nonce, 'word'>): string {
  const { protocol, hostname } = new URL(url);
  const origins: Record<Way, string> = {
    stranger: `${protocol}//${word}.example`,
    null: 'null',
    'below a stranger': `${protocol}//${hostname}.${word}.example`,
    'ends alike': `${protocol}//${word}${hostname}`,
    'ends like a partner': `${protocol}//${word}${partner}`,
  };
  return origins[way];
}

/** API endpoints come before pages, which are rarely meant for other sites. */
function candidatesAt({ origin }: Site, { inventory }: Known): InventoryItem[] {
  const items = inventory.filter(
    (item) => item.url.startsWith(`${origin}/`) && item.method === 'GET' && item.seenAs !== null && readsOnly(item),
  );
  const isHinted = (item: InventoryItem) => item.hints?.includes('origin') ?? false;
  const others = items
    .filter((item) => !isHinted(item))
    .toSorted((a, b) => Number(/html/i.test(a.contentType)) - Number(/html/i.test(b.contentType)));
  return [...items.filter(isHinted).slice(0, MOST_ITEMS), ...others.slice(0, MOST_WITHOUT_HINT)];
}

/** Returns another host that appears in parameter values. */
function partnerOf({ origin }: Site, { inventory }: Known): string | undefined {
  const values = inventory.flatMap(({ parameters }) => parameters.map(({ value }) => value));
  const hosts = values.filter((value) => /^https?:/.test(value)).map((value) => URL.parse(value)?.hostname ?? '');
  return hosts.find((host) => host.includes('.') && host !== new URL(origin).hostname);
}

function fromElsewhere(item: InventoryItem, origin: string): PointRequest {
  const request = freshly(requestOf(item));
  return { ...request, headers: [...(request.headers ?? []), ['Origin', origin]] };
}

/** Returns whether a browser lets a page of that origin read the response to a request with credentials. */
function mayRead({ response }: Pick<Exchange, 'response'>, origin: string): boolean {
  const header = (name: string) => headerOf(response?.headers ?? [], name)?.trim();
  return header('access-control-allow-origin') === origin && header('access-control-allow-credentials') === 'true';
}

/** Resolves to the first readable endpoint for each kind of foreign origin. */
async function findAll(site: Site, ways: readonly Way[], nonce: Nonce, asking: Asking): Promise<Variant[]> {
  const found = new Map<Way, Variant>();
  const partner = partnerOf(site, asking.known);
  for (const item of candidatesAt(site, asking.known)) {
    // Without credentials the account has nothing that another site could use.
    if ((await asking.credentialsOf(item.seenAs ?? '', item.url)).length === 0) continue;
    for (const way of ways.filter((each) => mayBeSent(each, item, partner))) {
      const variant = { way, item, partner };
      const origin = foreignOrigin(variant, item.url, nonce);
      const exchange = await asking.ask(fromElsewhere(item, origin), item.seenAs);
      const isReadable = mayRead(exchange, origin);
      if (isReadable && !found.has(way)) found.set(way, variant);
      if (isReadable) break;
    }
  }
  return [...found.values()];
}

const mayBeSent = (way: Way, { url }: InventoryItem, partner: string | undefined) =>
  way === 'ends like a partner' ? partner !== undefined : way !== 'ends alike' || /[a-z]$/i.test(new URL(url).hostname);

export default defineSiteCheck({
  id: 'cors-credentials',
  title: 'CORS misconfiguration: foreign sites can read account data',
  cwe: 942,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:U/C:H/I:N/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:P/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N',
  impact: 'An attacker reads the data of every logged-in user who visits a malicious page.',
  why: "The target allows foreign origins to send requests with the visitor's cookies and to read the response. An attacker who lures a logged-in user to a malicious page reads their data. The response to a foreign origin contained the account's data, together with Access-Control-Allow-Credentials: true.",
  fix: 'Compare the Origin header with an allowlist of complete origins (no prefix, suffix or substring match), and do not allow null. Send Access-Control-Allow-Credentials only where it is needed. Set SameSite=Lax or Strict on session cookies.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/HTML5_Security_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/11-Client-side_Testing/07-Testing_Cross_Origin_Resource_Sharing',
    'https://cwe.mitre.org/data/definitions/942.html',
  ],
  risk: 'harmless',
  needsBrowser: 'if possible',
  appliesTo: (site, known) => candidatesAt(site, known).length > 0,
  variants: WAYS.map((way): Variant => ({ way })),
  probe: (site, nonce, asking) => findAll(site, WAYS, nonce, asking),
  maxRequests: 120,
  placeOf: ({ origin }, { item }) => item?.url ?? origin,
  proof: {
    plan(_site, variant, nonce) {
      const { way, item } = variant;
      if (!item) return undefined;
      const origin = foreignOrigin(variant, item.url, nonce);
      const request = fromElsewhere(item, origin);
      const isNameless = way === 'null';
      const page = isNameless ? `${new URL(item.url).protocol}//${nonce.word}.example` : origin;
      const html = (isNameless ? namelessPage : readingPage)(item.url, nonce.word);
      const browser = { fromPage: { url: `${page}/`, html }, awaited: nonce.word };
      return {
        account: {
          label: 'as the account, on the site itself',
          request: freshly(requestOf(item)),
          as: item.seenAs,
          isControl: true,
        },
        // SameSite decides which cookies are sent; tokens that scripts add are not.
        foreign: {
          label: "cross-origin request with the account's cookies",
          request,
          as: item.seenAs,
          session: { showing: { isCrossSite: true } },
        },
        nobody: { label: 'same request without cookies', request, as: null, isControl: true },
        read: ifPossible({
          label: 'page of another origin that reads the response, in a browser',
          request,
          as: item.seenAs,
          browser,
        }),
      };
    },
    judge({ read, ...answers }, variant, nonce, _site, facts) {
      const { item } = variant;
      const compared = compareAll(answers);
      if (!compared || !item) return 'VOID';
      const { account, foreign, nobody } = compared;
      if (!isGiven(account)) return 'VOID';
      if (!mayRead(answers.foreign, foreignOrigin(variant, item.url, nonce))) return 'REFUTED';
      const marks = marksOf(facts, item.seenAs).filter(
        (mark) => shows(foreign.text, mark) && !shows(nobody.text, mark),
      );
      const isTheirs = isGiven(foreign) && !isSame(foreign, nobody) && (isSame(foreign, account) || marks.length > 0);
      const isRead = read?.calls?.includes(nonce.word + foreign.text.slice(0, MOST_READ));
      // If a browser is available, its result decides.
      if (!isTheirs || isRead === false) return 'REFUTED';
      const isPrivate = marks.length > 0 || privateKeysOf(foreign.text).length > 0;
      return isPrivate && isRead ? 'PROVED' : 'LIKELY';
    },
  },
  lab() {
    const cookie = (account: string, attributes: string) => ({ 'set-cookie': `sid=${account}; Path=/; ${attributes}` });
    const answer = (headers: Readonly<Record<string, string>>, account: string | null, attributes: string) => {
      const who = account ?? /sid=(\w+)/.exec(headers.cookie ?? '')?.[1];
      const cors = { 'access-control-allow-origin': headers.origin ?? '*', 'access-control-allow-credentials': 'true' };
      if (who === undefined) return { status: 401, headers: cors, body: '{"error":"log in first"}' };
      return { headers: { ...cors, ...cookie(who, attributes) }, body: `{"email":"${who}@shop.test"}` };
    };
    return {
      item: { method: 'GET', url: '/me', parameters: [], seenAs: 'alice', contentType: 'application/json' },
      vulnerable: ({ headers, account }) => answer(headers, account, 'SameSite=None; Secure'),
      // Allows every origin too, but the cookie is not sent cross-site.
      safe: ({ headers, account }) => answer(headers, account, 'SameSite=Lax'),
    };
  },
});
