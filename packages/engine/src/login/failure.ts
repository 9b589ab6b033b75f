import type { Headers } from '../http/exchange/exchange.ts';
import type { EngineCredential } from '../protocol/messages.ts';

/** Why an account could not be logged in. */
export type LoginFailureCode =
  /** The target has looked at user and password, and does not want them. Never tried again. */
  | 'USER_OR_PASSWORD'
  | 'ONE_TIME_CODE'
  | 'CAPTCHA'
  | 'LOCKED'
  /** Nothing was found that could be filled in, in the way that was tried. */
  | 'NO_LOGIN'
  /** It leads to a host that the verification does not cover. */
  | 'OUT_OF_SCOPE'
  | 'NOT_PROVED'
  | 'NO_ANSWER'
  /** Known before anything is sent. */
  | 'NOT_POSSIBLE';

export interface LoginFailure {
  code: LoginFailureCode;
  /** In words that the account's owner can act on. */
  reason: string;
}

export const failure = (code: LoginFailureCode, reason: string): LoginFailure => ({ code, reason });

/** What a login has left behind, besides the cookies of its session. */
export interface Entry {
  /** Where to look for proof, the likeliest first. */
  candidates: string[];
  /** Below which the addresses of accounts usually are. */
  bases: string[];
  /** Sent as well, if it is not proved without them. */
  perhaps?: Headers;
  /** Which of several ways it was. */
  mode?: EngineCredential['mode'];
}

export const NO_CODE =
  'asks for a one-time code. Give the totpSecret of the account, or an account that needs no code.';
export const BAD_SECRET = 'totpSecret is no secret of an authenticator app: Base32 or an otpauth://totp address is.';

const LOCKED_WORDS =
  /(?:account|user|konto)\b.{0,60}\b(?:locked|blocked|suspended|disabled|gesperrt)|too many (?:\w+ ){0,3}(?:attempts|requests|tries|logins)|temporarily (?:locked|blocked|disabled)/i;
const CAPTCHA_MARKUP = /g-recaptcha|h-captcha|cf-turnstile|recaptcha\/api|hcaptcha\.com|name=["']?[\w-]*captcha/i;
const CAPTCHA_WORDS = /captcha|i am not a robot|i'm not a robot|are you (?:a )?human|ich bin kein roboter/i;

/** Of a page that did not let the account in: the same words for "wrong", whatever else it says, help nobody. */
export function explainRefusal(where: string, { text, html }: { text: string; html: string }): LoginFailure {
  if (LOCKED_WORDS.test(text)) {
    return failure(
      'LOCKED',
      `${where} says that the account is locked or was tried too often. Unlock it and try again.`,
    );
  }
  if (CAPTCHA_MARKUP.test(html) || CAPTCHA_WORDS.test(text)) {
    return failure(
      'CAPTCHA',
      `${where} asks for a captcha. Turn it off for this account or this service, or give a COOKIE or a BEARER_TOKEN.`,
    );
  }
  return failure('USER_OR_PASSWORD', `${where} did not let the account in. Check user and password.`);
}
