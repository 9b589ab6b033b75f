import type { Exchange } from '../http/exchange/exchange.ts';
import type { EngineCredential } from '../protocol/messages.ts';
import type { LoginTools } from './enter.ts';
import { isSentToLogin } from './find/login-places.ts';
import { type LoggedIn, logIn, namesOf } from './log-in.ts';
import { asVanished, type LoginFailure } from './proof/failure.ts';
import { adoptMode, lookAgain } from './proof/prove-login.ts';
import { LINKS } from './proof/shown-mode.ts';
import { createTries, type Tries } from './proof/tries.ts';
import type { Session } from './session/session.ts';

/**
 * `IN`: the session is valid as far as can be determined, so all requests since the last check count. `BACK`: the
 * session had ended, or its mode was switched, and a new login succeeded. `GONE`: the session has ended and cannot be
 * renewed.
 */
type Presence = 'IN' | 'BACK' | 'GONE';

/** A test account with a session that is renewed when the target ends it. */
export interface Account {
  /** Stays the same object for the whole run, across new logins. */
  session: Session;
  /** Returns whether a response suggested an expired session, or the last check is too many requests ago. */
  needsCheck(): boolean;
  check(): Promise<Presence>;
  /**
   * Logs in again and continues with the new session. Resolves to why the target rejects the account now; undefined if it does
   * not, or if nothing tells. Tries it once, and not for accounts whose one-time codes would have to be waited for.
   */
  logInAnew(): Promise<LoginFailure | undefined>;
  /**
   * Returns how the mode of the session was switched before the last `BACK`, which a new session does not show;
   * undefined if the session had ended.
   */
  switched(): string | undefined;
  /** Returns the switches that new sessions show as well: the target keeps them with the account. */
  kept(): readonly string[];
  /** Stops counting the logins so far against the limit: what ended the sessions is known. */
  forgiveLogins(): void;
  /** Returns why the session cannot be renewed; undefined while it can. */
  failure(): LoginFailure | undefined;
  /** Returns the JSON that the target sent during the latest login. */
  told(): readonly unknown[];
  /** Returns the response on which the latest login ended, whose links and forms belong to the account. */
  arrival(): Exchange | undefined;
}

/** Limits how many requests have to be repeated if the session turns out to have expired. */
const REQUESTS_PER_CHECK = 50;
/** A target that ends the session more often does so for a reason that another login does not fix. */
const MOST_LOGINS = 10;
/** Retries transient failures only, never a rejected password: failed logins can lock the account. */
const MOST_TRIES = 3;
const RETRY_MS = 2_000;
const MOST_REMEMBERED = 1_000;
/** A page that switches more often without a new login helping does so by itself. */
const MOST_KEPT = 3;

/** Retries only on `NO_ANSWER`, when the target has not evaluated the credentials. */
async function logInPatiently(
  credential: EngineCredential,
  tools: LoginTools,
  refused: Tries,
): Promise<LoggedIn | LoginFailure> {
  for (let tries = 1; ; tries++) {
    const answer = await logIn(credential, tools, refused);
    const isOver = tries >= MOST_TRIES || refused.isSpent();
    if (!('reason' in answer) || answer.code !== 'NO_ANSWER' || isOver) return answer;
    await tools.clock.sleep(RETRY_MS);
  }
}

