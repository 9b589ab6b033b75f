import { defineRequestCheck, type Known } from '../../active-check.ts';
import type { InventoryItem } from '../../crawl/inventory.ts';
import { requestOf } from '../../crawl/write-request.ts';
import { isSame } from '../../oracle/compare.ts';
import { compareAll, isGiven, isPrivateMark, privateKeysOf, shows } from '../../oracle/private-content.ts';
import { freshly, isMetBy, marksOf, readsOnly } from '../accounts.ts';

const LABELS = {
  nobody: 'without any account',
  low: 'as an account that is not shown it',
  elsewhere: 'as the same account, next to it',
  high: 'as the account that is shown it',
} as const;

/** What only some accounts are meant to use, by its address. */
const FUNCTION =
  /(?:^|[/_.-])(?:admin\w*|internal|manage(?:ment|r)?|backoffice|staff|superuser|moderat\w*|console)(?=$|[/_.?-])/i;
const isFunction = (url: string) => FUNCTION.test(new URL(url).pathname);

/** Somebody who has come across nothing of the kind: whoever administers the site does so in many places. */
function outsiderOf(item: InventoryItem, { accounts, inventory }: Known): string | undefined {
  const functions = inventory.filter(({ url }) => isFunction(url));
  return accounts.find(
    ({ name }) =>
      name !== item.seenAs &&
      !functions.some((met) => met.seenAs === name || met.sightings?.some(({ as }) => as === name)),
  )?.name;
}

export default defineRequestCheck<'outsider'>({
  id: 'broken-function-authorization',
  title: 'An ordinary account reaches what only administrators are shown',
  cwe: 285,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:N/A:N',
  why: 'The target hides the address from ordinary accounts, but answers them when they ask for it. Hiding a link is no protection: addresses are guessed, and stand in scripts.',
  fix: 'Ask on the server, for each request, whether the account has the role for it, and refuse what no rule allows.',
  risk: 'harmless',
  appliesTo: (item, known) =>
    item.seenAs !== null &&
    readsOnly(item) &&
    isFunction(item.url) &&
    !isMetBy(item, null) &&
    outsiderOf(item, known) !== undefined,
  variants: ['outsider'],
  maxRequests: 8,
  proof: {
    plan(item, _variant, { word }, known) {
      const as = outsiderOf(item, known);
      if (as === undefined) return [];
      const elsewhere = item.url.replace(/\/?(?:[?#].*)?$/s, `/${word}`);
      return [
        { label: LABELS.nobody, request: freshly(requestOf(item)), as: null },
        { label: LABELS.low, request: freshly(requestOf(item)), as },
        { label: LABELS.elsewhere, request: { method: 'GET', url: elsewhere }, as },
        { label: LABELS.high, request: freshly(requestOf(item)) },
      ];
    },
    judge(answers, _variant, _nonce, item, known) {
      const compared = compareAll(answers, LABELS);
      if (!compared) return 'VOID';
      const { nobody, low, elsewhere, high } = compared;
      const isReached = isGiven(high) && isGiven(low) && isSame(high, low);
      if (!isReached || isSame(nobody, low) || isSame(elsewhere, low)) return 'REFUTED';
      const isOnlyThere = (mark: string) =>
        shows(low.text, mark) && ![nobody, elsewhere].some(({ text }) => shows(text, mark));
      // Data of somebody else is what an ordinary account must not see; all else may be a page without any.
      if (marksOf(known, item.seenAs).filter(isPrivateMark).some(isOnlyThere)) return 'PROVED';
      return privateKeysOf(low.text).length > 0 ? 'LIKELY' : 'REFUTED';
    },
  },
  lab() {
    const headers = { 'content-type': 'application/json' };
    const users = {
      headers,
      body: '[{"email":"alice@shop.test","role":"admin"},{"email":"bob@shop.test","role":"user"}]',
    };
    const refused = { status: 403, headers, body: '{"error":"not for you"}' };
    const isThere = (path: string) => path === '/admin/users';
    return {
      item: { method: 'GET', url: '/admin/users', parameters: [], seenAs: 'alice', contentType: 'application/json' },
      vulnerable: ({ path, account }) => (account === null ? refused : isThere(path) ? users : { status: 404 }),
      safe: ({ path, account }) => (account !== 'alice' ? refused : isThere(path) ? users : { status: 404 }),
    };
  },
});
