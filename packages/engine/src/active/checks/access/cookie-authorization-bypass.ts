import type { InventoryItem } from '../../../crawl/inventory/inventory.ts';
import { requestOf } from '../../../crawl/requests/write-request.ts';
import { isSame } from '../../../oracle/compare.ts';
import { compareAll, isGiven } from '../../../oracle/private-content.ts';
import { type Asking, defineSiteCheck, type Known, type Site } from '../../define-active-check.ts';
import type { PlannedRequest } from '../../experiment.ts';
import { freshly, isFunction, isMetBy, readsOnly, userOf, type WithAccounts } from '../../shared/accounts.ts';
import { asName, asRole, type Coding, codingsOf, otherId, says } from '../../shared/cookie-claims.ts';

/** An account, and what the value of one of its cookies claims. */
type Variant = { as: string; coding: Coding; url: string } & (
  | { claims: 'user'; other: string; item: InventoryItem }
  /** Computed from the name of the account, it is enough without any other credential. */
  | { claims: 'self'; item: InventoryItem }
  | { claims: 'role' }
);

const HOW: Record<Coding, string> = {
  plain: 'the name of the user',
  base64: 'the name of the user in Base64',
  md5: 'the MD5 hash of the name of the user',
  sha1: 'the SHA-1 hash of the name of the user',
  sha256: 'the SHA-256 hash of the name of the user',
};

const MOST_PAGES = 6;
const MOST_REFUSED = 4;

/** Replaces the value of every cookie that names the account or its id by that of the other one. */
const asUser =
  ({ as, other, coding }: Extract<Variant, { claims: 'user' }>, facts: WithAccounts, name?: string) =>
  (credential: string) => {
    const [own, foreign] = [as, other].map((each) => userOf(facts, each) ?? '');
    const [id, foreignId] = [as, other].map((each) => facts.accounts.find((one) => one.name === each)?.id);
    if (own && says(credential, coding, own)) return codingsOf[coding].write(name ?? foreign ?? '');
    const isId = id !== undefined && foreignId !== undefined && says(credential, coding, id);
    return isId ? codingsOf[coding].write(name === undefined ? foreignId : otherId(id)) : credential;
  };

/** Makes everything that does not name the account worthless. With a name, claims to be that one. */
const asNamed =
  ({ as, coding }: Variant, facts: WithAccounts, name?: string) =>
  (credential: string) => {
    const own = [userOf(facts, as), facts.accounts.find((one) => one.name === as)?.id];
    const isNamed = own.some((each) => each !== undefined && says(credential, coding, each));
    if (!isNamed) return credential.replace(/\w/g, 'A');
    return name === undefined ? credential : codingsOf[coding].write(name);
  };

const asStaff =
  ({ coding }: Pick<Variant, 'coding'>, isOther = false) =>
  (credential: string) => {
    const role = asRole(asName(credential, coding));
    return role === undefined ? credential : codingsOf[coding].write(isOther ? `${role}x` : role);
  };

/** Pages and JSON of the account, first those that visitors do not get: some sites show them a login instead. */
const ownPages = ({ origin }: Site, { inventory }: Known, as: string) =>
  inventory
    .filter((item) => item.url.startsWith(`${origin}/`) && item.method === 'GET' && readsOnly(item))
    .filter((item) => /html|json/i.test(item.contentType) && isMetBy(item, as))
    .toSorted((a, b) => Number(isMetBy(a, null)) - Number(isMetBy(b, null)))
    .slice(0, MOST_PAGES);

const refusedTo = ({ origin }: Site, { refused = [] }: Known, as: string) => {
  const urls = refused.filter((each) => each.as === as && each.url.startsWith(`${origin}/`)).map(({ url }) => url);
  return [...new Set(urls)].toSorted((a, b) => Number(isFunction(b)) - Number(isFunction(a))).slice(0, MOST_REFUSED);
};

/** What one of these credentials claims, without keeping it. */
interface Claim {
  claims: 'user' | 'role';
  coding: Coding;
}

function claimsIn(credentials: readonly string[], as: string, known: Known): Claim[] {
  const [user, id] = [userOf(known, as), known.accounts.find(({ name }) => name === as)?.id];
  const codings = Object.keys(codingsOf) as Coding[];
  return codings.flatMap((coding) =>
    credentials.flatMap((credential): Claim[] => {
      if ([user, id].some((own) => own !== undefined && says(credential, coding, own)))
        return [{ claims: 'user', coding }];
      return asRole(asName(credential, coding)) === undefined ? [] : [{ claims: 'role', coding }];
    }),
  );
}

async function variantsFor(site: Site, { known, ask, credentialsOf }: Asking): Promise<Variant[]> {
  const found: Variant[] = [];
  for (const { name: as } of known.accounts.slice(0, 2)) {
    const other = known.accounts.find(({ name }) => name !== as)?.name;
    const [page] = ownPages(site, known, as);
    // Some sites set the cookie on the first page after the login.
    if (page) await ask(freshly(requestOf(page)), as);
    const claims = claimsIn(await credentialsOf(as, `${site.origin}/`), as, known);
    for (const { coding, claims: claim } of new Map(claims.map((each) => [JSON.stringify(each), each])).values()) {
      if (claim === 'role')
        found.push(...refusedTo(site, known, as).map((url) => ({ claims: claim, as, coding, url })));
      else
        found.push(
          ...ownPages(site, known, as).map((item): Variant => {
            const own = { as, coding, item, url: item.url };
            return other === undefined ? { claims: 'self', ...own } : { claims: 'user', other, ...own };
          }),
        );
    }
    if (found.length > 0) break;
  }
  return found;
}

