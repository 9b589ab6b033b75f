import type { InventoryItem, Parameter } from '../../../crawl/inventory/inventory.ts';
import { requestOf } from '../../../crawl/requests/write-request.ts';
import { shows, textOf } from '../../../oracle/private-content.ts';
import { type Asking, defineRequestCheck } from '../../define-active-check.ts';
import { cleanUp, ifPossible, type Nonce, type Observation } from '../../experiment.ts';
import { type PointRequest, requestWith } from '../../insertion-point.ts';
import type { LabAnswer, LabRequest } from '../../lab.ts';
import { readsOnly } from '../../shared/accounts.ts';

/** A field and the page that shows its value. */
interface Variant {
  field: number;
  readBack: string;
}

/** Anti-CSRF tokens, which a forged form cannot contain. */
const TOKEN = /csrf|xsrf|token|nonce|authenticity|__requestverification/i;
/** Text fields that are displayed and do not affect access to the account. */
const SHOWN =
  /name|title|text|comment|message|note|bio|about|description|city|street|company|subject|nick|status|website/i;
const NEVER = /pass|mail|user|login|account|role|card|iban|id$/i;
const MOST_FIELDS = 2;
const MOST_PAGES = 4;

/** A GET form with an anti-CSRF token changes something. */
const isLink = ({ method, parameters }: InventoryItem) =>
  method === 'GET' && parameters.some(({ location, name }) => location === 'query' && TOKEN.test(name));

function fieldsOf(item: InventoryItem): Parameter[] {
  const { method, parameters } = item;
  const isText = ({ location, name }: Parameter) =>
    (method === 'POST' ? location === 'form' && SHOWN.test(name) : location === 'query' && isLink(item)) &&
    !NEVER.test(name) &&
    !TOKEN.test(name);
  return parameters.filter(isText).slice(0, MOST_FIELDS);
}

function changing(item: InventoryItem, field: number, value: string): PointRequest {
  const parameter = fieldsOf(item)[field];
  return parameter ? requestWith({ item, parameter }, value) : requestOf(item);
}

const foreignOrigin = ({ url }: InventoryItem, { word }: Nonce) => `${new URL(url).protocol}//${word}.example`;

/** Builds the request as another site would send it: with a foreign Origin and without the token. */
function forgedRequest(item: InventoryItem, field: number, value: string, nonce: Nonce): PointRequest {
  const request = changing(item, field, value);
  const withoutToken = (text: string) =>
    new URLSearchParams([...new URLSearchParams(text)].filter(([name]) => !TOKEN.test(name))).toString();
  const origin = foreignOrigin(item, nonce);
  if (request.method === 'GET') {
    const { origin: site, pathname, search } = new URL(request.url);
    return {
      method: 'GET',
      url: `${site}${pathname}?${withoutToken(search)}`,
      headers: [['Referer', `${origin}/`]],
    };
  }
  return {
    ...request,
    headers: [
      ['Content-Type', 'application/x-www-form-urlencoded'],
      ['Origin', origin],
      ['Referer', `${origin}/`],
    ],
    body: withoutToken(request.body?.toString() ?? ''),
  };
}

