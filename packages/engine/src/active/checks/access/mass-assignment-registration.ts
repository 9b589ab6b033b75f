import { effectOf } from '../../../crawl/effect/judge.ts';
import { readAnswer } from '../../../crawl/readers/read-answer.ts';
import type { Exchange } from '../../../http/exchange/exchange.ts';
import { tokenOf } from '../../../login/session/tokens.ts';
import { isSame, toAnswer } from '../../../oracle/compare.ts';
import { type Asking, defineRequestCheck } from '../../define-active-check.ts';
import type { Nonce, PlannedRequest } from '../../experiment.ts';
import { registrationLab } from '../../labs/token-members.ts';
import { isFunction } from '../../shared/accounts.ts';
import { type ExtraField, withFields } from '../../shared/extra-fields.ts';
import { asksForPassword } from '../../shared/login-attempts.ts';
import {
  inBody,
  isSameRequest,
  loggingIn,
  plannedFor,
  registering,
  registersAccounts,
} from '../../shared/own-account.ts';
import { cookiesOf, findOwnSession, type OwnSession, plannedIn, showsName } from '../../shared/own-session.ts';
import { byTokenOf, findOwnToken, type OwnToken, withToken } from '../../shared/own-token.ts';

type Own = OwnSession | OwnToken;

/** A field of the registration, and a page that only accounts registered with it may open. */
interface Variant {
  own: Own;
  page: string;
  field: ExtraField;
}

/** The usual names of roles and flags, with the value that grants most. */
const FIELDS: readonly ExtraField[] = [
  ['role', 'admin'],
  ['isAdmin', true],
  ['is_admin', true],
  ['admin', true],
  ['is_staff', true],
  ['userType', 'admin'],
];
/** Tried one by one where the registration refuses unknown fields. */
const MOST_ALONE = 4;
const MOST_CANDIDATES = 6;
const MOST_PAGES = 2;

/** Nobody can derive the password of an account with rights from its name. */
const secretOf = ({ numbers }: Nonce) => `${numbers.join('')}!Aa1`;

const isRefusal = ({ response }: Exchange) => {
  const status = response?.status ?? 0;
  return status === 401 || status === 403 || status === 404 || (status >= 300 && status < 400);
};
const isGranted = (exchange: Exchange) =>
  exchange.response !== null && exchange.response.status >= 200 && exchange.response.status < 300;

type Opening = (url: string) => Promise<Exchange>;

/** Registers an account with these fields and logs it in. Resolves to undefined if it gets no session. */
async function enterWith(
  own: Own,
  word: string,
  fields: readonly ExtraField[],
  { nonce, asking }: { nonce: Nonce; asking: Asking },
): Promise<{ open: Opening; entered: Exchange } | undefined> {
  const { askAsNewVisitor, willChange } = asking;
  const request = withFields(registering(own, word, secretOf(nonce)), own.register, fields);
  if (!request) return undefined;
  await willChange([]);
  await askAsNewVisitor(request);
  const entered = await askAsNewVisitor(loggingIn(own, word, secretOf(nonce)));
  const token = 'scheme' in own ? tokenOf(entered)?.token : undefined;
  const cookies = cookiesOf(entered);
  if ('scheme' in own ? token === undefined : cookies === '') return undefined;
  const open: Opening = (url) =>
    'scheme' in own
      ? askAsNewVisitor(withToken({ method: 'GET', url }, own.scheme, token ?? ''))
      : askAsNewVisitor({ method: 'GET', url, headers: [['Cookie', cookies]] });
  return { open, entered };
}

/** Resolves to pages that a usual account is refused: those that its own pages link to, and those of the crawl. */
async function refusedPages(own: Own, nonce: Nonce, asking: Asking): Promise<Map<string, Exchange>> {
  const name = `${nonce.word}u`;
  const usual = await enterWith(own, name, [], { nonce, asking });
  const found = new Map<string, Exchange>();
  const shown = await usual?.open(own.page);
  if (!usual || !shown || !showsName(shown, name)) return found;
  const { origin } = new URL(own.page);
  const linked = [shown, usual.entered].flatMap((each) => readAnswer(each, each.request.url)?.links ?? []);
  const known = (asking.known.refused ?? []).toSorted((a, b) => Number(isFunction(b.url)) - Number(isFunction(a.url)));
  const urls = [...linked, ...known]
    .map(({ url }) => url)
    .filter((url) => url.startsWith(`${origin}/`) && url !== own.page)
    .filter((url) => effectOf({ method: 'GET', url }) === 'reads');
  for (const url of [...new Set(urls)].slice(0, MOST_CANDIDATES)) {
    const answer = await usual.open(url);
    if (isRefusal(answer)) found.set(url, answer);
    if (found.size >= MOST_PAGES) break;
  }
  return found;
}

async function pageGrantedBy(
  own: Own,
  fields: readonly ExtraField[],
  pages: ReadonlyMap<string, Exchange>,
  { word, ...more }: { word: string; nonce: Nonce; asking: Asking },
): Promise<{ hasEntered: boolean; page?: string }> {
  const made = await enterWith(own, word, fields, more);
  for (const page of made ? pages.keys() : []) {
    const answer = await made?.open(page);
    if (answer && isGranted(answer) && !asksForPassword(answer)) return { hasEntered: true, page };
  }
  return { hasEntered: made !== undefined };
}

