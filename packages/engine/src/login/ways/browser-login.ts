import { withAssetCache } from '../../browser/asset-cache.ts';
import type { Browser } from '../../browser/browser.ts';
import type { Driven } from '../../browser/drive.ts';
import type { Exchange } from '../../http/exchange/exchange.ts';
import { placesIn, USUAL_PATHS } from '../find/login-places.ts';
import {
  clickToLogin,
  codeInputs,
  fillCode,
  isAlive,
  isShown,
  PASSWORD,
  submit,
  until,
  untilQuiet,
  userInput,
} from '../find/page-fields.ts';
import { BAD_SECRET, type Entry, explainRefusal, failure, type LoginFailure, NO_CODE } from '../proof/failure.ts';
import { answerTo, carries, isInClear, isInQuery, notSent, sentInClear, statusOf } from '../proof/sent-secrets.ts';
import { verdictOn } from '../proof/verdict.ts';
import type { OpenSession } from '../session/session.ts';
import type { OneTimeCodes } from '../session/totp.ts';
import type { FormAccount } from './form-login.ts';
import { since, takeOver } from './take-over.ts';

interface BrowserLogin {
  session: OpenSession;
  targetUrl: string;
  account: FormAccount;
  codes: OneTimeCodes;
  isCovered(url: string): boolean;
}

const ROUTE = '#/login';
const OPEN_MS = 15_000;
const NEXT_MS = 6_000;
const MOST_CODES = 2;
const MOST_SAID = 2_000;

/**
 * Logs in through the user interface: opens the login page, fills in its fields, then copies cookies, token headers and
 * storage into the session.
 */
export async function logInByBrowser(
  browser: Pick<Browser, 'drive'>,
  login: BrowserLogin,
): Promise<Entry | LoginFailure> {
  let inAddress = false;
  let inClear: string | undefined;
  const { pass } = login.account;
  const send = withAssetCache(async (request, from) => {
    // A password in a URL would end up in every access log along the way.
    if (isInQuery(request.url, pass)) {
      inAddress = true;
      return notSent(request, 'Passwords are not sent in URLs.');
    }
    if (isInClear(request.url, login.targetUrl) && carries(request.body, pass)) {
      inClear = request.url;
      return notSent(request, 'Passwords are not sent in cleartext.');
    }
    return login.session.load(request, from);
  });
  const answer = await browser.drive(send, (driven) => goThrough(driven, login));
  if (inAddress) return failure('NO_LOGIN', `The login on ${login.targetUrl} sends the password in the URL. Use POST.`);
  if (inClear !== undefined) return sentInClear(inClear);
  return answer ?? failure('NO_ANSWER', `The login page of ${login.targetUrl} did not finish in the browser.`);
}

async function goThrough(driven: Driven, login: BrowserLogin): Promise<Entry | LoginFailure> {
  const { page, exchanges } = driven;
  if (!(await openLogin(driven, login))) return nothingFound(driven, login);
  const before = exchanges.at(-1);
  const unsent = await enterPassword(driven, login);
  if (unsent) return unsent;
  const coded = await enterCodes(driven, login);
  // A target that requires a one-time code may reject the request with the password alone.
  const refused = coded === 'ENTERED' ? undefined : (coded ?? (await refusalOf(driven, login.account, before)));
  if (refused) return refused;
  await untilQuiet(driven);
  if (!login.isCovered(page.url())) return elsewhere(page.url());
  return { ...(await takeOver(driven, login, before)), arrival: arrivalOf(driven, before) };
}