/** Submits the form as soon as the page opens. */
function sendingPage({ method, url, body = '' }: PointRequest): string {
  if (method === 'GET') return `<script>location = ${JSON.stringify(url).replaceAll('<', '\\u003c')}</script>`;
  const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  const inputs = [...new URLSearchParams(body.toString())].map(
    ([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`,
  );
  const form = `<form method="post" action="${escaped(url)}">${inputs.join('')}</form>`;
  // Calls the prototype's method, because a field can be named "submit".
  return `${form}<script>HTMLFormElement.prototype.submit.call(document.forms[0])</script>`;
}

/** Returns pages of the account that may show the written value, the most likely first. */
function pagesFor(item: InventoryItem, { known }: Pick<Asking, 'known'>): string[] {
  const folder = item.url.replace(/[?#].*$/s, '').replace(/[^/]*$/, '');
  const pages = known.inventory.filter(
    (each) => each.method === 'GET' && each.seenAs === item.seenAs && readsOnly(each),
  );
  const isNear = ({ url }: InventoryItem) => Number(!url.startsWith(folder));
  const near = pages.toSorted((a, b) => isNear(a) - isNear(b)).map(({ url }) => url);
  return [...new Set([item.url, ...near])].slice(0, MOST_PAGES);
}

/** Changes the field as the site's own form would, finds a page that shows it, and restores the value. */
async function findReadBack(item: InventoryItem, field: number, word: string, asking: Asking): Promise<Variant[]> {
  const change = await asking.willChange([requestOf(item)]);
  await asking.ask(changing(item, field, word));
  try {
    for (const readBack of pagesFor(item, asking)) {
      if (shows(textOf(await asking.ask({ method: 'GET', url: readBack })), word)) return [{ field, readBack }];
    }
    return [];
  } finally {
    await change.takeBack();
  }
}

export default defineRequestCheck({
  id: 'csrf',
  title: 'Cross-site request forgery (CSRF): other sites can submit the form',
  cwe: 352,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:U/C:N/I:L/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:P/VC:N/VI:L/VA:N/SC:N/SI:N/SA:N',
  impact: 'An attacker submits this form in the name of every logged-in user who visits a malicious page.',
  needsNoAccount: true,
  why: "The server accepts the form from another site with nothing but the visitor's cookies: the anti-CSRF token and the Origin header are not checked. An attacker who lures a logged-in user to a malicious page changes data in their name. A form without the token, sent from a foreign origin, changed the value; the same form without cookies did not.",
  fix: "Enable your framework's CSRF protection: a random token per session that is compared on the server, where a request without a token is refused, too. Set SameSite=Lax or Strict on the session cookie, and do not change state on GET requests.",
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Cross-Site_Request_Forgery_Prevention_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/06-Session_Management_Testing/05-Testing_for_Cross_Site_Request_Forgery',
    'https://cwe.mitre.org/data/definitions/352.html',
  ],
  risk: 'intrusive',
  depth: 'STANDARD',
  needsBrowser: 'if possible',
  appliesTo: (item) => item.seenAs !== null && fieldsOf(item).length > 0,
  variants: [{ field: 0, readBack: '' }],
  async probe(item, { word }, asking) {
    for (const field of fieldsOf(item).keys()) {
      const found = await findReadBack(item, field, word, asking);
      if (found.length > 0) return found;
    }
    return [];
  },
  maxRequests: 26,
  proof: {
    plan(item, { field, readBack }, nonce) {
      const reading = { method: 'GET', url: readBack };
      const forged = (value: string) => forgedRequest(item, field, value, nonce);
      const inBrowser = forged(`${nonce.word}b`);
      const fromPage = { url: `${foreignOrigin(item, nonce)}/`, html: sendingPage(inBrowser) };
      const session = { showing: { isCrossSite: true } };
      return {
        before: { label: 'page before the test, as the account', request: reading, isControl: true },
        anonymous: {
          label: 'form of another site, without cookies',
          request: forged(`${nonce.word}n`),
          as: null,
          session,
          isControl: true,
        },
        unchanged: { label: 'page after the form without cookies', request: reading, isControl: true },
        forged: {
          label: 'form of another site, with the cookies that a browser sends',
          request: forged(nonce.word),
          session,
        },
        after: { label: 'page after the form with cookies', request: reading },
        sent: ifPossible({
          label: 'page of another site that submits the form, in a browser',
          request: inBrowser,
          browser: { fromPage },
        }),
        last: { label: 'page after the form in the browser', request: reading },
        back: cleanUp({
          label: 'form of the site, original value restored',
          request: requestOf(item),
        }),
      };
    },
    judge({ before, unchanged, after, sent, last }, _variant, { word }) {
      const hasWord = (page: Observation, end = '') => shows(textOf(page), word + end);
      if (!hasWord(after) || hasWord(unchanged, 'n') || hasWord(unchanged) || hasWord(before)) return 'REFUTED';
      if (!sent) return 'LIKELY';
      return hasWord(last, 'b') ? 'PROVED' : 'REFUTED';
    },
  },
  lab() {
    const site = (attributes: string) => {
      const nicknames = new Map<string, string>();
      return ({ method, body, headers, account }: LabRequest): LabAnswer => {
        const who = account ?? /sid=(\w+)/.exec(headers.cookie ?? '')?.[1];
        if (who === undefined) return { status: 401, body: 'Log in first' };
        if (method === 'POST') nicknames.set(who, new URLSearchParams(body).get('nickname') ?? '');
        const cookie = { 'set-cookie': `sid=${who}; Path=/; ${attributes}`, 'content-type': 'text/html' };
        return { headers: cookie, body: `<p>Hello, ${nicknames.get(who) ?? 'you'}</p>` };
      };
    };
    const parameters: Parameter[] = [
      { location: 'form', name: 'nickname', value: 'Ali' },
      { location: 'form', name: 'csrf_token', value: 'f00d' },
    ];
    return {
      item: { method: 'POST', url: '/settings', parameters, seenAs: 'alice', contentType: 'text/html' },
      vulnerable: site('SameSite=None; Secure'),
      // Ignores the token too, but the cookie is not sent cross-site.
      safe: site('SameSite=Lax'),
    };
  },
});
