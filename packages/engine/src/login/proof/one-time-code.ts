import type { Exchange } from '../../http/exchange/exchange.ts';
import { tokenOf } from '../session/tokens.ts';

const CODE_WORDS = /\b\w*(?:totp|otp|mfa|2fa|two_?-?factor|one_?-?time)\w*\b/i;
const CODE_KEY = /"(\w*(?:totp|otp|mfa|2fa|two_?factor|one_?time)\w*)"/gi;

const textOf = ({ response }: Exchange) => response?.body.toString() ?? '';

/** Accounts without a second factor, or past it, may get responses with the same words. */
export function needsCode(answer: Exchange): boolean {
  const text = textOf(answer);
  if (!answer.response || answer.response.status >= 500 || !CODE_WORDS.test(text)) return false;
  if (/"\w*(?:otp|mfa|2fa|factor)\w*"\s*:\s*(?:false|null|0|"")/i.test(text)) return false;
  return tokenOf(answer) === undefined || /required|needed/i.test(text);
}

/** Returns the property that the response names for the code. */
export function codeKeyIn(answer: Exchange): string {
  const named = [...textOf(answer).matchAll(CODE_KEY)].map(([, name = '']) => name);
  return named.find((name) => !/required|enabled|needed/i.test(name)) ?? 'totp';
}
