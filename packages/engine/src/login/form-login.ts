import { type FormField, type PageForm, readPage } from '../crawl/read-page.ts';
import type { Exchange } from '../http/exchange.ts';
import { redirectOf } from '../http/headers.ts';
import type { Session } from './session.ts';

interface FormAccount {
  user: string;
  pass: string;
}

/** Where the account landed, or why it could not be logged in. */
export type FormLogin = { landedAt: string } | { reason: string };

const LOGIN_WORDS =
  /log\s?-?in|sign\s?-?in|anmeld|einlogg|connexion|connecter|iniciar|acceder|entrar|accedi|inlog|aanmeld|ingresar|войти/i;
const REGISTRATION_WORDS = /regist|sign\s?[-_]?up|create|join|subscribe|newsletter/i;
const USUAL_PATHS = ['/login', '/signin', '/account/login', '/users/sign_in', '/auth/login', '/wp-login.php'];
/** The likeliest first. */
const USER_NAMES = [/user|e-?mail|login/i, /account|name/i];
const MAX_REDIRECTS = 5;
const MOST_LINKS = 6;

interface FoundForm {
  form: PageForm;
  pageUrl: string;
}

/** Logs in through a plain HTML form: finds it, fills it in with everything that is hidden in it, sends it. */
export async function logInByForm(session: Session, targetUrl: string, account: FormAccount): Promise<FormLogin> {
  const found = await findForm(session, targetUrl);
  if (!found) {
    return { reason: `No login form was found on ${targetUrl}, on pages it links to, or at the usual addresses.` };
  }
  const { form, pageUrl } = found;
  // A password in an address would be in every log on the way.
  if (form.method !== 'POST') return { reason: `The form on ${pageUrl} sends the password in the address. Use POST.` };
  const fields = fill(form.fields, account);
  if (!fields) return { reason: `The form on ${pageUrl} has a password field, but none for a user name.` };
  if (new URL(pageUrl).protocol === 'https:' && new URL(form.action).protocol !== 'https:') {
    return { reason: `The form on ${pageUrl} sends the password in clear, to ${form.action}. Use https.` };
  }
  const sent = await sendForm(session, form, fields, pageUrl);
  const landed = await follow(session, sent);
  if (!landed.response)
    return { reason: `The login form was sent, and there was no answer: ${landed.failure?.message}` };
  if (landed.response.status >= 400) {
    const { status } = landed.response;
    return { reason: `The login form on ${pageUrl} was answered with status ${status}. Check user and password.` };
  }
  if (isShownAgain(form, landed)) {
    return {
      reason: `The form on ${pageUrl} was shown again instead of letting the account in. Check user and password.`,
    };
  }
  return { landedAt: landed.request.url };
}

/** Many sites answer a wrong password with the form again, and a status that says nothing. */
function isShownAgain({ action }: PageForm, { request, response }: Exchange): boolean {
  const { forms } = readPage(response?.body.toString() ?? '', request.url);
  const place = (url: string) => url.replace(/\?.*$/s, '');
  return forms.some((each) => passwordForm([each]) && place(each.action) === place(action));
}

async function findForm(session: Session, targetUrl: string): Promise<FoundForm | undefined> {
  const first = await look(session, targetUrl);
  const links = first?.page.links.filter(({ url, words }) => LOGIN_WORDS.test(words) || LOGIN_WORDS.test(url)) ?? [];
  const usual = USUAL_PATHS.map((path) => new URL(path, targetUrl).href);
  const places = [...new Set([...new Set(links.map(({ url }) => url))].slice(0, MOST_LINKS).concat(usual))];
  const onFirst = first && passwordForm(first.page.forms);
  if (first && onFirst) return { form: onFirst, pageUrl: first.url };
  for (const place of places) {
    const looked = await look(session, place);
    const form = looked && passwordForm(looked.page.forms);
    if (form) return { form, pageUrl: looked.url };
  }
  return undefined;
}

async function look(session: Session, url: string) {
  const exchange = await follow(session, await session.send({ method: 'GET', url }));
  if (!exchange.response || exchange.response.status >= 400) return undefined;
  return { url: exchange.request.url, page: readPage(exchange.response.body.toString(), exchange.request.url) };
}

/** With one password: a form with two registers somebody, or changes one. */
function passwordForm(forms: readonly PageForm[]): PageForm | undefined {
  return forms.find((form) => {
    const said = `${form.words} ${new URL(form.action).pathname}`;
    if (REGISTRATION_WORDS.test(said) && !LOGIN_WORDS.test(said)) return false;
    return form.fields.filter(({ type }) => type === 'password').length === 1;
  });
}

/** Undefined without a field for the user name. */
function fill(fields: readonly FormField[], { user, pass }: FormAccount): FormField[] | undefined {
  const writable = fields.filter(({ type }) => ['text', 'email', 'tel'].includes(type));
  const byName = USER_NAMES.map((pattern) => writable.find(({ name }) => pattern.test(name)));
  const userField = byName.find(Boolean) ?? writable[0];
  if (!userField) return undefined;
  const button = fields.find(({ type }) => type === 'submit');
  return fields
    .filter(({ type }) => !['button', 'image', 'reset', 'file'].includes(type))
    .filter((field) => !field.isUnticked && (field.type !== 'submit' || field === button))
    .map((field) => {
      if (field === userField) return { ...field, value: user };
      return field.type === 'password' ? { ...field, value: pass } : field;
    });
}

function sendForm(session: Session, form: PageForm, fields: readonly FormField[], pageUrl: string): Promise<Exchange> {
  const body = new URLSearchParams(fields.map(({ name, value }): [string, string] => [name, value])).toString();
  const headers = [
    ['Content-Type', 'application/x-www-form-urlencoded'],
    ['Origin', new URL(pageUrl).origin],
    ['Referer', pageUrl],
  ] as const;
  return session.send({ method: 'POST', url: form.action, headers, body });
}

/** With the session's cookies, which the sender knows nothing of. */
async function follow(session: Session, exchange: Exchange): Promise<Exchange> {
  let last = exchange;
  for (let hop = 0; hop < MAX_REDIRECTS; hop++) {
    const { response, request } = last;
    const next = redirectOf(response, request.url);
    if (!next) return last;
    last = await session.send({ method: 'GET', url: next.href });
  }
  return last;
}
