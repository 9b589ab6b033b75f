import type { InventoryItem } from '../../../crawl/inventory/inventory.ts';
import { requestOf } from '../../../crawl/requests/write-request.ts';
import { headerOf } from '../../../http/exchange/headers.ts';
import { isSame } from '../../../oracle/compare.ts';
import {
  compareAll,
  isGiven,
  isPrivateMark,
  privateKeysOf,
  shows,
  tellsOf,
  textOf,
} from '../../../oracle/private-content.ts';
import { defineRequestCheck, type Known } from '../../define-active-check.ts';
import type { Observation, Verdict } from '../../experiment.ts';
import {
  freshly,
  isFunction,
  isMetBy,
  marksOf,
  mayHold,
  readsOnly,
  userOf,
  type WithAccounts,
  wasRefused,
} from '../../shared/accounts.ts';
import { plainAnswer } from '../../shared/plain-answer.ts';

/** Pages that only an account has seen, JSON that mentions an account, and pages that are administrative by URL. */
type Variant =
  | { kind: 'of an account' | 'about an account' }
  /** With another administrative URL of the same folder, which is refused. */
  | { kind: 'for few'; closed: string };

type Responses<Key extends string = never> = Record<'nobody' | 'elsewhere' | Key, Observation>;

const isPage = ({ contentType }: InventoryItem) => /html/i.test(contentType);
/** Login forms are public. */
const LOGIN = /<input[^<>]{0,200}type\s{0,3}=\s{0,3}["']?password/i;

/** An incomplete crawl leaves many pages that were not seen without an account, hence this limit. */
const MOST_PAGES = 40;

function variantFor(item: InventoryItem, known: Known): Variant | undefined {
  if (!readsOnly(item)) return undefined;
  const isJson = /json/i.test(item.contentType);
  if (isJson && !mayHold(item, 'private')) return undefined;
  if (!isMetBy(item, null)) return wasRefused(known, item, null) ? undefined : { kind: 'of an account' };
  if (known.accounts.length > 0 && isJson) return { kind: 'about an account' };
  const closed = isPage(item) ? refusedBeside(item, known) : undefined;
  return closed === undefined ? undefined : { kind: 'for few', closed };
}

/** Returns another administrative URL of the same folder that is refused. */
function refusedBeside({ url }: InventoryItem, { refused = [] }: Known): string | undefined {
  const folder = new URL('.', url).href;
  const isBeside = (other: string) => new URL('.', other).href === folder && isFunction(other);
  return isFunction(folder) ? refused.find(({ as, url: other }) => as === null && isBeside(other))?.url : undefined;
}

const tellsOfSomebody = (text: string, known: WithAccounts) =>
  known.accounts.some(({ name }) => tellsOf(text, userOf(known, name) ?? ''));

export default defineRequestCheck({
  id: 'missing-authentication',
  title: 'Missing authentication: account data is public',
  cwe: 306,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N',
  impact: 'An attacker without an account reads data that only logged-in users should see.',
  why: "The URL is linked only for logged-in users, but the server does not check the session. Anyone who knows or guesses the URL reads the account's data. A request without a login returned private data; a URL that does not exist did not.",
  fix: 'Reject requests without a valid session on the server, in one central place such as a middleware. Keep an explicit list of public URLs.',
  references: [
    'https://owasp.org/API-Security/editions/2023/en/0xa2-broken-authentication/',
    'https://cheatsheetseries.owasp.org/cheatsheets/Authentication_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/04-Authentication_Testing/04-Testing_for_Bypassing_Authentication_Schema',
    'https://cwe.mitre.org/data/definitions/306.html',
  ],
  risk: 'harmless',
  needsNoAccount: true,
  appliesTo: (item, known) => variantFor(item, known) !== undefined,
  variants: [{ kind: 'of an account' }, { kind: 'about an account' }, { kind: 'for few', closed: '' }] as Variant[],
  async probe(item, _nonce, asking) {
    const { known, memory } = asking;
    const variant = variantFor(item, known);
    if (variant === undefined) return [];
    const { kind } = variant;
    if (kind === 'about an account') return tellsOfSomebody(await plainAnswer(item, asking), known) ? [variant] : [];
    if (isPage(item) && memory.count('missing-authentication') > MOST_PAGES) return [];
    const exchange = await asking.ask(freshly(requestOf(item)), null);
    const text = textOf(exchange);
    if (!exchange.response || !isGiven(exchange.response)) return [];
    if (kind === 'for few') return LOGIN.test(text) ? [] : [variant];
    const isWorth = marksOf(known, item.seenAs).some((mark) => shows(text, mark)) || privateKeysOf(text).length > 0;
    return isWorth ? [variant] : [];
  },
  maxRequests: 8,
  describe: ({ kind }) =>
    kind === 'for few'
      ? {
          title: 'Missing authentication: administrative page is public',
          impact:
            'An attacker without an account reads an administrative page, and finds the functions that it offers.',
          why: 'By its URL the page is administrative, and other pages of the same area are refused without a login. Anyone who knows or guesses the URL reads it. A request without a login returned the page.',
        }
      : {},
  proof: {
    // Sends the request without a login first, because a cache may still hold the account's response.
    plan(item, variant, { word }) {
      const request = freshly(requestOf(item));
      const elsewhere = new URL(variant.kind === 'for few' ? word : `/${word}`, item.url).href;
      return {
        nobody: { label: 'without a login', request, as: null },
        elsewhere: {
          label: 'page that does not exist, without a login',
          request: { method: 'GET', url: elsewhere },
          as: null,
          isControl: true,
        },
        owner: variant.kind === 'of an account' ? { label: 'as the account', request, isControl: true } : undefined,
        closed:
          variant.kind === 'for few'
            ? {
                label: 'other administrative page, without a login',
                request: { method: 'GET', url: variant.closed },
                as: null,
                isControl: true,
              }
            : undefined,
      };
    },
    judge({ owner, closed, ...others }, _variant, _nonce, item, facts) {
      if (owner) return judgeOwned({ ...others, owner }, marksOf(facts, item.seenAs));
      return closed ? judgeForFew({ ...others, closed }) : judgeAbout(others, facts);
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

function judgeOwned(answers: Responses<'owner'>, ofOwner: readonly string[]): Verdict {
  const compared = compareAll(answers);
  if (!compared) return 'VOID';
  const { nobody, elsewhere, owner } = compared;
  if (!isGiven(nobody) || !isGiven(owner)) return 'REFUTED';
  const isOnlyThere = (mark: string) =>
    shows(nobody.text, mark) && shows(owner.text, mark) && !shows(elsewhere.text, mark);
  const marks = ofOwner.filter(isOnlyThere);
  const isWhole = isSame(nobody, owner) && !isSame(nobody, elsewhere) && privateKeysOf(nobody.text).length > 0;
  if (marks.some(isPrivateMark) || (marks.length > 0 && isWhole)) return 'PROVED';
  return isWhole && !isFile(answers.nobody) ? 'LIKELY' : 'REFUTED';
}

/** Servers name the time of the last change of files, such as translations, whose keys look like those of accounts. */
const isFile = ({ response }: Observation) => headerOf(response?.headers ?? [], 'last-modified') !== undefined;

function judgeAbout(answers: Responses, known: WithAccounts): Verdict {
  const compared = compareAll(answers);
  if (!compared) return 'VOID';
  const { nobody, elsewhere } = compared;
  if (!isGiven(nobody) || isSame(nobody, elsewhere)) return 'REFUTED';
  return tellsOfSomebody(nobody.text, known) && !tellsOfSomebody(elsewhere.text, known) ? 'PROVED' : 'REFUTED';
}

/** LIKELY only: the URL is administrative, but the content may be public. */
function judgeForFew(answers: Responses<'closed'>): Verdict {
  const compared = compareAll(answers);
  if (!compared) return 'VOID';
  const { nobody, elsewhere, closed } = compared;
  if (!isGiven(nobody) || isGiven(closed) || isSame(nobody, closed)) return 'REFUTED';
  return isSame(nobody, elsewhere) || LOGIN.test(nobody.text) ? 'REFUTED' : 'LIKELY';
}
