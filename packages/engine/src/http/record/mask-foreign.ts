import { MASK } from './redactor.ts';

const SECRET_NAME =
  /api[_-]?key|access[_-]?key|secret|token|pass(?:word|wd|phrase)|pwd|private[_-]?key|credentials?|(?:^|[_-])session(?:[_-]?id)?$|^(?:sid|jsessionid|phpsessid|pass|otp|mfa[_-]?code)$/i;

/**
 * Formats that are secrets wherever they appear: JWTs, private keys, password hashes and keys of common services. None
 * reads past the start of another one, so that a hostile body costs linear time.
 */
const FORMATS = [
  /\beyJ(?:(?!-eyJ)[\w-]){5,2000}\.[\w-]{5,4000}\.[\w-]{0,2000}/g,
  /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----(?:(?!-----BEGIN )[\s\S]){0,8000}?(?:-----END (?:[A-Z]+ )?PRIVATE KEY-----|$)/g,
  /\$2[abxy]\$\d\d\$[./A-Za-z0-9]{53}|\$argon2(?:id|i|d)\$[^\s"'<]{20,300}|\$[156]\$[^\s$"'<]{1,30}\$[./A-Za-z0-9]{20,90}|\bpbkdf2[_:$][^\s"'<]{20,300}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b|\b[sr]k_(?:live|test)_[A-Za-z0-9]{16,}|\bgh[opsu]_[A-Za-z0-9]{30,}|\bxox[abprs]-[\w-]{10,}|\bAIza[\w-]{35}/g,
];
/** A name of at most 200 characters with its sign, and the value that may follow. */
const IN_JSON = { field: /(")([\w-]{1,200})"\s*:\s*"/g, value: /((?:[^"\\]|\\.){4,4000})"/y };
const IN_LINES = {
  field: /(^|[\s;&?,{])([\w-]{1,200})(?![\w-])\s*[=:]\s*["']?/gm,
  value: /([^\s"'<>;&,]{4,4000})/y,
};

/** Values with the run's marker are its own payloads, which the evidence has to show. */
const OWN = /s[0-9a-f]{12}/;
const isOwn = (value: string) => OWN.test(value) || value.includes(MASK);

/** Masks the values of secret fields. Reads a value only after a secret name, and no part of the text repeatedly. */
function maskFields(text: string, { field, value }: typeof IN_JSON): string {
  let masked = '';
  let copied = 0;
  let from = 0;
  for (;;) {
    field.lastIndex = from;
    const found = field.exec(text);
    if (!found) return masked + text.slice(copied);
    const [head, before = '', name = ''] = found;
    const start = found.index + head.length;
    value.lastIndex = start;
    const [all, secret = ''] = (SECRET_NAME.test(name) && value.exec(text)) || [];
    // What follows another name can be the start of a field.
    from = all === undefined ? found.index + before.length + name.length : start + all.length;
    if (all === undefined || isOwn(secret)) continue;
    masked += text.slice(copied, start) + MASK;
    copied = start + secret.length;
  }
}

/** Masks credentials of other people that a target discloses, by their format or the name of their field. */
export function maskForeign(text: string): string {
  let masked = maskFields(maskFields(text, IN_JSON), IN_LINES);
  for (const format of FORMATS) masked = masked.replace(format, (found) => (isOwn(found) ? found : MASK));
  return masked;
}
