import type { InventoryItem } from '../../../crawl/inventory/inventory.ts';
import { requestOf } from '../../../crawl/requests/write-request.ts';
import { isSame } from '../../../oracle/compare.ts';
import { compareAll, isGiven, isPrivateMark, privateKeysOf, shows, tellsOf } from '../../../oracle/private-content.ts';
import { defineRequestCheck, type Known } from '../../define-active-check.ts';
import type { Observation, Verdict } from '../../experiment.ts';
import {
  freshly,
  isFunction,
  isMetBy,
  marksOf,
  readsOnly,
  refusedFunction,
  userOf,
  wasRefused,
} from '../../shared/accounts.ts';

/** An account that has not seen the page; or one that has, but is refused another administrative page. */
interface Variant {
  as: string;
  /** URL of the other page. */
  closed?: string;
}

type Responses<Key extends string> = Record<'nobody' | 'low' | 'elsewhere' | Key, Observation>;

/** Returns an account that has seen no administrative page: administrators see many of them. */
function outsiderOf(item: InventoryItem, { accounts, inventory }: Known): string | undefined {
  const functions = inventory.filter(({ url }) => isFunction(url));
  return accounts.find(
    ({ name }) =>
      name !== item.seenAs &&
      !functions.some((met) => met.seenAs === name || met.sightings?.some(({ as }) => as === name)),
  )?.name;
}

/** Returns an account that can read this page but is refused another administrative one; prefers a later account. */
const refusedOf = (item: InventoryItem, known: Known) =>
  known.accounts
    .toReversed()
    .find(
      ({ name }) => isMetBy(item, name) && refusedFunction(known, name) !== undefined && !wasRefused(known, item, name),
    )?.name;

function variantFor(item: InventoryItem, known: Known): Variant | undefined {
  const outsider = outsiderOf(item, known);
  if (outsider !== undefined) return { as: outsider };
  const as = refusedOf(item, known);
  const closed = as === undefined ? undefined : refusedFunction(known, as);
  return as === undefined || closed === undefined ? undefined : { as, closed };
}

export default defineRequestCheck({
  id: 'bfla-read',
  title: 'Broken function level authorization (BFLA): users reach admin pages',
  cwe: 285,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:N/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:L/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N',
  impact: 'An attacker with any account reads administrative data, such as records of all users or logs.',
  why: 'The application hides this page from ordinary accounts, but the server returns it when they request it directly. An attacker with any account finds such URLs by guessing or in JavaScript files, and reads administrative data. An ordinary test account received the page; a request without a login did not.',
  fix: 'Check the role on the server for every request, in one central place, and deny by default. Hiding links in the user interface is not a control.',
  references: [
    'https://owasp.org/API-Security/editions/2023/en/0xa5-broken-function-level-authorization/',
    'https://cheatsheetseries.owasp.org/cheatsheets/Authorization_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/05-Authorization_Testing/03-Testing_for_Privilege_Escalation',
    'https://cwe.mitre.org/data/definitions/285.html',
  ],
  risk: 'harmless',
  appliesTo: (item, known) =>
    item.seenAs !== null &&
    readsOnly(item) &&
    isFunction(item.url) &&
    !isMetBy(item, null) &&
    variantFor(item, known) !== undefined,
  variants: [] as Variant[],
  async probe(item, _nonce, { known }) {
    const variant = variantFor(item, known);
    return variant ? [variant] : [];
  },
  maxRequests: 8,
  proof: {
    plan(item, { as, closed }, { word }) {
      const request = freshly(requestOf(item));
      const elsewhere = item.url.replace(/\/?(?:[?#].*)?$/s, `/${word}`);
      return {
        nobody: { label: 'without a login', request, as: null, isControl: true },
        low: { label: 'as an ordinary account', request, as },
        elsewhere: {
          label: 'as the ordinary account, page that does not exist',
          request: { method: 'GET', url: elsewhere },
          as,
          isControl: true,
        },
        high: closed === undefined ? { label: 'as the privileged account', request, isControl: true } : undefined,
        closed:
          closed === undefined
            ? undefined
            : {
                label: 'as the ordinary account, administrative page that is refused',
                request: { method: 'GET', url: closed },
                as,
                isControl: true,
              },
      };
    },
    judge({ high, closed, ...others }, { as }, _nonce, { seenAs }, facts) {
      if (high) return judgeOutsider({ ...others, high }, marksOf(facts, seenAs));
      if (!closed) return 'VOID';
      const strangers = facts.accounts.filter(({ name }) => name !== as);
      return judgeRefused(
        { ...others, closed },
        strangers.flatMap(({ name }) => userOf(facts, name) ?? []),
      );
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

function judgeOutsider(answers: Responses<'high'>, ofOwner: readonly string[]): Verdict {
  const compared = compareAll(answers);
  if (!compared) return 'VOID';
  const { nobody, low, elsewhere, high } = compared;
  const isReached = isGiven(high) && isGiven(low) && isSame(high, low);
  if (!isReached || isSame(nobody, low) || isSame(elsewhere, low)) return 'REFUTED';
  const isOnlyThere = (mark: string) =>
    shows(low.text, mark) && ![nobody, elsewhere].some(({ text }) => shows(text, mark));
  // Private data of another account proves it; without that, the page may be harmless.
  if (ofOwner.filter(isPrivateMark).some(isOnlyThere)) return 'PROVED';
  return privateKeysOf(low.text).length > 0 ? 'LIKELY' : 'REFUTED';
}

/** The refusal elsewhere shows that the account is no administrator; the page has to show data of another account. */
function judgeRefused(answers: Responses<'closed'>, others: readonly string[]): Verdict {
  const compared = compareAll(answers);
  if (!compared) return 'VOID';
  const { nobody, low, elsewhere, closed } = compared;
  if (!isGiven(low) || isGiven(nobody) || isGiven(closed) || isSame(elsewhere, low)) return 'REFUTED';
  if (others.some((user) => tellsOf(low.text, user))) return 'PROVED';
  return privateKeysOf(low.text).length > 0 ? 'LIKELY' : 'REFUTED';
}
