import type { TargetResponse } from '../../http/exchange/exchange.ts';
import type { Hint } from '../inventory/inventory.ts';

/** Keys of personal or secret fields, password hashes and private keys in a JSON response. */
const PRIVATE =
  /"[^"\\]{0,40}(?:mail|phone|mobile|address|street|iban|card|birth|salary|balance|secret|pass|token|key|ssn|tax|private|hash)[^"\\]{0,40}"\s{0,5}:|\$2[abxy]\$\d\d\$|\$argon2|PRIVATE KEY/i;
/** A field for a password in a page. */
const PASSWORD = /<input\b[^<>]{0,400}\btype\s{0,3}=\s{0,3}["']?password\b/i;
const MOST_CHARACTERS = 200_000;

/** Returns what a response hints at, so that later checks need not request it again. */
export function hintsOf({ headers }: Pick<TargetResponse, 'headers'>, contentType: string, text: string): Hint[] {
  const isForOthers = headers.some(
    ([name, value]) => /^access-control-/i.test(name) || (/^vary$/i.test(name) && /\borigin\b/i.test(value)),
  );
  const isPrivate = /json/i.test(contentType) && PRIVATE.test(text.slice(0, MOST_CHARACTERS));
  const asksPassword = /html/i.test(contentType) && PASSWORD.test(text.slice(0, MOST_CHARACTERS));
  return [
    ...(asksPassword ? (['password'] as const) : []),
    ...(isPrivate ? (['private'] as const) : []),
    ...(isForOthers ? (['origin'] as const) : []),
  ];
}
