import type { Exchange } from '../../http/exchange/exchange.ts';
import { isSame, toAnswer } from '../../oracle/compare.ts';
import { BAD_SECRET, type Entry, explainRefusal, failure, type LoginFailure, NO_CODE } from '../proof/failure.ts';
import { codeKeyIn, needsCode } from '../proof/one-time-code.ts';
import { isInClear, sentInClear } from '../proof/sent-secrets.ts';
import type { Tries } from '../proof/tries.ts';
import { type LoginVerdict, saidIn, verdictOn } from '../proof/verdict.ts';
import { inOtherEncoding, type LoginRequest, writeLogin } from '../session/login-request.ts';
import type { OpenSession } from '../session/session.ts';
import { attachmentsFor, tokenOf } from '../session/tokens.ts';
import type { OneTimeCodes } from '../session/totp.ts';
import type { FormAccount } from './form-login.ts';

export interface ApiLogin {
  session: OpenSession;
  targetUrl: string;
  account: FormAccount;
  codes: OneTimeCodes;
  tries: Pick<Tries, 'isSpent'>;
}

/** Sends user and password with each request in turn, until the target has evaluated them. */
export async function logInByRequests(
  requests: readonly LoginRequest[],
  login: ApiLogin,
): Promise<Entry | LoginFailure | undefined> {
  let last: Failed | undefined;
  const [first] = requests;
  // Many applications set the cookie of their CSRF protection with the first page.
  if (first) await login.session.send({ method: 'GET', url: login.targetUrl });
  const encodedOtherwise = first && inOtherEncoding(first);
  for (const request of [...requests, ...(encodedOtherwise ? [encodedOtherwise] : [])]) {
    if (login.tries.isSpent() || (request === encodedOtherwise && !last?.isUnderstoodOtherwise)) break;
    if (isInClear(request.url, login.targetUrl)) return sentInClear(request.url);
    const answer = await tryRequest(request, login);
    if (!('reason' in answer) || answer.code !== 'NO_LOGIN') return answer;
    last = answer;
  }
  return last;
}

/** A failure after which the same values may be understood in another encoding. */
type Failed = LoginFailure & { isUnderstoodOtherwise?: boolean };

async function tryRequest(request: LoginRequest, login: ApiLogin): Promise<Entry | Failed> {
  const hasMore = request.fields.some(({ role, isNeeded }) => !role && !isNeeded);
  let last: Failed = failure('NO_LOGIN', `${request.url} was not tried.`);
  for (const isWhole of hasMore ? [false, true] : [false]) {
    const { sent, verdict } = await send(request, login, isWhole);
    if (needsCode(sent)) return sendCode(request, login, sent, isWhole);
    if (verdict === 'ACCEPTED') return entryOf(sent, request, login);
    last = explain(request, sent, verdict);
    last.isUnderstoodOtherwise = verdict === 'NOT_UNDERSTOOD' || verdict === 'OTHER_TYPE';
    // A response like that to an empty request says nothing about these credentials.
    const isUnread = verdict === 'REFUSED' && isLikeToNobody(sent, request) && !login.tries.isSpent();
    if (isUnread) return { ...last, code: 'NO_LOGIN' };
    if (last.code !== 'NO_LOGIN' || verdict === 'NOT_THERE' || login.tries.isSpent()) return last;
  }
  return last;
}

function isLikeToNobody(sent: Exchange, { toNobody }: LoginRequest): boolean {
  const [one, nobody] = [toAnswer(sent), toNobody && toAnswer(toNobody)];
  return one !== undefined && nobody !== undefined && isSame(one, nobody);
}

async function send(request: LoginRequest, { session, account }: ApiLogin, isWhole: boolean) {
  const sent = await session.send(writeLogin(request, account, isWhole));
  return { sent, verdict: verdictOn(sent) };
}

function entryOf(sent: Exchange, request: LoginRequest, { session }: ApiLogin): Entry {
  const found = tokenOf(sent);
  const ways = found ? attachmentsFor(found, request.header) : [];
  if (ways[0]) session.attach(ways[0]);
  const bases = [new URL('.', request.url), new URL('..', request.url)].map(({ href }) => href);
  return { candidates: [...request.proofs], bases, alternatives: ways.slice(1) };
}

/** Repeats the request with a one-time code; a code that expires in transit is rejected, the next one is not. */
async function sendCode(request: LoginRequest, login: ApiLogin, asked: Exchange, isWhole: boolean) {
  const { session, account, codes } = login;
  if (account.totpSecret === null) return failure('ONE_TIME_CODE', `${request.url} ${NO_CODE}`);
  const name = codeKeyIn(asked);
  for (let attempt = 0; attempt < 2; attempt++) {
    const value = await codes.next(account.totpSecret);
    if (value === undefined) return failure('NOT_POSSIBLE', BAD_SECRET);
    const sent = await session.send(writeLogin(request, { ...account, more: [{ name, value }] }, isWhole));
    if (verdictOn(sent) === 'ACCEPTED' && !needsCode(sent)) return entryOf(sent, request, login);
  }
  return failure('ONE_TIME_CODE', `${request.url} did not accept the one-time code as "${name}". Check totpSecret.`);
}

/** Says what was sent, what the target answered, and what to change. */
function explain(request: LoginRequest, sent: Exchange, verdict: LoginVerdict): LoginFailure {
  const { url, how, kind, fields } = request;
  const names = fields.filter(({ role }) => role).map(({ name }) => `"${calledIn(kind, name)}"`);
  const what = `User and password were sent to ${url} as ${KINDS[kind]} ${names.join(' and ')}, ${how}.`;
  const status = sent.response?.status;
  const answered = `It returned status ${status}${saidIn(sent)}.`;
  if (verdict === 'NO_RESPONSE') {
    const code = sent.failure?.code === 'REFUSED' ? 'OUT_OF_SCOPE' : 'NO_ANSWER';
    return failure(code, `${what} No response arrived: ${sent.failure?.message}`);
  }
  if (verdict === 'REFUSED' || verdict === 'LOCKED') {
    const { code, reason } = explainRefusal(url, { text: sent.response?.body.toString() ?? '', html: '' }, status);
    return failure(code, `${reason} ${answered}`);
  }
  return failure('NO_LOGIN', `${what} ${answered} ${WHAT_TO_WRITE[verdict] ?? EXAMPLE}`);
}

const calledIn = (kind: LoginRequest['kind'], name: string) => name.replace(kind === 'xml' ? /^.*[/:]/s : /^\//, '');

const KINDS = { form: 'form fields', json: 'JSON', graphql: 'GraphQL variables', xml: 'elements of a SOAP request' };
const EXAMPLE =
  'Write the request in the instructions, such as: POST /api/login {"login": "{user}", "password": "{pass}"}.';
const WHAT_TO_WRITE: Partial<Record<LoginVerdict, string>> = {
  NOT_THERE: 'There is no such endpoint. Give the URL of the login in the instructions.',
  BROKEN: `The target failed on it. ${EXAMPLE}`,
  CSRF: 'It requires a CSRF token that was not found. Give the URL of the login page in the instructions.',
};
