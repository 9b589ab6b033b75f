import type { Exchange } from '../http/exchange/exchange.ts';
import { isSame, toAnswer } from '../oracle/compare.ts';
import { BAD_SECRET, type Entry, explainRefusal, failure, type LoginFailure, NO_CODE } from './failure.ts';
import { findEndpoint, JSON_HEADERS, type LoginEndpoint, type LoginKeys } from './find-endpoint.ts';
import type { FormAccount } from './form-login.ts';
import { placesIn } from './login-places.ts';
import { isInClear, sentInClear } from './sent-secrets.ts';
import type { OpenSession } from './session.ts';
import { findToken, readJson } from './tokens.ts';
import type { OneTimeCodes } from './totp.ts';

interface JsonLogin {
  session: OpenSession;
  account: FormAccount;
  codes: OneTimeCodes;
  endpoint: LoginEndpoint;
}

/**
 * Logs in like a single-page application: sends user and password as JSON and reads a token or cookie from the
 * response.
 */
export async function logInByJson(
  session: OpenSession,
  targetUrl: string,
  account: FormAccount,
  codes: OneTimeCodes,
): Promise<Entry | LoginFailure> {
  const endpoint = await findEndpoint(session, targetUrl, placesIn(account.instructions, targetUrl));
  if (!endpoint) {
    const reason = `No JSON login endpoint was found for ${targetUrl}.`;
    return failure('NO_LOGIN', `${reason} Give it in the instructions, such as "POST /api/login".`);
  }
  if (isInClear(endpoint.url, targetUrl)) return sentInClear(endpoint.url);
  const answered = await present({ session, account, codes, endpoint });
  if ('reason' in answered) return answered;
  const token = tokenOf(answered);
  if (token !== undefined) session.addHeaders([['Authorization', `Bearer ${token}`]]);
  const bases = [new URL('.', endpoint.url), new URL('..', endpoint.url)].map(({ href }) => href);
  return { candidates: endpoint.reads, bases };
}

/** Tries other property names only while the target has not evaluated the credentials. */
async function present(login: JsonLogin): Promise<Exchange | LoginFailure> {
  const { account, endpoint } = login;
  const guessed = account.user.includes('@') ? ['email', 'username', 'user'] : ['username', 'email', 'user'];
  const guesses = guessed.map((user): LoginKeys => ({ user, pass: 'password' }));
  let answer: Exchange | LoginFailure = failure('NO_ANSWER', `${endpoint.url} was not tried.`);
  for (const keys of endpoint.keys ? [endpoint.keys] : guesses) {
    const body = { [keys.user]: account.user, [keys.pass]: account.pass };
    const sent = await post(login, body);
    answer = needsCode(sent) ? await presentCode(login, body, sent) : judge(sent, endpoint);
    const isLookedAt = !('reason' in answer) || !isUnread(sent, endpoint);
    if (isLookedAt) return answer;
  }
  return answer;
}

const post = ({ session, endpoint }: JsonLogin, body: Record<string, string>) =>
  session.send({ method: 'POST', url: endpoint.url, headers: JSON_HEADERS, body: JSON.stringify(body) });

/** Returns whether the target found the body incomplete, or responded as to a request without credentials. */
function isUnread(sent: Exchange, { toNobody }: LoginEndpoint): boolean {
  const [one, nobody] = [toAnswer(sent), toAnswer(toNobody)];
  return one !== undefined && nobody !== undefined && ([400, 422].includes(one.status) || isSame(one, nobody));
}

const textOf = ({ response }: Exchange) => response?.body.toString() ?? '';
const SAYS_NO =
  /"(?:success|ok|authenticated|loggedIn|logged_in|valid)"\s*:\s*(?:false|0|"false")|"status"\s*:\s*"(?:error|fail\w*|unauthori[sz]ed|denied)"|"errors?"\s*:\s*(?:"[^"]|\{\s*"|\[\s*[^\]\s]|true)/i;

/** Many APIs reject a login with status 200, so the body counts as well. */
function judge(sent: Exchange, { url }: LoginEndpoint): Exchange | LoginFailure {
  const { response } = sent;
  if (!response) {
    const code = sent.failure?.code === 'REFUSED' ? 'OUT_OF_SCOPE' : 'NO_ANSWER';
    return failure(code, `User and password were sent to ${url}, but no response arrived: ${sent.failure?.message}`);
  }
  const { status } = response;
  if (status >= 500) return failure('NO_ANSWER', `${url} returned status ${status} to the login.`);
  if (status === 429) return failure('LOCKED', `${url} returned status 429: too many attempts. Try later.`);
  if (status < 400 && !SAYS_NO.test(textOf(sent))) return sent;
  const { code, reason } = explainRefusal(url, { text: textOf(sent), html: '' });
  return failure(code, `${reason} The server returned status ${status}.`);
}

const CODE_WORDS = /\b\w*(?:totp|otp|mfa|2fa|two_?-?factor|one_?-?time)\w*\b/i;
const CODE_KEY = /"(\w*(?:totp|otp|mfa|2fa|two_?factor|one_?time)\w*)"/gi;

/** Accounts without a second factor, or past it, may get responses with the same words. */
function needsCode(answer: Exchange): boolean {
  const text = textOf(answer);
  if (!answer.response || answer.response.status >= 500 || !CODE_WORDS.test(text)) return false;
  if (/"\w*(?:otp|mfa|2fa|factor)\w*"\s*:\s*(?:false|null|0|"")/i.test(text)) return false;
  return tokenOf(answer) === undefined || /required|needed/i.test(text);
}

/** Repeats the login request with the one-time code added. */
async function presentCode(
  login: JsonLogin,
  body: Record<string, string>,
  asked: Exchange,
): Promise<Exchange | LoginFailure> {
  const { account, codes, endpoint } = login;
  if (account.totpSecret === null) return failure('ONE_TIME_CODE', `${endpoint.url} ${NO_CODE}`);
  const named = [...textOf(asked).matchAll(CODE_KEY)].map(([, name = '']) => name);
  const key = named.find((name) => !/required|enabled|needed/i.test(name)) ?? 'totp';
  let answer = asked;
  // A code that expires in transit is rejected; the next one is not.
  for (let attempt = 0; attempt < 2 && needsMoreOrRefuses(answer, endpoint); attempt++) {
    const code = await codes.next(account.totpSecret);
    if (code === undefined) return failure('NOT_POSSIBLE', BAD_SECRET);
    answer = await post(login, { ...body, [key]: code });
  }
  if (!needsMoreOrRefuses(answer, endpoint)) return answer;
  const reason = `${endpoint.url} did not accept the one-time code as "${key}".`;
  return failure('ONE_TIME_CODE', `${reason} Check totpSecret, or use mode "browser".`);
}

const needsMoreOrRefuses = (answer: Exchange, endpoint: LoginEndpoint) =>
  needsCode(answer) || 'reason' in judge(answer, endpoint);

function tokenOf({ response }: Exchange): string | undefined {
  const header = response?.headers.find(([name]) => /^(?:authorization|x-(?:auth|access)-token)$/i.test(name))?.[1];
  if (header !== undefined) return header.replace(/^bearer /i, '');
  return findToken(readJson(response?.body.toString() ?? ''));
}
