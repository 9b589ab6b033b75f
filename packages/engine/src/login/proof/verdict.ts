import type { Exchange } from '../../http/exchange/exchange.ts';
import { issuesToken } from '../session/tokens.ts';

/** What a response says about credentials that were sent. */
export type LoginVerdict =
  | 'ACCEPTED'
  /** The target says that user or password is wrong. */
  | 'REFUSED'
  /** The target did not evaluate them: fields are missing or have other names. */
  | 'NOT_UNDERSTOOD'
  /** The target expects another content type. */
  | 'OTHER_TYPE'
  | 'CSRF'
  | 'NOT_THERE'
  | 'LOCKED'
  | 'BROKEN'
  | 'NO_RESPONSE';

/** Words with which targets say that user or password is wrong. */
export const SAYS_WRONG =
  /(?:invalid|incorrect|wrong|bad|unknown|mismatch\w*|falsche?s?|ungültige?s?)[\s_-]*(?:\w+[\s_-]+){0,4}(?:credential|password|passwort|passphrase|user|e-?mail|login|grant|account|kennwort)|(?:credential|password|passwort|passphrase|user\s?name|user|e-?mail|login|kennwort)s?\b.{0,40}\b(?:invalid|incorrect|wrong|not (?:found|match|recogni[sz]ed|correct|valid|exist)|do(?:es)?(?: not|n't) (?:match|exist)|unknown|falsch|ungültig|mismatch)|(?:login|log-?in|sign-?in|authentication|anmeldung)\s+(?:has\s+|was\s+)?(?:failed|failure|unsuccessful|denied|fehlgeschlagen)|unable to log ?in|authentication_failed|invalid_grant|no (?:active )?(?:such )?(?:user|account)/i;
const SAYS_NO =
  /"(?:success|ok|(?:is_?)?authenticated|authori[sz]ed|loggedIn|logged_in|valid)"\s*:\s*(?:false|0|"false")|"(?:status|result)"\s*:\s*(?:false|"(?:error|fail\w*|unauthori[sz]ed|denied)")|"(?:status|status_?code|code)"\s*:\s*"?40[0-9]\b|"errors?"\s*:\s*(?:"[^"]|\{\s*"|\[\s*[^\]\s]|true|[1-9])/i;
const FAILED = /"(?:success|ok|(?:is_?)?authenticated)"\s*:\s*(?:false|"false")/i;
const ASKS_FOR_MORE =
  /\b(?:required|missing|must (?:not )?be|cannot be (?:blank|empty|null)|may not be (?:blank|empty|null)|field_required|unexpected|malformed|not provided|unknown (?:field|argument)|cannot query|validation)\b/i;
const CSRF = /csrf|xsrf|forgery|request token|page expired/i;

export function verdictOn({ response }: Exchange): LoginVerdict {
  if (!response) return 'NO_RESPONSE';
  const { status } = response;
  const text = response.body.toString().slice(0, 20_000);
  if (status === 429 || status === 423) return 'LOCKED';
  // SOAP answers with status 500 whatever was wrong, and says it in the fault.
  if (status >= 500 && isFault(text) && SAYS_WRONG.test(text)) return 'REFUSED';
  if (status >= 500) return status === 501 ? 'NOT_THERE' : 'BROKEN';
  if (status === 419 || (status >= 400 && CSRF.test(text))) return 'CSRF';
  if (status === 415 || status === 406) return 'OTHER_TYPE';
  if (status < 400) {
    if (!refusesIn(text) || (issuesToken({ response }) && !FAILED.test(text))) return 'ACCEPTED';
    return ASKS_FOR_MORE.test(text) && !SAYS_WRONG.test(text) ? 'NOT_UNDERSTOOD' : 'REFUSED';
  }
  if (SAYS_WRONG.test(text)) return 'REFUSED';
  if (status === 404 || status === 405 || status === 410) return 'NOT_THERE';
  if (status === 400 || status === 422) return 'NOT_UNDERSTOOD';
  return ASKS_FOR_MORE.test(text) ? 'NOT_UNDERSTOOD' : 'REFUSED';
}

const isSoap = (text: string) => /<(?:[\w-]+:)?Envelope[\s>]/.test(text.slice(0, 500));
const isFault = (text: string) => isSoap(text) && /<(?:[\w-]+:)?Fault[\s>]/.test(text);
const FAILED_IN_XML = /<(?:[\w-]+:)?(?:success|ok|result|(?:is)?authenticated|valid)>\s*(?:false|0)\s*</i;

/** Returns whether a response with a successful status refuses a login. Pages also contain texts for other cases. */
export function refusesIn(text: string): boolean {
  if (isSoap(text)) return SAYS_WRONG.test(text) || FAILED_IN_XML.test(text);
  return !text.trimStart().startsWith('<') && (SAYS_NO.test(text) || SAYS_WRONG.test(text));
}

/** Returns the beginning of what a response says, for messages; the redactor masks secrets later. */
export function saidIn({ response }: Exchange): string {
  const text = (response?.body.toString() ?? '')
    .replace(/<[^>]{0,1000}>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return text === '' ? '' : ` and "${text.length > 120 ? `${text.slice(0, 120)}…` : text}"`;
}
