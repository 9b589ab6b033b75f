import type { InventoryItem } from '../../../crawl/inventory/inventory.ts';
import { readPage } from '../../../crawl/readers/read-page.ts';
import type { Exchange } from '../../../http/exchange/exchange.ts';
import { isSame } from '../../../oracle/compare.ts';
import { compareAll, isGiven, textOf } from '../../../oracle/private-content.ts';
import { type Asking, defineSiteCheck, type Known, type Site } from '../../define-active-check.ts';
import type { LabRequest } from '../../lab.ts';
import { freshly, isFunction, isMetBy, marksOf, readsOnly, userOf } from '../../shared/accounts.ts';

/** A page that the navigation offers to one account and hides from the other. */
interface Variant {
  url: string;
  high: string;
  low: string;
}

/** Links that are on two of these pages are the navigation. */
const MOST_PAGES = 5;
const LEAST_PAGES = 3;
const LEAST_LINKS = 3;
const MOST_FOUND = 3;

const isPage = (item: InventoryItem) => item.method === 'GET' && /html/i.test(item.contentType) && readsOnly(item);

function pagesOfBoth({ origin }: Site, { inventory }: Known, names: readonly string[]): string[] {
  // Public pages such as the login have another navigation, or none.
  const isShared = (item: InventoryItem) =>
    isPage(item) && names.every((name) => isMetBy(item, name)) && item.seenAs !== null;
  const urls = inventory.filter((item) => item.url.startsWith(`${origin}/`) && isShared(item)).map(({ url }) => url);
  return [...new Set(urls)].slice(0, MOST_PAGES);
}

function linksIn(exchange: Exchange): Set<string> {
  const { links } = readPage(textOf(exchange), exchange.request.url);
  return new Set(links.map(({ url }) => url).filter((url) => !url.includes('?')));
}

/** Resolves to the links that the account sees on several of these pages. */
async function navigationOf(name: string, urls: readonly string[], { ask }: Asking): Promise<Set<string>> {
  const [once, repeated] = [new Set<string>(), new Set<string>()];
  for (const url of urls) {
    for (const link of linksIn(await ask(freshly({ method: 'GET', url }), name))) {
      (once.has(link) ? repeated : once).add(link);
    }
  }
  return repeated;
}

const namesOf = ({ accounts }: Known) => accounts.slice(0, 2).map(({ name }) => name);

/** Returns the pages that are hidden from one of the accounts, whose navigation must be a part of the other's. */
async function hiddenPages(site: Site, asking: Asking): Promise<Variant[]> {
  const { known } = asking;
  const [one = '', other = ''] = namesOf(known);
  const urls = pagesOfBoth(site, known, [one, other]);
  const [ofOne, ofOther] = [await navigationOf(one, urls, asking), await navigationOf(other, urls, asking)];
  const [high, low, more, fewer] =
    ofOne.size > ofOther.size ? [one, other, ofOne, ofOther] : [other, one, ofOther, ofOne];
  const hidden = new Set([...more].filter((link) => !fewer.has(link)));
  if (fewer.size < LEAST_LINKS || ![...fewer].every((link) => more.has(link)) || hidden.size > fewer.size) return [];
  const isOffered = (item: InventoryItem) => hidden.has(item.url) && isPage(item) && item.seenAs !== null;
  return known.inventory.filter(isOffered).map(({ url }) => ({ url, high, low }));
}

