import type { Browser } from '../browser/browser.ts';
import type { Sender } from '../http/exchange/sender.ts';
import type { Clock } from '../http/limits/clock.ts';
import type { Redactor } from '../http/record/redactor.ts';
import { type BrowserProblem, explainProblem } from '../protocol/browser-problem.ts';
import type { EngineCredential } from '../protocol/messages.ts';
import type { Scope } from '../target/scope.ts';
import { readInstructions } from './find/instructions.ts';
import { placesIn } from './find/login-places.ts';
import type { Api, Apis } from './find/read-api.ts';
import { type Entry, failure, type LoginFailure } from './proof/failure.ts';
import type { Tries } from './proof/tries.ts';
import type { KnownTokens } from './session/known-tokens.ts';
import type { OpenSession, Session } from './session/session.ts';
import type { OneTimeCodes } from './session/totp.ts';
import { type ApiLogin, logInByRequests } from './ways/api-login.ts';
import { logInByBasic } from './ways/basic-login.ts';
import { logInByBrowser } from './ways/browser-login.ts';
import { describedLogins } from './ways/described-login.ts';
import { logInByForm } from './ways/form-login.ts';
import { logInByJson } from './ways/json-login.ts';
import { findSingleSignOn } from './ways/single-sign-on.ts';
import { toldLogins } from './ways/told-login.ts';

/** Dependencies of all logins of a run. */
export interface LoginTools {
  sender: Pick<Sender, 'send'>;
  scope: Scope;
  redactor: Redactor;
  visitor: Session;
  knownTokens: KnownTokens;
  targetUrl: string;
  /** Resolves to undefined if there is no browser or it fails to start. */
  openBrowser(): Promise<Pick<Browser, 'drive'> | undefined>;
  browserProblem(): BrowserProblem | undefined;
  codes: OneTimeCodes;
  clock: Clock;
}

type EnterTools = LoginTools & { apis: Apis; tries: Tries };

/** Logs in with the mode of the credential. */
export async function enter(
  session: OpenSession,
  credential: EngineCredential,
  tools: EnterTools,
): Promise<Entry | LoginFailure> {
  const { targetUrl, codes, tries } = tools;
  const login = { session, targetUrl, account: credential, codes, tries };
  switch (credential.mode) {
    case 'form':
      return logInByForm(session, targetUrl, credential, codes);
    case 'json':
      return firstOf(waysOfApi(login, tools), tools);
    case 'browser':
      return enterByBrowser(session, credential, tools);
    case 'auto':
      return enterSomehow(login, credential, tools);
  }
}

async function enterByBrowser(session: OpenSession, account: EngineCredential, tools: LoginTools) {
  const { targetUrl, codes, scope } = tools;
  const browser = await tools.openBrowser();
  if (!browser) {
    const reason = explainProblem(tools.browserProblem() ?? 'could not start');
    return failure('NO_LOGIN', `Logins with mode "browser" need a browser, and ${reason}`);
  }
  const isCovered = (url: string) => {
    const parsed = URL.parse(url);
    return parsed !== null && scope(parsed, 'test') === undefined;
  };
  return logInByBrowser(browser, { session, targetUrl, account, codes, isCovered });
}

/** Sends the request that the instructions describe. Resolves to undefined if they describe none. */
function enterAsTold(login: ApiLogin) {
  const { account, targetUrl } = login;
  const told = readInstructions(account.instructions);
  return logInByRequests(toldLogins(told, placesIn(account.instructions, targetUrl), targetUrl), login);
}

const waysOfApi = (login: ApiLogin, { apis }: EnterTools): Way[] => [
  () => enterAsTold(login),
  async () => enterAsDescribed(login, await apis.described()),
  () => logInByJson(login),
  async () => enterAsDescribed(login, await apis.graphql()),
];

function enterAsDescribed(login: ApiLogin, api: Api) {
  const told = readInstructions(login.account.instructions);
  const requests = describedLogins(api, login.targetUrl);
  return logInByRequests(
    requests.map((each) => ({ ...each, header: told.header ?? each.header })),
    login,
  );
}

/** Tries each way in turn. Continues only after `NO_LOGIN`, so that a rejected password is never sent again. */
async function enterSomehow(
  login: ApiLogin,
  account: EngineCredential,
  tools: EnterTools,
): Promise<Entry | LoginFailure> {
  const { session, targetUrl, codes } = login;
  const as = (mode: EngineCredential['mode'], answer: Entry | LoginFailure | undefined) =>
    answer && !('reason' in answer) ? { ...answer, mode } : answer;
  const [asTold, ...others] = waysOfApi(login, tools).map(
    (way): Way =>
      async () =>
        as('json', await way()),
  );
  const [asDescribed, ...guessed] = others;
  const ways = [
    asTold,
    async () => as('form', await logInByForm(session, targetUrl, account, codes)),
    () => logInByBasic(session, targetUrl, account),
    asDescribed,
    async () => as('browser', await enterByBrowser(session, account, tools)),
    ...guessed,
  ].filter((way) => way !== undefined);
  const answer = await firstOf(ways, tools);
  if (!('reason' in answer) || answer.code !== 'NO_LOGIN') return answer;
  return (await findSingleSignOn(session, targetUrl)) ?? answer;
}

type Way = () => Promise<Entry | LoginFailure | undefined>;

/** Resolves to the first answer other than `NO_LOGIN`; otherwise to the failure that says most. */
async function firstOf(ways: readonly Way[], { targetUrl, tries }: EnterTools): Promise<Entry | LoginFailure> {
  const failures: LoginFailure[] = [];
  for (const way of ways) {
    if (tries.isSpent()) break;
    const answer = await way();
    if (answer && (!('reason' in answer) || answer.code !== 'NO_LOGIN')) return answer;
    if (answer) failures.push(answer);
  }
  const ofSent = failures.find(({ reason }) => /were sent to|Submitting/.test(reason));
  return ofSent ?? failures[0] ?? failure('NO_LOGIN', `No login was found on ${targetUrl}.`);
}
