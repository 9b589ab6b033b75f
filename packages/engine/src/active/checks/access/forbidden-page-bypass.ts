import { type ComparedAnswer, isSame } from '../../../oracle/compare.ts';
import { type Compared, compareAll } from '../../../oracle/private-content.ts';
import { type Asking, defineSiteCheck, type Known, type Site } from '../../define-active-check.ts';
import type { Observation } from '../../experiment.ts';
import type { PointRequest } from '../../insertion-point.ts';
import { isFunction } from '../../shared/accounts.ts';
import { asksForPassword } from '../../shared/login-attempts.ts';
import { PATH_SPELLINGS } from '../../shared/path-spellings.ts';

/** How a refused page is requested otherwise. */
type Kind = 'verb' | 'path' | 'rewrite' | 'host' | 'referer';

interface Variant {
  url: string;
  /** The session that was refused. */
  as: string | null;
  kind: Kind;
  /** The verb, the spelling, or the name or value of the header. */
  how: string;
}

type Trick = Pick<Variant, 'kind' | 'how'>;

/** Neither stores anything: both are safe methods of WebDAV. Many frameworks treat an unknown verb like GET. */
const VERBS = ['PROPFIND', 'SEARCH'];
const REWRITES = ['X-Original-URL', 'X-Rewrite-URL'];
const LOCAL_NAMES = ['localhost', '127.0.0.1'];

const TRICKS: readonly Trick[] = [
  ...VERBS.map((how): Trick => ({ kind: 'verb', how })),
  ...Object.keys(PATH_SPELLINGS).map((how): Trick => ({ kind: 'path', how })),
  ...REWRITES.map((how): Trick => ({ kind: 'rewrite', how })),
  ...LOCAL_NAMES.map((how): Trick => ({ kind: 'host', how })),
  { kind: 'referer', how: '' },
];

const MOST_PLACES = 16;

