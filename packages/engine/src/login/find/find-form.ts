import type { FormField, PageForm } from '../../crawl/effect/page-form.ts';
import { type CrawledPage, readPage } from '../../crawl/readers/read-page.ts';
import type { Exchange } from '../../http/exchange/exchange.ts';
import type { Session } from '../session/session.ts';
import { LOGIN_WORDS, USUAL_PATHS } from './login-places.ts';

const REGISTRATION_WORDS = /regist|sign\s?[-_]?up|create|join|subscribe|newsletter/i;
/** Most likely first. */
const USER_NAMES = [/user|e-?mail|login/i, /account|name/i];
const CODE_NAME = /otp|2fa|mfa|two.?factor|one.?time|passcode|authenticator|(?:verif\w*|security|auth\w*).?code/i;
/** These indicate a one-time code only if the page mentions one: shops also have voucher codes. */
const VAGUE_CODE_NAME = /code|token|pin/i;
const CODE_WORDS =
  /authenticator|two.?factor|2fa|mfa|one.?time|verification code|security code|[0-9six]+.digit|zwei.?faktor|einmal/i;
const MOST_LINKS = 6;
const MAX_REDIRECTS = 5;

/** A response parsed as a page, with its URL and status. */
export interface Landed {
  url: string;
  status: number;
  html: string;
  page: CrawledPage;
}

export interface FoundForm {
  form: PageForm;
  on: Landed;
}

/** The page in the response to a login form. */
export type LoginAnswer = Landed & { last: Exchange };

/** A login form that can be submitted again, with the right or with a wrong password. */
export interface Resubmit {
  /** The page with the form. */
  before: Landed;
  landed: LoginAnswer;
  send(session: Session, pass: string): Promise<LoginAnswer | undefined>;
}

/** Follows redirects with the session's cookies, which the sender does not know. */
export async function follow(session: Session, exchange: Exchange): Promise<Exchange> {
  let last = exchange;
  for (let hop = 0; hop < MAX_REDIRECTS; hop++) {
    const { response, request } = last;
    const location = response?.headers.find(([name]) => name.toLowerCase() === 'location')?.[1];
    const next = location && response.status >= 300 && response.status < 400 && URL.parse(location, request.url);
    if (!next) return last;
    last = await session.send({ method: 'GET', url: next.href });
  }
  return last;
}

export function toLanded({ request, response }: Exchange): Landed | undefined {
  if (!response) return undefined;
  const html = response.body.toString();
  return { url: request.url, status: response.status, html, page: readPage(html, request.url) };
}

/** Resolves to undefined if there is no page. */
export async function look(session: Session, url: string): Promise<Landed | undefined> {
  const landed = toLanded(await follow(session, await session.send({ method: 'GET', url })));
  return landed && landed.status < 400 ? landed : undefined;
}

/**
 * Finds a login form at the URLs the owner names, on the target, behind its login links, and at common paths. Prefers a
 * form with a password field over one that asks for the user only.
 */
export async function findForm(
  session: Session,
  targetUrl: string,
  named: readonly string[],
): Promise<FoundForm | undefined> {
  let ofFirstStep: FoundForm | undefined;
  const places = [...named, targetUrl];
  for (let index = 0; index < places.length; index++) {
    const on = await look(session, places[index] ?? '');
    if (index === named.length) {
      const others = [...linksToLogin(on), ...USUAL_PATHS.map((path) => new URL(path, targetUrl).href)];
      places.push(...new Set(others.filter((url) => !places.includes(url))));
    }
    const form = on && passwordForm(on.page.forms);
    if (form) return { form, on };
    const first = on && !ofFirstStep && firstStepForm(on);
    if (first) ofFirstStep = { form: first, on };
  }
  return ofFirstStep;
}

function linksToLogin(on: Landed | undefined): string[] {
  const links = on?.page.links.filter(({ url, words }) => LOGIN_WORDS.test(words) || LOGIN_WORDS.test(url)) ?? [];
  return [...new Set(links.map(({ url }) => url))].slice(0, MOST_LINKS);
}

const saidOf = (form: PageForm) => `${form.words} ${new URL(form.action).pathname}`;
const isRegistration = (form: PageForm) => REGISTRATION_WORDS.test(saidOf(form)) && !LOGIN_WORDS.test(saidOf(form));

/** Returns the first form with exactly one password field: forms with two register an account or change a password. */
export function passwordForm(forms: readonly PageForm[]): PageForm | undefined {
  return forms.find(
    (form) =>
      !isRegistration(form) &&
      form.fields.filter(({ type, name }) => type === 'password' && !CODE_NAME.test(name)).length === 1,
  );
}

/** Returns a form that asks for the user only; the password follows on the next page. */
function firstStepForm({ page, url }: Landed): PageForm | undefined {
  return page.forms.find((form) => {
    const isOfLogin = LOGIN_WORDS.test(saidOf(form)) || LOGIN_WORDS.test(new URL(url).pathname);
    const hasPassword = form.fields.some(({ type }) => type === 'password');
    return form.method === 'POST' && isOfLogin && !hasPassword && !isRegistration(form) && userField(form.fields);
  });
}

const isWritable = ({ type }: FormField) => ['text', 'email', 'tel'].includes(type);

export function userField(fields: readonly FormField[]): FormField | undefined {
  const writable = fields.filter(isWritable);
  const byName = USER_NAMES.map((pattern) => writable.find(({ name }) => pattern.test(name)));
  return byName.find(Boolean) ?? writable[0];
}

export function codeField({ fields }: PageForm, said: string): FormField | undefined {
  const possible = fields.filter((field) => isWritable(field) || ['number', 'password'].includes(field.type));
  const isVague = ({ name }: FormField) => VAGUE_CODE_NAME.test(name) && CODE_WORDS.test(said);
  return possible.find(({ name }) => CODE_NAME.test(name)) ?? possible.find(isVague);
}

export function codeForm({ page }: Landed): PageForm | undefined {
  return page.forms.find((form) => codeField(form, `${page.text} ${form.words}`) && !passwordForm([form]));
}