export default defineSiteCheck({
  id: 'bfla-hidden-page',
  title: 'Broken function level authorization (BFLA): hidden page is not protected',
  cwe: 285,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:L/I:L/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:L/UI:N/VC:L/VI:L/VA:N/SC:N/SI:N/SA:N',
  impact: 'An attacker with any account opens pages meant for other roles and uses the functions on them.',
  why: 'The navigation of one account offers the page, and that of another account with fewer rights does not. The server returns the page to both: it hides the link instead of checking the role. An attacker with any account finds such URLs by guessing or in JavaScript files, and uses functions that are not meant for them. The account without the link received the same page; without a login it is refused.',
  fix: 'Check the role on the server for every request, in one central place, and deny by default. Hiding links in the user interface is not a control.',
  references: [
    'https://owasp.org/API-Security/editions/2023/en/0xa5-broken-function-level-authorization/',
    'https://cheatsheetseries.owasp.org/cheatsheets/Authorization_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/285.html',
  ],
  risk: 'harmless',
  appliesTo: (site, known) => {
    const names = namesOf(known);
    return names.length === 2 && pagesOfBoth(site, known, names).length >= LEAST_PAGES;
  },
  variants: [] as Variant[],
  async probe(site, _nonce, asking) {
    const found: Variant[] = [];
    for (const variant of await hiddenPages(site, asking)) {
      const { response } = await asking.ask(freshly({ method: 'GET', url: variant.url }), variant.low);
      if (found.length < MOST_FOUND && response && isGiven(response)) found.push(variant);
    }
    return found;
  },
  maxRequests: 60,
  placeOf: (_site, { url }) => url,
  proof: {
    plan(_site, { url, high, low }, { word }) {
      const request = freshly({ method: 'GET', url });
      return {
        nobody: { label: 'without a login', request, as: null, isControl: true },
        low: { label: 'as the account whose navigation hides the page', request, as: low },
        elsewhere: {
          label: 'as the same account, page that does not exist',
          request: { method: 'GET', url: url.replace(/\/?$/, `/${word}`) },
          as: low,
          isControl: true,
        },
        high: { label: 'as the account whose navigation offers the page', request, as: high, isControl: true },
      };
    },
    judge(answers, { url, high: name, low: other }, _nonce, _site, facts) {
      const compared = compareAll(answers);
      if (!compared) return 'VOID';
      const { nobody, low, elsewhere, high } = compared;
      const users = [name, other].flatMap((each) => [...marksOf(facts, each), userOf(facts, each) ?? '']);
      const isReached = isGiven(high) && isGiven(low) && contentOf(high.text, users) === contentOf(low.text, users);
      if (!isReached || isGiven(nobody) || isSame(elsewhere, low)) return 'REFUTED';
      const offers = { url, html: low.text, elsewhere: elsewhere.text };
      if (!isFunction(url) && !offersChange(offers) && !showsOthers(offers, facts, other)) return 'REFUTED';
      // LIKELY only: a page may be hidden because the account has no use for it.
      return 'LIKELY';
    },
  },
  lab() {
    const headers = { 'content-type': 'text/html' };
    const shared = ['/home', '/teas', '/basket'];
    const item = (url: string, as: readonly string[]): InventoryItem => ({
      method: 'GET',
      url,
      parameters: [],
      seenAs: 'alice',
      contentType: 'text/html',
      sightings: as.map((name) => ({ as: name, url, status: 200 })),
    });
    const answer =
      (isChecked: boolean) =>
      ({ path, account }: LabRequest) => {
        if (account === null) return { status: 302, headers: { location: '/login' } };
        const offered = [...shared, ...(account === 'alice' ? ['/people'] : [])];
        if (!offered.includes(path) && (isChecked || path !== '/people')) return { status: 403, body: 'Not for you' };
        const links = offered.map((each) => `<a href=".${each}">${each}</a>`).join(' ');
        const form = path === '/people' ? '<form method="post"><input name="role"><button>Save</button></form>' : '';
        return { headers, body: `<nav>${links}</nav><h1>${path}</h1><p>Everything about ${path}.</p>${form}` };
      };
    return {
      item: item('/people', ['alice']),
      others: shared.map((url) => item(url, ['alice', 'bob'])),
      confidence: 'FIRM',
      vulnerable: answer(false),
      safe: answer(true),
    };
  },
});

/** The text of a page without its links and the names of the accounts, which differ between them. */
function contentOf(html: string, users: readonly string[]): string {
  const text = html.replace(/<a\b[^>]*>.*?<\/a>/gis, ' ').replace(/<[^>]*>/g, ' ');
  const named = users.filter((user) => user !== '').toSorted((a, b) => b.length - a.length);
  return named.reduce((rest, user) => rest.replaceAll(user, ' '), text).replace(/\s+/g, ' ');
}

interface Offered {
  url: string;
  html: string;
  /** A page that does not exist, with what all pages have in common. */
  elsewhere: string;
}

const OF_EVERY_PAGE = /log[\s_-]?(?:out|off)|sign[\s_-]?(?:out|off)|search|newsletter|subscribe|language|locale|theme/i;

/** Returns whether the page has a form that changes something, and that other pages do not have. */
function offersChange({ url, html, elsewhere }: Offered): boolean {
  const common = new Set(readPage(elsewhere, url).forms.map(({ action }) => action));
  return readPage(html, url).forms.some(
    ({ method, action, words }) =>
      method === 'POST' && !common.has(action) && !OF_EVERY_PAGE.test(`${new URL(action).pathname} ${words}`),
  );
}

const MAIL = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}/g;
/** One address may be a contact. */
const LEAST_MAILS = 2;

/** Returns whether the page shows data of other people to this account. */
function showsOthers({ html, elsewhere }: Offered, { accounts }: Pick<Known, 'accounts'>, reader: string): boolean {
  const own = marksOf({ accounts }, reader);
  const marks = accounts.filter(({ name }) => name !== reader).flatMap((account) => account.marks);
  const mails = new Set([...html.matchAll(MAIL)].map(([mail]) => mail));
  const isOther = (text: string) => !own.includes(text) && !elsewhere.includes(text);
  return marks.some((mark) => html.includes(mark) && isOther(mark)) || [...mails].filter(isOther).length >= LEAST_MAILS;
}
