import type { ErrorCode } from '@sortie/contract';
import { AppError } from '../errors/app-error.ts';
import { sessionNotFresh } from '../http/fresh-session.ts';

interface Explanation {
  code: ErrorCode;
  message: string;
  field?: string;
}

const WRONG_CODE = 'The code is wrong or was used already. Enter the current code of the app, or a backup code.';
const START_AGAIN = 'The sign-in took too long or had too many wrong codes. Sign in again with e-mail and password.';

/** What people can do about a refusal, by the library's error code. Other refusals are explained by their status. */
const EXPLANATIONS: Record<string, Explanation> = {
  INVALID_EMAIL_OR_PASSWORD: {
    code: 'UNAUTHORIZED',
    message: 'The e-mail address or the password is wrong. Correct it, or reset the password.',
  },
  INVALID_PASSWORD: { code: 'VALIDATION_ERROR', field: 'password', message: 'The current password is wrong.' },
  INVALID_EMAIL: { code: 'VALIDATION_ERROR', field: 'email', message: 'Enter a valid e-mail address.' },
  EMAIL_NOT_VERIFIED: {
    code: 'FORBIDDEN',
    field: 'email',
    message: 'Confirm the e-mail address first: open the link in the mail that we have just sent.',
  },
  PASSWORD_TOO_SHORT: {
    code: 'VALIDATION_ERROR',
    field: 'password',
    message: 'The password is too short. Use at least 10 characters.',
  },
  PASSWORD_TOO_LONG: {
    code: 'VALIDATION_ERROR',
    field: 'password',
    message: 'The password is too long. Use at most 128 characters.',
  },
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: {
    code: 'VALIDATION_ERROR',
    field: 'email',
    message: 'There is a user with this e-mail address already. Sign in, or reset the password.',
  },
  EMAIL_PASSWORD_SIGN_UP_DISABLED: {
    code: 'FORBIDDEN',
    message: 'Sign-up is closed here. Ask the operator of this service for a link, then set your password with it.',
  },
  INVALID_TOKEN: {
    code: 'VALIDATION_ERROR',
    field: 'token',
    message: 'This link was used already or has expired. Request a new one.',
  },
  SECOND_FACTOR_REQUIRED: {
    code: 'FORBIDDEN',
    message: 'This user has a second factor, which a link does not replace. Sign in with the password.',
  },
  INVALID_CODE: { code: 'VALIDATION_ERROR', field: 'code', message: WRONG_CODE },
  INVALID_BACKUP_CODE: { code: 'VALIDATION_ERROR', field: 'code', message: WRONG_CODE },
  CODE_USED: {
    code: 'UNAUTHORIZED',
    message: 'This code was used already. Sign in again with e-mail and password, and enter the next code of the app.',
  },
  INVALID_TWO_FACTOR_COOKIE: { code: 'UNAUTHORIZED', message: START_AGAIN },
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: { code: 'UNAUTHORIZED', message: START_AGAIN },
  ACCOUNT_TEMPORARILY_LOCKED: {
    code: 'RATE_LIMITED',
    message: 'Too many wrong codes. Wait 15 minutes, or sign in with a passkey.',
  },
  TOTP_ALREADY_ENABLED: {
    code: 'VALIDATION_ERROR',
    message: 'The second factor is on already. Turn it off to set up another app.',
  },
  AUTHENTICATION_FAILED: {
    code: 'UNAUTHORIZED',
    message: 'The passkey was not accepted. Try again, or sign in with the password.',
  },
  PERSON_NOT_VERIFIED: {
    code: 'UNAUTHORIZED',
    message: 'The passkey did not verify you. Use a device with a fingerprint, a face or a PIN.',
  },
  PASSKEY_NOT_FOUND: {
    code: 'UNAUTHORIZED',
    message: 'This passkey is not known here. Sign in with the password, then add it under Settings, Security.',
  },
  CHALLENGE_NOT_FOUND: { code: 'VALIDATION_ERROR', message: 'The passkey request has expired. Try again.' },
  OTHER_ADDRESS: {
    code: 'VALIDATION_ERROR',
    message: 'Single sign-on works at the public address of this service only. Open the dashboard there.',
  },
  PROVIDER_AWAY: {
    code: 'INTERNAL_ERROR',
    message: 'The provider of single sign-on does not answer as expected. Try again, or sign in with a password.',
  },
  PREVIOUSLY_REGISTERED: { code: 'VALIDATION_ERROR', message: 'This passkey is registered already.' },
};

const BY_STATUS: Record<number, Explanation> = {
  401: { code: 'UNAUTHORIZED', message: 'Sign in first.' },
  403: { code: 'FORBIDDEN', message: 'This is not allowed. Reload the page, then try again.' },
  404: { code: 'NOT_FOUND', message: 'There is no such address below /api/auth.' },
  429: { code: 'RATE_LIMITED', message: 'Too many attempts. Wait a minute, then try again.' },
};

const OTHERWISE: Explanation = { code: 'VALIDATION_ERROR', message: 'A value in the request is missing or invalid.' };

/** Maps a refusal of the sign-in library to an error of the contract that says what to do next. */
export async function explainRefusal(response: Response): Promise<AppError> {
  if (response.status >= 500) return new AppError('INTERNAL_ERROR', { message: 'Internal error. Try again.' });
  const libraryCode = codeIn(await response.text());
  if (libraryCode === 'SESSION_NOT_FRESH') return sessionNotFresh();
  const known = Object.hasOwn(EXPLANATIONS, libraryCode) ? EXPLANATIONS[libraryCode] : undefined;
  const { code, ...options } = known ?? BY_STATUS[response.status] ?? OTHERWISE;
  const seconds = Number(response.headers.get('x-retry-after') ?? 60);
  return new AppError(code, { ...options, ...(code === 'RATE_LIMITED' && { retryAfterSeconds: seconds }) });
}

function codeIn(text: string): string {
  try {
    return String(JSON.parse(text).code);
  } catch {
    return '';
  }
}
