import type { Exchange } from '../http/exchange/exchange.ts';
import type { EngineCredential } from '../protocol/messages.ts';
import type { LoginTools } from './enter.ts';
import type { LoginFailure } from './failure.ts';
import { type LoggedIn, logIn, namesOf } from './log-in.ts';
import { isSentToLogin } from './login-places.ts';
import { isStillIn } from './prove-login.ts';
import type { Session } from './session.ts';

/**
 * `IN`: all that was sent since the last check was sent by somebody who was logged in. `BACK`: it was not, and is again.
 * `GONE`: it was not, and will not be any more.
 */
type Presence = 'IN' | 'BACK' | 'GONE';

/** A test account that is logged in, and logged in again when the target has forgotten it. */
export interface Account {
  /** The same for the whole run, whoever it is to the target. */
  session: Session;
  /** Whether something looks as if it were no longer logged in, or nobody has asked for long. */
  needsCheck(): boolean;
  check(): Promise<Presence>;
  /** Why it is gone. */
  failure(): LoginFailure | undefined;
  /** What the target answered to its login. */
  told(): readonly unknown[];
}

/** So many of its requests are worth repeating. */
const REQUESTS_PER_CHECK = 50;
/** A target that forgets an account more often than this has a reason. */
const MOST_LOGINS = 10;
/** What may pass by itself is tried again, a wrong password never: accounts are locked for less. */
const MOST_TRIES = 3;
const RETRY_MS = 2_000;
const MOST_REMEMBERED = 1_000;

/** Tries again only when the target has not looked at user and password. */
async function logInPatiently(credential: EngineCredential, tools: LoginTools): Promise<LoggedIn | LoginFailure> {
  for (let tries = 1; ; tries++) {
    const answer = await logIn(credential, tools);
    if (!('reason' in answer) || answer.code !== 'NO_ANSWER' || tries >= MOST_TRIES) return answer;
    await tools.clock.sleep(RETRY_MS);
  }
}

export async function openAccount(credential: EngineCredential, tools: LoginTools): Promise<Account | LoginFailure> {
  const first = await logInPatiently(credential, tools);
  if ('reason' in first) return first;
  let current = first;
  let logins = 1;
  let gone: LoginFailure | undefined;
  let unchecked = 0;
  let doubts: string[] = [];
  /** What looks like a lost session and is none. */
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
    const again = obstacle ?? (await logInPatiently({ ...credential, mode: current.mode }, tools));
    logins++;
    if (!('reason' in again)) current = again;
    else gone = again;
    return gone ? 'GONE' : 'BACK';
  }

  return {
    session: {
      name: credential.name,
      async send(request, showing) {
        const exchange = await current.session.send(request, showing);
        // Whoever shows something else is refused for that.
        return showing ? exchange : watch(exchange);
      },
      credentials: (url) => current.session.credentials(url),
      storage: () => current.session.storage(),
      load: async (request, from) => watch(await current.session.load(request, from)),
    },
    needsCheck: () => !gone && (doubts.length > 0 || unchecked >= REQUESTS_PER_CHECK),
    check,
    failure: () => gone,
    told: () => current.told,
  };
}

/** What is shown with each request is either accepted or not: there is nothing to log in with. */
const isForGood = ({ kind, tokenUrl }: EngineCredential) => kind !== 'FORM_LOGIN' && tokenUrl === null;

const FOR_GOOD: LoginFailure = {
  code: 'USER_OR_PASSWORD',
  reason: 'The target stopped accepting it in the course of the run. Give one that lasts.',
};

const TOO_OFTEN: LoginFailure = {
  code: 'NOT_PROVED',
  reason: `It was logged out ${MOST_LOGINS} times. Give an account whose sessions last for the run.`,
};

/** What an answer looks like to somebody whose session is over; undefined when it does not. */
function doubtAbout({ request, response }: Exchange): string | undefined {
  if (!response) return undefined;
  const { status, headers } = response;
  const location = headers.find(([name]) => name.toLowerCase() === 'location')?.[1];
  const isRedirected = location !== undefined && status >= 300 && status < 400 && isSentToLogin(request.url, location);
  return status === 401 || isRedirected ? `${status} ${new URL(request.url).pathname}` : undefined;
}
