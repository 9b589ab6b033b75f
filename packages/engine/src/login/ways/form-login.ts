import type { FormField, PageForm } from '../../crawl/effect/page-form.ts';

import type { Exchange } from '../../http/exchange/exchange.ts';
import { isSame, toAnswer } from '../../oracle/compare.ts';
import type { EngineCredential } from '../../protocol/messages.ts';
import {
  codeField,
  codeForm,
  type FoundForm,
  findForm,
  follow,
  type Landed,
  type LoginAnswer,
  look,
  passwordForm,
  type Resubmit,
  toLanded,
  userField,
} from '../find/find-form.ts';
import { readInstructions } from '../find/instructions.ts';
import { LOG_OUT, placesIn } from '../find/login-places.ts';
import { readLoginScripts } from '../find/login-scripts.ts';
import { BAD_SECRET, type Entry, explainRefusal, failure, type LoginFailure, NO_CODE } from '../proof/failure.ts';
import { linksBehind } from '../proof/prove-by-answer.ts';
import { isInClear } from '../proof/sent-secrets.ts';
import { refusesIn, SAYS_WRONG } from '../proof/verdict.ts';
import type { Session } from '../session/session.ts';
import type { OneTimeCodes } from '../session/totp.ts';

export type FormAccount = Pick<EngineCredential, 'user' | 'pass' | 'totpSecret' | 'instructions'>;

interface FormLogin {
  session: Session;
  targetUrl: string;
  account: FormAccount;
  codes: OneTimeCodes;
  /** Credentials submitted so far. */
  sent: { user: boolean; password: boolean; codes: number };
}

/** Allows for user, password and one-time code on separate pages, and for a code that expires in transit. */
const MOST_FORMS = 5;
const MOST_CODES = 2;

/** Logs in through HTML forms: submits the first one, including its hidden fields, then each form that follows. */
export async function logInByForm(
  session: Session,
  targetUrl: string,
  account: FormAccount,
  codes: OneTimeCodes,
): Promise<Entry | LoginFailure> {
  let next = await findForm(session, targetUrl, placesIn(account.instructions, targetUrl));
  if (!next) {
    const reason = `No login form was found on ${targetUrl}, on pages it links to, or at common login paths.`;
    return failure('NO_LOGIN', `${reason} Give the URL of the form in the instructions.`);
  }
  const login: FormLogin = { session, targetUrl, account, codes, sent: { user: false, password: false, codes: 0 } };
  for (let count = 0; count < MOST_FORMS; count++) {
    const answer: LoginAnswer | LoginFailure = await fillIn(next, login);
    if ('reason' in answer) return answer;
    const asked = whatIsAsked(answer, next, login);
    if (asked === undefined) return entryOf(answer, count === 0 ? next : undefined, login);
    if ('reason' in asked) return asked;
    next = asked;
  }
  return failure('NO_LOGIN', `The login on ${next.on.url} asks for one form after another. Use mode "browser".`);
}

/** The response to a form that is the only one can prove the login, where no other page does. */
function entryOf(landed: LoginAnswer, only: FoundForm | undefined, { session: _, ...login }: FormLogin): Entry {
  const { request } = landed.last;
  const arrival = { ...landed.last, request: { ...request, headers: [], body: '' } };
  const behind = only && request.method !== 'GET' ? linksBehind(landed, only.on) : [];
  // A URL that only took the form has no page that was ever seen, and the page with the form has.
  const isSent = request.method !== 'GET' && only !== undefined && landed.url !== only.on.url;
  const candidates = [...(isSent ? [only.on.url] : []), landed.url, ...behind];
  const entry = { candidates, bases: [], arrival };
  if (!only || request.method === 'GET' || login.sent.codes > 0) return entry;
  const resubmit: Resubmit = {
    before: only.on,
    landed,
    async send(session, pass) {
      const on = await look(session, only.on.url);
      const form = on && passwordForm(on.page.forms);
      const sent = { user: false, password: false, codes: 0 };
      const as: FormLogin = { ...login, session, account: { ...login.account, pass }, sent };
      const answer = form && (await submit({ form, on }, as));
      return answer && !('reason' in answer) ? answer : undefined;
    },
  };
  return { ...entry, resubmit };
}

