import type { InventoryItem } from '../../../crawl/inventory/inventory.ts';
import { readPage } from '../../../crawl/readers/read-page.ts';
import { cookiesOf } from '../../../evidence/page/cookies.ts';
import { type Form, formsOf, isPassword } from '../../../evidence/page/forms.ts';
import { scanPage } from '../../../html/scan-page.ts';
import { headerOf } from '../../../http/exchange/headers.ts';
import { isGiven, textOf } from '../../../oracle/private-content.ts';
import { defineRequestCheck, type Known } from '../../define-active-check.ts';
import type { Observation } from '../../experiment.ts';
import type { LabRequest } from '../../lab.ts';
import { freshly, readsOnly } from '../../shared/accounts.ts';

/** Tells a form that changes a password from one that derives a key or checks a password's strength. */
const CHANGES = /\b(?:change|update|set|choose|reset|new)\b[^.<>]{0,40}pass(?:word|phrase|code)/i;
const OLD = /old|current|existing|previous|actual|present/i;
const TOKEN = /csrf|xsrf|token|nonce|authenticity|verif|captcha|otp|code|key/i;
/** A hidden value that is longer may be a token under another name. */
const LONGEST_PLAIN = 7;

type Field = Form['fields'][number];
const told = ({ attributes }: Field, key: 'name' | 'type') => attributes.get(key)?.trim().toLowerCase() ?? '';

const isSecret = (field: Field) =>
  TOKEN.test(told(field, 'name')) ||
  (told(field, 'type') === 'hidden' && (field.attributes.get('value') ?? '').length > LONGEST_PLAIN);
/** Names whose password it is, as in the form for a new account. */
const isText = (field: Field) => field.name === 'input' && /^(?:|text|email|tel)$/.test(told(field, 'type'));

/** Returns whether the form sets a new password by GET, with nothing that another site does not know. */
function isForgeable({ element, method, fields }: Form): boolean {
  const passwords = fields.filter(isPassword);
  // Without the attribute, a script submits it. One password logs in, three are the old one and the new one twice.
  return (
    method === 'GET' &&
    element.attributes.has('method') &&
    !element.attributes.has('onsubmit') &&
    passwords.length === 2 &&
    !passwords.some((field) => OLD.test(told(field, 'name'))) &&
    !fields.some((field) => isText(field) || isSecret(field))
  );
}

const plain = (text: string) =>
  text
    .replace(/<[^>]*>/g, ' ')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[\s/_-]+/g, ' ');

/** Returns whether the form itself says that it changes a password: its text, headings, buttons or action. */
function saysChange({ fields, actions }: Form, html: string, url: string): boolean {
  const names = fields.filter(isPassword).map((field) => field.attributes.get('name') ?? '');
  const hasAll = (text: string) => names.every((name) => text.includes(name));
  const sources = [...html.matchAll(/<form\b.*?<\/form>/gis)].map(([source]) => source).filter(hasAll);
  const read = readPage(html, url).forms.filter((form) => hasAll(form.fields.map(({ name }) => name).join('\n')));
  const own = [
    ...sources,
    ...read.flatMap(({ headings = '', words }) => [headings, words]),
    ...actions.map(({ pathname }) => pathname),
  ];
  return own.some((text) => CHANGES.test(plain(text)));
}

function offers(exchange: Pick<Observation, 'request' | 'response'>): boolean {
  const [text, { url }] = [textOf(exchange), exchange.request];
  return formsOf(scanPage(text), new URL(url)).some((form) => isForgeable(form) && saysChange(form, text, url));
}

/** Returns whether links of other sites carry no session: scripts add a bearer token, or the cookie is strict. */
function isOutOfReach({ request, response }: Pick<Observation, 'request' | 'response'>): boolean {
  const hops = [{ url: request.url, status: 200, headers: response?.headers ?? [] }];
  const cookies = cookiesOf({ hops, body: '', isCut: false, gatheredAt: new Date().toISOString() });
  return (
    /^bearer /i.test(headerOf(request.headers ?? [], 'authorization') ?? '') ||
    cookies.some(({ isSession, sameSite }) => isSession && /^strict$/i.test(sameSite ?? ''))
  );
}

const readingOf = ({ url }: InventoryItem) => freshly({ method: 'GET', url });
const readerOf = ({ seenAs }: InventoryItem, { accounts }: Pick<Known, 'accounts'>) =>
  seenAs ?? accounts[0]?.name ?? null;
/** The link of a reset mail contains a secret. */
const isSecretLink = ({ url }: InventoryItem) =>
  [...new URL(url).searchParams].some(([name, value]) => TOKEN.test(name) || value.length > LONGEST_PLAIN);

/** Nothing is changed: a password that the run does not know any more would lock out its owner. */
export default defineRequestCheck({
  id: 'csrf-password-change',
  title: 'Cross-site request forgery (CSRF): a link changes the password',
  cwe: 352,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:U/C:H/I:H/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:P/VC:H/VI:H/VA:N/SC:N/SI:N/SA:N',
  impact: 'An attacker sets the password of a logged-in user who opens a link, and takes over the account.',
  asvs: '6.2.3',
  needsNoAccount: true,
  why: 'The form sets a new password with a GET request that contains neither an anti-CSRF token nor the current password. Browsers send session cookies along with links, also with SameSite=Lax. An attacker who lures a logged-in user to a link sets their password and takes over the account. We observed the form as a logged-in user and did not submit it.',
  fix: 'Change passwords only by POST, require the current password, and verify a random token per session. Set SameSite=Lax or Strict on the session cookie.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Cross-Site_Request_Forgery_Prevention_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/06-Session_Management_Testing/05-Testing_for_Cross_Site_Request_Forgery',
    'https://cwe.mitre.org/data/definitions/352.html',
  ],
  risk: 'harmless',
  appliesTo: (item, known) =>
    item.method === 'GET' &&
    readerOf(item, known) !== null &&
    readsOnly(item) &&
    item.hints?.includes('password') === true &&
    !isSecretLink(item),
  variants: [null],
  async probe(item, _nonce, { ask, known }) {
    return offers(await ask(readingOf(item), readerOf(item, known))) ? [null] : [];
  },
  maxRequests: 8,
  proof: {
    plan(item, _variant, _nonce, facts) {
      const [request, as] = [readingOf(item), readerOf(item, facts)];
      return {
        first: { label: 'page with the form, as the account', request, as },
        second: { label: 'same page once more', request, as },
        // Shows the attributes of the session cookie.
        visitor: { label: 'same page without a session', request, session: { isNew: true } },
      };
    },
    judge({ first, second, visitor }) {
      if ([first, second, visitor].some((each) => isOutOfReach(each))) return 'REFUTED';
      // LIKELY only, because the form is not submitted.
      return isGiven(first.response) && offers(first) && offers(second) ? 'LIKELY' : 'REFUTED';
    },
  },
  lab() {
    const page =
      (fields: string) =>
      ({ account }: LabRequest) =>
        account === null
          ? { status: 302, headers: { location: '/login' } }
          : {
              headers: { 'content-type': 'text/html' },
              body: `<h2>Change your password</h2><form method="get"><input type="password" name="new"><input type="password" name="confirm">${fields}<button>Change</button></form>`,
            };
    return {
      item: {
        method: 'GET',
        url: '/password',
        parameters: [],
        seenAs: 'alice',
        contentType: 'text/html',
        hints: ['password'],
      },
      confidence: 'FIRM',
      vulnerable: page(''),
      safe: page('<input type="hidden" name="proof" value="5b1e7f0c2d">'),
    };
  },
});
