import type { Exchange } from '../../http/exchange/exchange.ts';
import type { EngineCredential } from '../../protocol/messages.ts';
import type { Resubmit } from '../find/find-form.ts';
import type { Candidate } from '../session/login-request.ts';
import type { Attachment } from '../session/token-argument.ts';
import { SAYS_WRONG } from './verdict.ts';

/** Reason why a login failed. */
export type LoginFailureCode =
  /** The target rejected user or password. Never retried. */
  | 'USER_OR_PASSWORD'
  | 'ONE_TIME_CODE'
  | 'CAPTCHA'
  | 'LOCKED'
  /** No usable login was found with the mode that was tried. */
  | 'NO_LOGIN'
  /** The login leads to a host that the verification does not cover. */
  | 'OUT_OF_SCOPE'
  | 'NOT_PROVED'
  | 'NO_ANSWER'
  /** The login worked before, and the target rejects the same credentials now. */
  | 'VANISHED'
  /** The login is ruled out by its configuration, e.g. an invalid TOTP secret or plain HTTP. */
  | 'NOT_POSSIBLE';

export interface LoginFailure {
  code: LoginFailureCode;
  /** Tells the owner of the account what to change. */
  reason: string;
}

export const failure = (code: LoginFailureCode, reason: string): LoginFailure => ({ code, reason });

/**
 * Explains a rejected login of an account that could log in before: its credentials were right, so that the account
 * itself has changed.
 */
export const asVanished = (refused: LoginFailure): LoginFailure =>
  refused.code === 'USER_OR_PASSWORD'
    ? failure(
        'VANISHED',
        'It could log in earlier in this run, and the target rejects the same credentials now: the account was deleted, locked or changed during the run. Check whether it still exists.',
      )
    : refused;

/** Result of a login, besides the cookies of its session. */
export interface Entry {
  /** URLs that may prove the login, most likely first. */
  candidates: Candidate[];
  /** Base URLs under which account endpoints such as `me` are usually found. */
  bases: string[];
  /** Other ways to send the token if the login cannot be proved, most likely first. */
  alternatives?: readonly Attachment[];
  /** Response on which the login ended, without the credentials that were sent for it. */
  arrival?: Exchange | undefined;
  /** Present if the response to the form itself may prove the login. */
  resubmit?: Resubmit;
  /** The mode that worked, if several were tried. */
  mode?: EngineCredential['mode'];
}

export const NO_CODE =
  'asks for a one-time code. Give the totpSecret of the account, or an account that needs no code.';
export const BAD_SECRET = 'totpSecret must be the Base32 secret of an authenticator app or an otpauth://totp URI.';

const LOCKED_WORDS =
  /(?:account|user|konto)\b.{0,60}\b(?:locked|blocked|suspended|disabled|gesperrt)|too many (?:\w+ ){0,3}(?:attempts|requests|tries|logins)|temporarily (?:locked|blocked|disabled)/i;
const CAPTCHA_MARKUP = /g-recaptcha|h-captcha|cf-turnstile|recaptcha\/api|hcaptcha\.com|name=["']?[\w-]*captcha/i;
const CAPTCHA_WORDS = /captcha|i am not a robot|i'm not a robot|are you (?:a )?human|ich bin kein roboter/i;

/**
 * Classifies a rejected login: account locked, CAPTCHA, or wrong user or password. Blames user and password only if the
 * status or the text of the target does.
 */
export function explainRefusal(
  where: string,
  { text, html }: { text: string; html: string },
  status = 0,
): LoginFailure {
  if (LOCKED_WORDS.test(text) || status === 429 || status === 423) {
    return failure(
      'LOCKED',
      `${where} reports that the account is locked or had too many login attempts. Unlock it and try again.`,
    );
  }
  if (CAPTCHA_MARKUP.test(html) || CAPTCHA_WORDS.test(text)) {
    return failure(
      'CAPTCHA',
      `${where} asks for a captcha. Disable it for this account or this service, or give a COOKIE or a BEARER_TOKEN.`,
    );
  }
  const isSaid = status === 401 || status === 403 || SAYS_WRONG.test(text);
  const what = isSaid
    ? 'Check user and password.'
    : 'It does not say why. If user and password are right, name the login URL and its fields in the instructions, such as: POST /login user field: email, password field: pass.';
  return failure('USER_OR_PASSWORD', `${where} rejected the login. ${what}`);
}