/** Administrative URLs come first. What visitors are refused is worth more than what an account is refused. */
function refusedAt({ origin }: Site, { refused = [] }: Known): Pick<Variant, 'url' | 'as'>[] {
  const here = refused.filter(({ url }) => url.startsWith(`${origin}/`) && !/[?#]/.test(url) && pathOf(url) !== '/');
  const ordered = [...here].sort(
    (a, b) => Number(isFunction(b.url)) - Number(isFunction(a.url)) || Number(a.as !== null) - Number(b.as !== null),
  );
  return [...new Map(ordered.toReversed().map((each) => [each.url, each])).values()].toReversed().slice(0, MOST_PLACES);
}

/** Returns the request for this page of the site by the trick. */
function tricked({ origin }: Pick<URL, 'origin'>, path: string, { kind, how }: Trick): PointRequest {
  const url = origin + path;
  if (kind === 'verb') return { method: how, url };
  if (kind === 'path') return { method: 'GET', url: origin + (PATH_SPELLINGS[how]?.(path) ?? path) };
  if (kind === 'rewrite') return { method: 'GET', url: `${origin}/`, headers: [[how, path]] };
  if (kind === 'host') return { method: 'GET', url, headers: [['Host', how]] };
  return { method: 'GET', url, headers: [['Referer', `${origin}${path.replace(/[^/]*$/, '')}`]] };
}

const pathOf = (url: string) => new URL(url).pathname;
const siblingOf = (path: string, word: string) => path.replace(/[^/]*\/?$/, word);

const isOpened = ({ response }: Pick<Observation, 'response'>) => response?.status === 200;
const LEAST_WORDS = 3;

/** Returns whether the first response has words that none of the others has. */
function hasOwnWords({ words }: Compared, others: readonly ComparedAnswer[]): boolean {
  const known = new Set(others.flatMap((other) => other.words));
  return new Set(words.filter((word) => !known.has(word))).size >= LEAST_WORDS;
}

async function tricksFor(site: Site, word: string, { ask, known }: Asking): Promise<Variant[]> {
  const found: Variant[] = [];
  for (const { url, as } of refusedAt(site, known)) {
    const place = new URL(url);
    if (isOpened(await ask({ method: 'GET', url }, as))) continue;
    for (const trick of TRICKS) {
      const answer = await ask(tricked(place, pathOf(url), trick), as);
      if (!isOpened(answer) || asksForPassword(answer)) continue;
      const elsewhere = await ask(tricked(place, siblingOf(pathOf(url), word), trick), as);
      const compared = compareAll({ answer, elsewhere });
      if (!compared || isSame(compared.answer, compared.elsewhere)) continue;
      found.push({ url, as, ...trick });
      break;
    }
  }
  return found;
}

const WHY =
  'An attacker reads the page without the rights that it requires. The page was refused as usual and returned when requested that way; a page that does not exist, requested the same way, was not.';
const FIX =
  'Decide about access in the application, at the handler of each page, for every verb and after the URL has been decoded and normalized. Do not decide by headers that clients choose, and refuse by default.';

const DETAILS: Readonly<Record<Kind, { title: string; why: string }>> = {
  verb: {
    title: 'Access control bypass: HTTP verb tampering opens a refused page',
    why: `The rule that protects the page names verbs, such as GET and POST, and does not apply to others (HTTP verb tampering). ${WHY}`,
  },
  path: {
    title: 'Access control bypass: another spelling of the URL opens a refused page',
    why: `The rule that protects the page compares the URL as text, and the router reads another spelling of it as the same page. ${WHY}`,
  },
  rewrite: {
    title: 'Access control bypass: a URL rewrite header opens a refused page',
    why: `The framework takes the path from the header X-Original-URL or X-Rewrite-URL, and the rule that protects the page looks at the URL of the request. ${WHY}`,
  },
  host: {
    title: 'Access control bypass: a local name in the Host header opens a refused page',
    why: `The page is open to requests whose Host header names the server itself, and any client can send that header. ${WHY}`,
  },
  referer: {
    title: 'Access control bypass: the Referer header opens a refused page',
    why: `The page is open to requests that claim to come from another page of the site, and any client can send that header. ${WHY}`,
  },
};

export default defineSiteCheck({
  id: 'forbidden-page-bypass',
  title: 'Access control bypass: forbidden page opens for an altered request',
  cwe: 288,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N',
  impact: 'An attacker reads pages that are refused to them, by requesting them with another verb, spelling or header.',
  why: `The page is protected only against requests of the usual form. ${WHY}`,
  fix: FIX,
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/05-Authorization_Testing/02-Testing_for_Bypassing_Authorization_Schema',
    'https://cheatsheetseries.owasp.org/cheatsheets/Authorization_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/288.html',
  ],
  risk: 'harmless',
  depth: 'STANDARD',
  needsNoAccount: true,
  appliesTo: (site, known) => refusedAt(site, known).length > 0,
  variants: [] as Variant[],
  probe: (site, { word }, asking) => tricksFor(site, word, asking),
  maxRequests: 420,
  placeOf: (_site, { url }) => url,
  describe: ({ kind }) => DETAILS[kind],
  proof: {
    plan(_site, { url, as, ...trick }, { word }) {
      const place = new URL(url);
      const asked = (label: string, request: PointRequest) => ({ label, request, as });
      return {
        plain: { ...asked('the page as usual', { method: 'GET', url }), isControl: true },
        attack: asked('the page requested otherwise', tricked(place, pathOf(url), trick)),
        elsewhere: {
          ...asked(
            'a page that does not exist, requested the same way',
            tricked(place, siblingOf(pathOf(url), word), trick),
          ),
          isControl: true,
        },
        // Servers that answer every request of this kind alike open nothing.
        front: {
          ...asked('the first page, requested the same way', tricked(place, '/', trick)),
          isControl: true,
        },
        below: {
          ...asked(
            'a page that does not exist below it, requested the same way',
            tricked(place, `${pathOf(url).replace(/\/$/, '')}/${word}`, trick),
          ),
          isControl: true,
        },
        again: { ...asked('the page as usual, afterwards', { method: 'GET', url }), isControl: true },
      };
    },
    judge(answers) {
      const compared = compareAll(answers);
      if (!compared) return 'VOID';
      const { attack, ...others } = compared;
      if (isOpened(answers.plain) || isOpened(answers.again)) return 'REFUTED';
      if (!isOpened(answers.attack) || asksForPassword(answers.attack)) return 'REFUTED';
      return hasOwnWords(attack, Object.values(others)) ? 'PROVED' : 'REFUTED';
    },
  },
  lab() {
    const log = { headers: { 'content-type': 'text/html' }, body: '<h1>Log</h1>12:01 alice opened the till' };
    const refused = { status: 403, body: 'Not for you' };
    const front = { headers: { 'content-type': 'text/html' }, body: '<h1>Shop</h1>' };
    const answer = (path: string, isRefused: boolean) => {
      if (path === '/') return front;
      return path === '/admin/log' ? (isRefused ? refused : log) : { status: 404, body: 'Nothing here' };
    };
    return {
      item: { method: 'GET', url: '/', parameters: [], seenAs: null, contentType: 'text/html' },
      refused: [{ as: null, url: '/admin/log' }],
      vulnerable: ({ path, method }) => answer(path, method === 'GET' || method === 'POST'),
      // Answers other verbs with a page of its own, whatever the URL.
      safe: ({ path, method }) => (method === 'GET' ? answer(path, true) : { body: 'Please use the verb GET here' }),
    };
  },
});