async function fillIn(found: FoundForm, login: FormLogin): Promise<LoginAnswer | LoginFailure> {
  const { on } = found;
  const landed = await submit(found, login);
  if ('reason' in landed || login.sent.codes > 0 || !isIgnored(found, landed.last)) return landed;
  const reason = `Submitting the form on ${on.url} returned the identical page.`;
  const refusal = explainRefusal(`The login form on ${on.url}`, { text: landed.page.text, html: landed.html });
  if (refusal.code !== 'USER_OR_PASSWORD') return refusal;
  const others = found.form.fields.filter(({ type }) => !['hidden', 'submit', 'button', 'password'].includes(type));
  const values = others.slice(1).map(({ name }) => name);
  const cure =
    values.length > 0
      ? `Write the values of its other fields (${others.map(({ name }) => name).join(', ')}) in the instructions, such as: ${values[0]}=VALUE.`
      : 'Use mode "browser", or give the URL that its scripts send logins to.';
  return failure('NO_LOGIN', `${reason} ${cure}`);
}

async function submit(found: FoundForm, login: FormLogin): Promise<LoginAnswer | LoginFailure> {
  const { form, on } = found;
  const fields = await fill(found, login);
  if ('reason' in fields) return fields;
  // A password in a URL would end up in every access log along the way.
  if (form.method !== 'POST')
    return failure('NO_LOGIN', `The form on ${on.url} sends the password in the URL. Use POST.`);
  if (isInClear(form.action, on.url) || isInClear(form.action, login.targetUrl)) {
    return failure(
      'NOT_POSSIBLE',
      `The form on ${on.url} sends the password in cleartext to ${form.action}. Use https.`,
    );
  }
  const last = await follow(login.session, await sendForm(login.session, form, fields, on.url));
  const landed = toLanded(last);
  if (!landed) {
    const code = last.failure?.code === 'REFUSED' ? 'OUT_OF_SCOPE' : 'NO_ANSWER';
    return failure(code, `The login form was submitted, but no response arrived: ${last.failure?.message}`);
  }
  return { ...landed, last };
}

/** Returns the next form to submit; undefined if nothing more is asked for. */
function whatIsAsked(
  landed: Landed,
  before: FoundForm,
  { sent, account }: FormLogin,
): FoundForm | LoginFailure | undefined {
  const { url, status, page, html } = landed;
  const forCode = sent.password ? codeForm(landed) : undefined;
  if (forCode) {
    if (account.totpSecret === null) return failure('ONE_TIME_CODE', `${url} ${NO_CODE}`);
    if (sent.codes < MOST_CODES) return { form: forCode, on: landed };
    return failure('ONE_TIME_CODE', `${url} did not accept the one-time code. Check totpSecret.`);
  }
  const where = `The login form on ${before.on.url}`;
  const again = passwordForm(page.forms);
  // After a redirect, the status of the page says nothing about the password.
  if (sent.password && url !== before.form.action && !again && status < 500) return undefined;
  if (status === 404 || status === 405 || status === 415) {
    return failure('NO_LOGIN', `${where} returned status ${status}: the server does not accept it as a form.`);
  }
  if (status >= 500) return failure('NO_ANSWER', `${where} returned status ${status}.`);
  if (status === 429) return failure('LOCKED', `${where} returned status 429: too many attempts. Try later.`);
  if (!sent.password && again) return { form: again, on: landed };
  const isAgain = again !== undefined && isSamePlace(again, before.form);
  if (sent.password && status < 400 && !isAgain && !saysNo(landed)) return undefined;
  const { code, reason } = explainRefusal(where, { text: page.text, html }, status);
  const how = isAgain && status < 400 ? 'It was shown again.' : `The server returned status ${status}.`;
  return failure(code, `${reason} ${how}`);
}

const LONGEST_REFUSAL = 1_000;

/** A long page, or one with a link to log out, may say the same words about something else. */
function saysNo({ html, page: { text, links } }: Landed): boolean {
  if (!html.trimStart().startsWith('<')) return refusesIn(html);
  const offersToLeave = links.some(({ url, words }) => LOG_OUT.test(words) || LOG_OUT.test(url));
  return text.length <= LONGEST_REFUSAL && !offersToLeave && SAYS_WRONG.test(text);
}

