import { defineRequestCheck } from '../../active-check.ts';
import { requestOf } from '../../crawl/write-request.ts';
import { isSame } from '../../oracle/compare.ts';
import { compareAll, isGiven, isPrivateMark, privateKeysOf, shows } from '../../oracle/private-content.ts';
import { freshly, isMetBy, marksOf, readsOnly } from '../accounts.ts';

const LABELS = {
  nobody: 'without any account',
  elsewhere: 'a page that does not exist, without any account',
  owner: 'as the account',
} as const;

export default defineRequestCheck<'no account'>({
  id: 'missing-authentication',
  title: 'What belongs to an account is answered to everybody',
  cwe: 306,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
  why: 'The address is only shown to people who are logged in, but it asks nobody who they are. Whoever knows or guesses it reads the data of the account.',
  fix: 'Refuse the request on the server when nobody is logged in, best in one place for all addresses, with a list of those that are public.',
  risk: 'harmless',
  needsNoAccount: true,
  appliesTo: (item) => item.seenAs !== null && readsOnly(item) && !isMetBy(item, null),
  variants: ['no account'],
  maxRequests: 6,
  proof: {
    // Nobody first: what was answered to the account a moment ago may still be in a cache.
    plan: (item, _variant, { word }) => [
      { label: LABELS.nobody, request: freshly(requestOf(item)), as: null },
      { label: LABELS.elsewhere, request: { method: 'GET', url: new URL(`/${word}`, item.url).href }, as: null },
      { label: LABELS.owner, request: freshly(requestOf(item)) },
    ],
    judge(answers, _variant, _nonce, item, known) {
      const compared = compareAll(answers, LABELS);
      if (!compared) return 'VOID';
      const { nobody, elsewhere, owner } = compared;
      if (!isGiven(nobody) || !isGiven(owner)) return 'REFUTED';
      const isOnlyThere = (mark: string) =>
        shows(nobody.text, mark) && shows(owner.text, mark) && !shows(elsewhere.text, mark);
      const marks = marksOf(known, item.seenAs).filter(isOnlyThere);
      const isWhole = isSame(nobody, owner) && !isSame(nobody, elsewhere) && privateKeysOf(nobody.text).length > 0;
      if (marks.some(isPrivateMark) || (marks.length > 0 && isWhole)) return 'PROVED';
      return isWhole ? 'LIKELY' : 'REFUTED';
    },
  },
  lab: () => ({
    item: { method: 'GET', url: '/profile', parameters: [], seenAs: 'alice', contentType: 'application/json' },
    vulnerable: ({ path }) =>
      path === '/profile'
        ? {
            headers: { 'content-type': 'application/json' },
            body: '{"email":"alice@shop.test","street":"Mill Lane 4"}',
          }
        : { status: 404, body: 'Nothing here' },
    safe: ({ account }) =>
      account === null
        ? { headers: { 'content-type': 'application/json' }, body: '{"error":"log in first"}' }
        : {
            headers: { 'content-type': 'application/json' },
            body: '{"email":"alice@shop.test","street":"Mill Lane 4"}',
          },
  }),
});
