import type { InventoryItem } from '../../../crawl/inventory/inventory.ts';
import { requestOf } from '../../../crawl/requests/write-request.ts';
import { compareAll, isGiven, shows, textOf } from '../../../oracle/private-content.ts';
import { defineRequestCheck } from '../../define-active-check.ts';
import type { PointRequest } from '../../insertion-point.ts';
import type { LabAnswer, LabRequest } from '../../lab.ts';
import { marksOf, mayHold, readsOnly } from '../../shared/accounts.ts';
import { plainAnswer } from '../../shared/plain-answer.ts';

/** Routing and caching rarely differ between the pages of one application. */
const MOST_PAGES = 20;

/**
 * Returns the request with a random style sheet name at the end of its path: caches see a static file, and the
 * application may still route to the page. The name is in the query as well, so that no visitor gets the copy even if
 * the cache key omits the end of the path.
 */
function asStyleSheet(item: InventoryItem, name: string): PointRequest {
  const request = requestOf(item);
  const [, path = '', query = ''] = /^([^?#]*)(\?[^#]*)?/s.exec(request.url) ?? [];
  return { ...request, url: `${path.replace(/\/$/, '')}/${name}.css${query ? `${query}&` : '?'}${name}` };
}

export default defineRequestCheck({
  id: 'web-cache-deception',
  title: 'Web cache deception: private page cached for everyone',
  cwe: 524,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:U/C:H/I:N/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:A/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N',
  impact: 'An attacker reads the private page of a logged-in user who opened a crafted link, from the shared cache.',
  why: "The application returns a private page also for a URL that ends like a static file, and a shared cache stores the response by that ending. An attacker who makes a logged-in user open such a link then requests the same URL and reads the user's data. After a request as the account, a request without a session returned the account's data from the same URL; other file names did not, before and after.",
  fix: 'Send Cache-Control: no-store with every response for a logged-in user, and configure the cache to respect it instead of deciding by file extension. Answer 404 if the path continues after a page.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/latest/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/13-Test_for_Path_Confusion',
    'https://portswigger.net/web-security/web-cache-deception',
    'https://www.rfc-editor.org/rfc/rfc9111#section-3',
    'https://cwe.mitre.org/data/definitions/524.html',
  ],
  risk: 'harmless',
  // The cache keeps a page of the test account until it expires.
  depth: 'STANDARD',
  needsNoAccount: true,
  appliesTo: (item, known) =>
    item.method === 'GET' &&
    readsOnly(item) &&
    (/html/i.test(item.contentType) || (/json/i.test(item.contentType) && mayHold(item, 'private'))) &&
    marksOf(known, item.seenAs).length > 0,
  variants: ['/'],
  async probe(item, { word }, asking) {
    const { ask, askAsNewVisitor, known, memory } = asking;
    if (memory.countOf('web-cache-deception') >= MOST_PAGES) return [];
    const marks = marksOf(known, item.seenAs);
    const isPrivate = (text: string) => marks.some((mark) => shows(text, mark));
    if (!isPrivate(await plainAnswer(item, asking))) return [];
    memory.count('web-cache-deception');
    const request = asStyleSheet(item, word);
    if (!isPrivate(textOf(await ask(request)))) return [];
    return isPrivate(textOf(await askAsNewVisitor(request))) ? ['/'] : [];
  },
  // The page, two requests of the probe, and two proofs.
  maxRequests: 11,
  proof: {
    plan(item, _variant, { word }) {
      const request = asStyleSheet(item, word);
      const isNew = { session: { isNew: true } };
      return {
        before: {
          label: 'other file name, without a session, before',
          request: asStyleSheet(item, `${word}a`),
          ...isNew,
          isControl: true,
        },
        owner: { label: 'as the account', request, change: { leavesTraces: true } },
        visitor: { label: 'same URL, without a session', request, ...isNew },
        after: {
          label: 'other file name, without a session, after',
          request: asStyleSheet(item, `${word}b`),
          ...isNew,
          isControl: true,
        },
      };
    },
    judge(answers, _variant, _nonce, item, facts) {
      const compared = compareAll(answers);
      if (!compared) return 'VOID';
      const { before, owner, visitor, after } = compared;
      if (!isGiven(owner) || !isGiven(visitor)) return 'REFUTED';
      const isCached = (mark: string) =>
        shows(owner.text, mark) && shows(visitor.text, mark) && !shows(before.text, mark) && !shows(after.text, mark);
      return marksOf(facts, item.seenAs).some(isCached) ? 'PROVED' : 'REFUTED';
    },
  },
  lab() {
    const page = ({ path, account }: LabRequest): LabAnswer => {
      if (!path.startsWith('/profile')) return { status: 404 };
      if (account === null) return { status: 401, body: 'Log in first' };
      return { headers: { 'content-type': 'text/html' }, body: `<p>Signed in as ${account}@shop.test</p>` };
    };
    const behindCache = (isStored: (path: string, answer: LabAnswer) => boolean) => {
      const stored = new Map<string, LabAnswer>();
      return (request: LabRequest) => {
        const answer = stored.get(request.path) ?? page(request);
        if (answer.status === undefined && isStored(request.path, answer)) stored.set(request.path, answer);
        return answer;
      };
    };
    return {
      item: { method: 'GET', url: '/profile', parameters: [], seenAs: 'alice', contentType: 'text/html' },
      vulnerable: behindCache((path) => /\.css(?:\?|$)/.test(path)),
      safe: behindCache((_path, { headers }) => headers?.['content-type'] === 'text/css'),
    };
  },
});