export default defineSiteCheck({
  id: 'cookie-authorization-bypass',
  title: 'Access control bypass: unsigned cookie identifies the user',
  cwe: 565,
  asvs: '8.2.2',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:L/UI:N/VC:H/VI:H/VA:N/SC:N/SI:N/SA:N',
  impact:
    'An attacker with any account changes a cookie in the browser and acts as another user or as an administrator.',
  why: 'The server reads the name of the user from a cookie that it does not verify. An attacker with any account writes another name into it and gets what belongs to that user. With the name of a second test account in the cookie, the first one received the page of the second; a random name did not return it.',
  fix: 'Keep identity and role in the session on the server, and put only a random session ID into the cookie. Where a cookie has to carry them, sign it and verify the signature at every request.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Session_Management_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/05-Authorization_Testing/02-Testing_for_Bypassing_Authorization_Schema',
    'https://cwe.mitre.org/data/definitions/565.html',
  ],
  risk: 'harmless',
  depth: 'STANDARD',
  appliesTo: (_site, known) => known.accounts.length > 0,
  variants: [] as Variant[],
  probe: (site, _nonce, asking) => variantsFor(site, asking),
  maxRequests: 60,
  placeOf: (_site, { url }) => url,
  describe: ({ claims, coding }) =>
    claims === 'self'
      ? {
          title: 'Access control bypass: anyone can compute the session cookie from a name',
          impact:
            'An attacker without an account computes the cookie of any user from the name, and acts as that user.',
          why: `The session cookie is ${HOW[coding]}, without a key. An attacker computes it from the name of any user and gets what belongs to that user, without a password. The cookie of a test account has exactly that value, and returned the account's page while every other credential was made worthless; the cookie of a random name did not.`,
        }
      : claims === 'role'
        ? {
            title: 'Access control bypass: a cookie without a signature decides about the role',
            why: 'The server reads the role of the user from a cookie that it does not verify. An attacker with any account writes another role into it and opens pages of staff. A page that the test account is refused opened with the changed cookie; with a random value it did not.',
          }
        : {},
  proof: {
    plan(_site, variant, { word }, facts) {
      const { as, url } = variant;
      const request = freshly(variant.claims === 'role' ? { method: 'GET', url } : requestOf(variant.item));
      const showing = (label: string, change: (credential: string) => string, isControl = false): PlannedRequest => ({
        label,
        request,
        as,
        session: { showing: { change } },
        ...(isControl && { isControl }),
      });
      const plain = { label: 'as the account', request, as, isControl: true };
      if (variant.claims === 'role') {
        return {
          plain,
          attack: showing('with a cookie that claims another role', asStaff(variant)),
          random: showing('with a cookie that claims a role that does not exist', asStaff(variant, true), true),
        };
      }
      const nobody = { label: 'without a login', request, as: null, isControl: true };
      if (variant.claims === 'self') {
        return {
          plain,
          attack: showing('with nothing but the cookie that is computed from the name', asNamed(variant, facts)),
          random: showing('with the cookie of a random name', asNamed(variant, facts, word), true),
          nobody,
        };
      }
      return {
        plain,
        attack: showing('with a cookie that claims to be the other account', asUser(variant, facts)),
        random: showing('with a cookie that claims a random name', asUser(variant, facts, word), true),
        theirs: { label: 'as the other account', request, as: variant.other, isControl: true },
        nobody,
      };
    },
    judge({ plain, attack, random, theirs, nobody }, variant, { word }, _site, facts) {
      // Pages show the name that the cookie claims, which proves nothing.
      const names = facts.accounts.flatMap(({ name, id }) => [userOf(facts, name) ?? '', id ?? '']);
      const compared = compareAll({ plain, attack, random }, [...names.filter((each) => each.length > 2), word]);
      if (!compared) return 'VOID';
      if (variant.claims === 'self' && nobody) {
        const others = compareAll({ nobody }, [...names.filter((each) => each.length > 2), word]);
        if (!others || !isGiven(compared.plain)) return 'VOID';
        const isRefused = [compared.random, others.nobody].every((each) => !isSame(each, compared.plain));
        return isGiven(compared.attack) && isSame(compared.attack, compared.plain) && isRefused ? 'PROVED' : 'REFUTED';
      }
      const isOpened = isGiven(compared.attack) && !isSame(compared.attack, compared.plain);
      if (!isOpened || isSame(compared.attack, compared.random)) return 'REFUTED';
      if (variant.claims === 'role') return isGiven(compared.plain) || isGiven(compared.random) ? 'REFUTED' : 'PROVED';
      if (!theirs || !nobody) return 'VOID';
      const others = compareAll({ theirs, nobody }, [...names.filter((each) => each.length > 2), word]);
      if (!others) return 'VOID';
      return isSame(compared.attack, others.theirs) && !isSame(compared.attack, others.nobody) ? 'PROVED' : 'REFUTED';
    },
  },
  lab: () => {
    const orders = new Map([
      ['alice@shop.test', 'Assam, second flush'],
      ['bob@shop.test', 'Sencha, first harvest'],
    ]);
    const page = (account: string | null, name = '') =>
      account !== null && orders.has(name)
        ? {
            headers: { 'content-type': 'text/html', 'set-cookie': `user=${name}; Path=/` },
            body: `<p>${name}: ${orders.get(name)}</p>`,
          }
        : { status: 401, body: 'Log in first' };
    const claimed = (cookie = '') => /(?:^|;\s*)user=([\w@.]+)/.exec(cookie)?.[1];
    return {
      item: { method: 'GET', url: '/orders', parameters: [], seenAs: 'alice', contentType: 'text/html' },
      vulnerable: ({ account, headers }) => page(account, claimed(headers.cookie) ?? `${account}@shop.test`),
      // Sets the cookie as well, to greet the visitor.
      safe: ({ account }) => page(account, `${account}@shop.test`),
    };
  },
});
