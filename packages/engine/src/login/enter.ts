import type { Browser } from '../browser/browser.ts';
import type { Sender } from '../http/exchange/sender.ts';
import type { Redactor } from '../http/record/redactor.ts';
import { type BrowserProblem, explainProblem } from '../protocol/browser-problem.ts';
import type { EngineCredential } from '../protocol/messages.ts';
import type { Scope } from '../target/scope.ts';
import { logInByBrowser } from './browser-login.ts';
import { type Entry, failure, type LoginFailure } from './failure.ts';
import { logInByForm } from './form-login.ts';
import { logInByJson } from './json-login.ts';
import type { OpenSession, Session } from './session.ts';
import type { Clock, OneTimeCodes } from './totp.ts';

/** Dependencies of all logins of a run. */
export interface LoginTools {
  sender: Pick<Sender, 'send'>;
  scope: Scope;
  redactor: Redactor;
  visitor: Session;
  targetUrl: string;
  /** Resolves to undefined if there is no browser or it fails to start. */
  openBrowser(): Promise<Pick<Browser, 'drive'> | undefined>;
  browserProblem(): BrowserProblem | undefined;
  codes: OneTimeCodes;
  clock: Clock;
}

/** Logs in with the mode of the credential. */
export async function enter(
  session: OpenSession,
  credential: EngineCredential,
  tools: LoginTools,
): Promise<Entry | LoginFailure> {
  const { targetUrl, codes } = tools;
  switch (credential.mode) {
    case 'form':
      return logInByForm(session, targetUrl, credential, codes);
    case 'json':
      return logInByJson(session, targetUrl, credential, codes);
    case 'browser':
      return enterByBrowser(session, credential, tools);
    case 'auto':
      return enterSomehow(session, credential, tools);
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

/** Tries each mode in turn. Continues only after `NO_LOGIN`, so that a rejected password is never sent again. */
async function enterSomehow(
  session: OpenSession,
  account: EngineCredential,
  tools: LoginTools,
): Promise<Entry | LoginFailure> {
  let first: LoginFailure | undefined;
  for (const mode of ['form', 'browser', 'json'] as const) {
    const answer = await enter(session, { ...account, mode }, tools);
    if (!('reason' in answer)) return { ...answer, mode };
    if (answer.code !== 'NO_LOGIN') return answer;
    first ??= answer;
  }
  return first ?? failure('NO_LOGIN', `No login was found on ${tools.targetUrl}.`);
}