async function findField(own: Own, nonce: Nonce, asking: Asking): Promise<Variant[]> {
  const taken = new Set(inBody(own.register).map(({ name }) => name.split('/').at(-1)?.toLowerCase()));
  const fields = FIELDS.filter(([name]) => !taken.has(name.toLowerCase()));
  const pages = await refusedPages(own, nonce, asking);
  if (pages.size === 0) return [];
  const all = await pageGrantedBy(own, fields, pages, { word: `${nonce.word}v`, nonce, asking });
  if (all.hasEntered && all.page === undefined) return [];
  for (const [index, field] of fields.slice(0, all.hasEntered ? fields.length : MOST_ALONE).entries()) {
    const { page } = await pageGrantedBy(own, [field], pages, { word: `${nonce.word}v${index}`, nonce, asking });
    if (page !== undefined) return [{ own, page, field }];
  }
  return [];
}

/** Plans an account with one further field, or none, and its visit of the page. */
function visitBy({ own, page }: Variant, nonce: Nonce, key: string, field?: ExtraField) {
  const word = `${nonce.word}${key}`;
  const plain = registering(own, word, secretOf(nonce));
  const inSession = (label: string, url: string, isControl: boolean): PlannedRequest => {
    const request = { method: 'GET', url };
    const written = 'scheme' in own ? { written: byTokenOf(`${key}Login`, request, own.scheme) } : {};
    return plannedIn(key, label, request, { isControl, ...written });
  };
  const login = loggingIn(own, word, secretOf(nonce));
  const told = field === undefined ? 'without the field' : `with the field ${field[0]}`;
  const isControl = key !== 'made';
  // The account may have the rights of staff: readers of the report need no login to it.
  const secrets = [secretOf(nonce)];
  const request = field ? (withFields(plain, own.register, [field]) ?? plain) : plain;
  const registered = plannedFor(`account of the run registered ${told}`, request, {
    isControl,
    change: { leavesTraces: true },
  });
  return {
    registered: { ...registered, secrets },
    login: { ...plannedIn(key, `login of the account ${told}`, login, { isControl }), secrets },
    page: inSession(`the page by the account ${told}`, page, isControl),
    inside: inSession(`own page of the account ${told}`, own.page, true),
  };
}

export default defineRequestCheck({
  id: 'mass-assignment-registration',
  flaw: { name: 'mass-assignment', rank: 2 },
  title: 'Mass assignment: registration accepts a privileged field',
  cwe: 915,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:H/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:L/VI:H/VA:N/SC:N/SI:N/SA:N',
  impact: 'An attacker registers an account with an administrative role and uses the functions of that role.',
  needsNoAccount: true,
  why: 'The registration stores a privileged field that its form does not offer, and no response shows it. An attacker adds the field and gets an account with the rights of staff. The run registered accounts of its own: the one with the field opened a page that was refused to one without it, to one with a field of a random name, and to visitors. The accounts remain on the target; their names begin with the marker of the run, and their passwords are random.',
  fix: 'Bind only an allowlist of fields from the registration (a DTO, strong parameters, a schema that rejects unknown keys), and set the role on the server. Do not pass the request body to the model. Delete the accounts that the test registered: one of them has the rights of the role.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Mass_Assignment_Cheat_Sheet.html',
    'https://owasp.org/API-Security/editions/2023/en/0xa3-broken-object-property-level-authorization/',
    'https://cwe.mitre.org/data/definitions/915.html',
  ],
  risk: 'intrusive',
  depth: 'STANDARD',
  namesOwn: true,
  registersOwn: true,
  appliesTo: registersAccounts,
  variants: [] as Variant[],
  async probe(item, nonce, asking) {
    const searching = { ...asking, item, word: nonce.word };
    const own = (await findOwnSession(searching)) ?? (await findOwnToken(searching));
    return own && isSameRequest(own.register, item) ? findField(own, nonce, asking) : [];
  },
  maxRequests: 100,
  describe: ({ field }) => ({ fields: [field[0]] }),
  proof: {
    plan(_item, variant, nonce) {
      const [, value] = variant.field;
      const usual = visitBy(variant, nonce, 'usual');
      const other = visitBy(variant, nonce, 'other', [nonce.word, value]);
      const made = visitBy(variant, nonce, 'made', variant.field);
      return {
        usualRegistered: usual.registered,
        usualLogin: usual.login,
        usualInside: usual.inside,
        usual: usual.page,
        otherRegistered: other.registered,
        otherLogin: other.login,
        otherInside: other.inside,
        other: other.page,
        stranger: plannedFor('the page without a login', { method: 'GET', url: variant.page }, { isControl: true }),
        madeRegistered: made.registered,
        madeLogin: made.login,
        made: made.page,
      };
    },
    judge({ usualInside, usual, otherInside, other, stranger, made }, _variant, { word }) {
      if (!showsName(usualInside, `${word}usual`) || !showsName(otherInside, `${word}other`)) return 'VOID';
      if (![usual, other, stranger].every(isRefusal)) return 'REFUTED';
      const [granted, refused] = [toAnswer(made), toAnswer(usual)];
      if (!granted || !refused || !isGranted(made) || asksForPassword(made)) return 'REFUTED';
      return isSame(granted, refused) ? 'REFUTED' : 'PROVED';
    },
  },
  lab: () => registrationLab({ vulnerable: { takesRole: true }, safe: { echoesRole: true } }),
});