/** Returns the response that the page shows, without the credentials that were sent for it. */
function arrivalOf({ page, exchanges }: Driven, before: Exchange | undefined): Exchange | undefined {
  const url = page.url().replace(/#.*$/s, '');
  const shown = since(exchanges, before).findLast(({ request }) => request.url === url);
  return shown && { ...shown, request: { ...shown.request, headers: [], body: '' } };
}

/** Opens the login page. Resolves to whether a user or password field is visible. */
async function openLogin(driven: Driven, { targetUrl, account }: BrowserLogin): Promise<boolean> {
  const { page } = driven;
  const usual = [...USUAL_PATHS, ROUTE].map((path) => new URL(path, targetUrl).href);
  let vague: string | undefined;
  const waiting = [...placesIn(account.instructions, targetUrl), targetUrl, ...usual];
  for (let place = waiting.shift(); place !== undefined; place = waiting.shift()) {
    if (!(await go(driven, place))) return false;
    if (await isShown(page, PASSWORD)) return true;
    // The start page has fields for other purposes; on a login page, the only text field is the user name.
    const user = place === targetUrl ? undefined : await userInput(page);
    if (user && !user.isVague) return true;
    if (user) vague ??= place;
    if (place !== targetUrl) continue;
    // With hash routing, all other paths serve the same page.
    if (/#!?\//.test(page.url())) waiting.unshift(new URL(ROUTE, page.url()).href);
    if (!(await clickToLogin(page))) continue;
    await untilQuiet(driven);
    if ((await isShown(page, PASSWORD)) || (await userInput(page))) return true;
  }
  // A vague field is the last resort: sites that serve one page for all paths show an unrelated field on it.
  return vague !== undefined && (await go(driven, vague));
}

/** Resolves to whether the page is responsive after navigation. */
async function go(driven: Driven, place: string): Promise<boolean> {
  await driven.page.goto(place, { timeout: OPEN_MS, waitUntil: 'load' }).catch(() => undefined);
  await untilQuiet(driven);
  return isAlive(driven.page);
}

/** Resolves to undefined once the password was submitted. */
async function enterPassword(
  driven: Driven,
  { account, isCovered, targetUrl }: BrowserLogin,
): Promise<LoginFailure | undefined> {
  const { page } = driven;
  if (!isCovered(page.url())) return elsewhere(page.url());
  const user = (await userInput(page))?.field;
  if (user) await user.fill(account.user);
  if (!(await isShown(page, PASSWORD))) {
    if (user) await submit(driven, user);
    if (!(await until(() => isShown(page, PASSWORD), NEXT_MS))) {
      return isCovered(page.url())
        ? explainRefusal(`The login page ${page.url()}`, await seen(driven))
        : elsewhere(page.url());
    }
  }
  if (!isCovered(page.url())) return elsewhere(page.url());
  if (new URL(targetUrl).protocol === 'https:' && new URL(page.url()).protocol !== 'https:') {
    return failure('NOT_POSSIBLE', `The login page ${page.url()} would send the password in cleartext. Use https.`);
  }
  const password = page.locator(PASSWORD).first();
  await password.fill(account.pass);
  await submit(driven, password);
  await until(async () => !(await isShown(page, PASSWORD)) || (await codeInputs(page)) !== undefined, NEXT_MS);
  return undefined;
}

/** Retries with a fresh code if one is rejected: it may have expired in transit. */
async function enterCodes(
  driven: Driven,
  { account, codes }: BrowserLogin,
): Promise<LoginFailure | 'ENTERED' | undefined> {
  const { page } = driven;
  await untilQuiet(driven);
  for (let count = 0; count < MOST_CODES; count++) {
    const inputs = await codeInputs(page);
    if (!inputs) return undefined;
    if (account.totpSecret === null) return failure('ONE_TIME_CODE', `${page.url()} ${NO_CODE}`);
    const code = await codes.next(account.totpSecret);
    if (code === undefined) return failure('NOT_POSSIBLE', BAD_SECRET);
    await fillCode(driven, inputs, code);
    await until(async () => !(await codeInputs(page)), NEXT_MS);
    await untilQuiet(driven);
    const isAskedAgain = (await codeInputs(page)) !== undefined;
    if (!isAskedAgain) return statusOf(driven.exchanges, code) >= 400 ? notAccepted(page.url()) : 'ENTERED';
  }
  return notAccepted(page.url());
}

const notAccepted = (url: string) =>
  failure('ONE_TIME_CODE', `${url} did not accept the one-time code. Check totpSecret.`);

/**
 * Resolves to a failure if the password field is still visible or the request that carried the password was rejected.
 */
async function refusalOf(
  driven: Driven,
  account: FormAccount,
  before: Exchange | undefined,
): Promise<LoginFailure | undefined> {
  const answer = answerTo(since(driven.exchanges, before), account.pass);
  const status = answer?.response?.status ?? 0;
  const isRefused = [400, 401, 403, 422].includes(status) || (answer && verdictOn(answer) === 'REFUSED');
  if (!isRefused && !(await isShown(driven.page, PASSWORD))) return undefined;
  const { code, reason } = explainRefusal(`The login page ${driven.page.url()}`, await seen(driven, answer), status);
  const how = isRefused
    ? `The server responded to the password with status ${status}.`
    : 'The password field is still shown.';
  return failure(code, `${reason} ${how}`);
}

/** Resolves to what the page shows, and to what the response to the password says if it is no page. */
async function seen({ page }: Driven, answer?: Exchange): Promise<{ text: string; html: string }> {
  const text = await page.locator('body').innerText({ timeout: 2_000 });
  const said = answer?.response?.body.toString().slice(0, MOST_SAID) ?? '';
  return { text: said.trimStart().startsWith('<') ? text : `${text} ${said}`, html: await page.content() };
}

function nothingFound({ page, exchanges }: Driven, { targetUrl, isCovered }: BrowserLogin): LoginFailure {
  if (/^https?:/.test(page.url()) && !isCovered(page.url())) return elsewhere(page.url());
  const refused = exchanges.find(isRefusedElsewhere);
  if (refused) return elsewhere(refused.request.url);
  const reason = `No login was found in the browser on ${targetUrl}, behind its login link, or at common login paths.`;
  return failure('NO_LOGIN', `${reason} Give the URL of the login page in the instructions.`);
}

const isRefusedElsewhere = ({ failure: failed, request }: Exchange) =>
  failed?.code === 'REFUSED' && request.method === 'POST';

function elsewhere(url: string): LoginFailure {
  const { origin } = new URL(url);
  const reason = `The login redirects to ${origin}, which is not covered by the verification.`;
  return failure(
    'OUT_OF_SCOPE',
    `${reason} Give an account that logs in on the target itself, a COOKIE or a BEARER_TOKEN.`,
  );
}