/** Many sites respond to a wrong password with the same form and status 200. */
function isSamePlace(one: PageForm, other: PageForm): boolean {
  const place = (url: string) => url.replace(/\?.*$/s, '');
  return place(one.action) === place(other.action);
}

/**
 * Detects forms that only scripts can submit: the server responds with the identical page, without an error message.
 */
function isIgnored({ form, on }: FoundForm, last: Exchange): boolean {
  const { request, response } = last;
  if (!response || request.method !== 'POST' || request.url !== on.url || form.action !== on.url) return false;
  const before = { ...last, response: { ...response, status: on.status, body: Buffer.from(on.html) } };
  const [one, other] = [toAnswer(before), toAnswer(last)];
  return one !== undefined && other !== undefined && isSame(one, other);
}

async function fill({ form, on }: FoundForm, { account, codes, sent }: FormLogin): Promise<FormField[] | LoginFailure> {
  const values = new Map<FormField, string>();
  const isCodeAsked = account.totpSecret !== null && (sent.password || passwordForm([form]));
  const forCode = isCodeAsked ? codeField(form, `${on.page.text} ${form.words}`) : undefined;
  const told = readInstructions(account.instructions);
  const named = (name: string | undefined) => form.fields.find((field) => field.name === name && field !== forCode);
  const password = named(told.passField) ?? form.fields.find((field) => field.type === 'password' && field !== forCode);
  const others = form.fields.filter((field) => field !== forCode && field !== password);
  const user = sent.user ? undefined : (named(told.userField) ?? userField(others));
  for (const field of others) {
    const value = told.values.get(field.name);
    if (value !== undefined) values.set(field, value);
  }
  if (!sent.user && !user) {
    return failure('NO_LOGIN', `The form on ${on.url} has a password field, but none for a user name.`);
  }
  if (user) values.set(user, account.user);
  if (password) values.set(password, account.pass);
  if (forCode) {
    const code = await codes.next(account.totpSecret ?? '');
    if (code === undefined) return failure('NOT_POSSIBLE', BAD_SECRET);
    values.set(forCode, code);
    sent.codes++;
  }
  sent.user = true;
  sent.password ||= password !== undefined;
  return toSend(form.fields, values);
}

function toSend(fields: readonly FormField[], values: ReadonlyMap<FormField, string>): FormField[] {
  const button = fields.find(({ type }) => type === 'submit');
  return fields
    .filter(({ type }) => !['button', 'image', 'reset', 'file'].includes(type))
    .filter((field) => !field.isUnticked && (field.type !== 'submit' || field === button))
    .map((field) => ({ ...field, value: values.get(field) ?? field.value }));
}

async function sendForm(
  session: Session,
  form: PageForm,
  fields: readonly FormField[],
  pageUrl: string,
): Promise<Exchange> {
  const values = fields.map(({ name, value }): [string, string] => [name, value]);
  const send = (type: string, body: string) =>
    session.send({
      method: 'POST',
      url: form.action,
      headers: [
        ['Content-Type', type],
        ['Origin', new URL(pageUrl).origin],
        ['Referer', pageUrl],
      ],
      body,
    });
  const sent = await send('application/x-www-form-urlencoded', new URLSearchParams(values).toString());
  if (!(await mayExpectJson(session, sent, pageUrl))) return sent;
  const asJson = await send('application/json', JSON.stringify(Object.fromEntries(values)));
  const isRead = asJson.response !== null && asJson.response.status !== 415 && asJson.response.status < 500;
  return isRead ? asJson : sent;
}

/**
 * Resolves to whether the server did not read the encoding, and so did not evaluate the password. A server that fails at
 * a form may expect the JSON that scripts of the page send to the same URL.
 */
async function mayExpectJson(session: Session, { request, response }: Exchange, pageUrl: string): Promise<boolean> {
  const status = response?.status ?? 0;
  if (status === 415) return true;
  if (status !== 400 && status !== 422 && status < 500) return false;
  const { logins } = await readLoginScripts(session, pageUrl);
  return logins.has(request.url);
}
