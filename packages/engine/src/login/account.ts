import type { Exchange } from '../http/exchange/exchange.ts';
import type { EngineCredential } from '../protocol/messages.ts';
import type { LoginTools } from './enter.ts';
import { asVanished, type LoginFailure } from './failure.ts';
import { type LoggedIn, logIn, namesOf } from './log-in.ts';
import { isSentToLogin } from './login-places.ts';
import { isStillIn } from './prove-login.ts';
import type { Session } from './session.ts';
import { createTries, type Tries } from './tries.ts';

/**
 * `IN`: the session is valid as far as can be determined, so all requests since the last check count. `BACK`: the
 * session had ended and a new login succeeded. `GONE`: the session has ended and cannot be renewed.
 */
type Presence = 'IN' | 'BACK' | 'GONE';

/** A test account with a session that is renewed when the target ends it. */
export interface Account {
  /** Stays the same object for the whole run, across new logins. */
  session: Session;
  /** Returns whether a response suggested an expired session, or the last check is too many requests ago. */
  needsCheck(): boolean;
  check(): Promise<Presence>;
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
  let unchecked = 0;
  let doubts: string[] = [];
  /** Responses that resemble an expired session but occurred while it was valid. */
  const harmless = new Set<string>();

  function watch(exchange: Exchange): Exchange {
    unchecked++;
    const doubt = doubtAbout(exchange);
    if (doubt !== undefined && !harmless.has(doubt)) doubts.push(doubt);
    return exchange;
  }

  async function check(): Promise<Presence> {
    if (gone) return 'GONE';
    const { session, proof } = current;
    const isIn = await isStillIn({ session, visitor: tools.visitor, names: namesOf(credential) }, proof);
    if (isIn !== false) for (const doubt of doubts) if (harmless.size < MOST_REMEMBERED) harmless.add(doubt);
    unchecked = 0;
    doubts = [];
    return isIn === false ? comeBack() : 'IN';
  }

  async function comeBack(): Promise<Presence> {
    const obstacle = isForGood(credential) ? FOR_GOOD : logins >= MOST_LOGINS ? TOO_OFTEN : undefined;
    const again = obstacle ?? (await logInPatiently({ ...credential, mode: current.mode }, tools, tries));
    logins++;
    if (!('reason' in again)) current = again;
    else gone = obstacle ?? asVanished(again);
    return gone ? 'GONE' : 'BACK';
  }

  return {
    session: {
      name: credential.name,
      async send(request, showing) {
        const exchange = await current.session.send(request, showing);
        // Requests with altered credentials are expected to be rejected, so they say nothing about the session.
        return showing ? exchange : watch(exchange);
      },
      credentials: (url) => current.session.credentials(url),
      storage: () => current.session.storage(),
      load: async (request, from) => watch(await current.session.load(request, from)),
    },
    needsCheck: () => !gone && (doubts.length > 0 || unchecked >= REQUESTS_PER_CHECK),
    check,
    forgiveLogins() {
      logins = 1;
    },
    failure: () => gone,
    told: () => current.told,
    arrival: () => current.arrival,
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
