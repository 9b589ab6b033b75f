import type { TargetResponse } from '../../http/exchange/exchange.ts';
import type { Hint } from '../inventory/inventory.ts';

/** Names of fields that people keep to themselves, or values that nobody should see, in an answer of JSON. */
const PRIVATE =
  /"[^"\\]{0,40}(?:mail|phone|mobile|address|street|iban|card|birth|salary|balance|secret|pass|token|key|ssn|tax|private|hash)[^"\\]{0,40}"\s{0,5}:|\$2[abxy]\$\d\d\$|\$argon2|PRIVATE KEY/i;
const MOST_CHARACTERS = 200_000;

/** What an answer hints at, for those who look at it later and would have to ask again. */
export function hintsOf({ headers }: Pick<TargetResponse, 'headers'>, contentType: string, text: string): Hint[] {
  const isForOthers = headers.some(
    ([name, value]) => /^access-control-/i.test(name) || (/^vary$/i.test(name) && /\borigin\b/i.test(value)),
  );
  const isPrivate = /json/i.test(contentType) && PRIVATE.test(text.slice(0, MOST_CHARACTERS));
  return [...(isPrivate ? (['private'] as const) : []), ...(isForOthers ? (['origin'] as const) : [])];
}