export async function openAccount(credential: EngineCredential, tools: LoginTools): Promise<Account | LoginFailure> {
  const tries = createTries();
  const first = await logInPatiently(credential, tools, tries);
  if ('reason' in first) return first;
  let current = first;
  let logins = 1;
  let gone: LoginFailure | undefined;
  const doubts = createDoubts();
  let switched: string | undefined;
  const kept: string[] = [];
  const { session, keepCookies } = relayTo(credential.name, () => current.session, doubts.hear);
  const proving = () => ({ session: current.session, visitor: tools.visitor, names: namesOf(credential) });

  async function check(): Promise<Presence> {
    if (gone) return 'GONE';
    const now = await lookAgain(proving(), current.proof);
    doubts.settle(now.isIn !== false);
    switched = undefined;
    if (now.isIn === false) return comeBack();
    return now.switched === undefined || kept.length >= MOST_KEPT ? 'IN' : undoSwitch(now.switched);
  }

  async function undoSwitch(what: string): Promise<Presence> {
    const before = current.proof;
    const again = isForGood(credential) || logins >= MOST_LOGINS ? undefined : await renew();
    if (again && !('reason' in again)) await goOnWith(again);
    if ((await adoptMode(proving(), before)) === undefined) switched = what;
    else kept.push(what);
    return switched === undefined ? 'IN' : 'BACK';
  }

  async function goOnWith(next: LoggedIn): Promise<void> {
    current = next;
    await keepCookies();
  }

  function renew(): Promise<LoggedIn | LoginFailure> {
    logins++;
    return logInPatiently({ ...credential, mode: current.mode }, tools, tries);
  }

  async function comeBack(): Promise<Presence> {
    const obstacle = isForGood(credential) ? FOR_GOOD : logins >= MOST_LOGINS ? TOO_OFTEN : undefined;
    const again = obstacle ?? (await renew());
    if (!('reason' in again)) await goOnWith(again);
    else gone = obstacle ?? asVanished(again);
    return gone ? 'GONE' : 'BACK';
  }

  return {
    session,
    needsCheck: () => !gone && doubts.areDue(),
    check,
    async logInAnew() {
      if (gone || !isQuick(credential) || tries.isSpent()) return undefined;
      const again = await logIn({ ...credential, mode: current.mode }, tools, tries);
      if ('reason' in again) return IS_REJECTED.has(again.code) ? asVanished(again) : undefined;
      await goOnWith(again);
      return undefined;
    },
    switched: () => switched,
    kept: () => kept.filter((each) => each !== LINKS),
    forgiveLogins() {
      logins = 1;
    },
    failure: () => gone,
    told: () => current.told,
    arrival: () => current.arrival,
  };
}

const isQuick = ({ kind, totpSecret }: EngineCredential) => kind === 'FORM_LOGIN' && totpSecret === null;

const IS_REJECTED = new Set<LoginFailure['code']>(['USER_OR_PASSWORD', 'LOCKED']);

/** Collects responses that suggest an expired session. */
function createDoubts() {
  let unchecked = 0;
  let doubts: string[] = [];
  /** Responses that resemble an expired session but occurred while it was valid. */
  const harmless = new Set<string>();
  return {
    hear(exchange: Exchange): Exchange {
      unchecked++;
      const doubt = doubtAbout(exchange);
      if (doubt !== undefined && !harmless.has(doubt)) doubts.push(doubt);
      return exchange;
    },
    areDue: () => doubts.length > 0 || unchecked >= REQUESTS_PER_CHECK,
    settle(wasValid: boolean): void {
      if (wasValid) for (const doubt of doubts) if (harmless.size < MOST_REMEMBERED) harmless.add(doubt);
      unchecked = 0;
      doubts = [];
    },
  };
}

/** Returns the session of an account over all its logins. */
function relayTo(name: string, current: () => Session, watch: (exchange: Exchange) => Exchange) {
  /** Cookies that keep their value in every session. */
  const kept: [text: string, url: string][] = [];
  const session: Session = {
    name,
    async send(request, showing) {
      const exchange = await current().send(request, showing);
      // Requests with altered credentials are expected to be rejected, so they say nothing about the session.
      return showing ? exchange : watch(exchange);
    },
    credentials: (url) => current().credentials(url),
    storage: () => current().storage(),
    addCookie: (...cookie) => current().addCookie(...cookie),
    async keepCookie(...cookie) {
      kept.push(cookie);
      await current().keepCookie(...cookie);
    },
    load: async (request, from) => watch(await current().load(request, from)),
  };
  return {
    session,
    async keepCookies(): Promise<void> {
      for (const cookie of kept) await current().keepCookie(...cookie);
    },
  };
}

/** Static credentials are sent with each request: there is no login that could renew them. */
const isForGood = ({ kind, tokenUrl }: EngineCredential) => kind !== 'FORM_LOGIN' && tokenUrl === null;

const FOR_GOOD: LoginFailure = {
  code: 'USER_OR_PASSWORD',
  reason: 'The target stopped accepting it during the run. Give a credential that stays valid for the whole run.',
};

const TOO_OFTEN: LoginFailure = {
  code: 'NOT_PROVED',
  reason: `It was logged out ${MOST_LOGINS} times. Give an account whose sessions last for the whole run.`,
};

/**
 * Returns `status path` if the response suggests an expired session (401 or a redirect to the login page); undefined
 * otherwise.
 */
function doubtAbout({ request, response }: Exchange): string | undefined {
  if (!response) return undefined;
  const { status, headers } = response;
  const location = headers.find(([name]) => name.toLowerCase() === 'location')?.[1];
  const isRedirected = location !== undefined && status >= 300 && status < 400 && isSentToLogin(request.url, location);
  return status === 401 || isRedirected ? `${status} ${new URL(request.url).pathname}` : undefined;
}
