import { MASK } from './redactor.ts';

const NAMES =
  '(?:[\\w-]*(?:api[_-]?key|access[_-]?key|secret|token|pass(?:word|wd|phrase)|pwd|private[_-]?key|credentials?)[\\w-]*' +
  '|(?:[\\w-]*[_-])?session(?:[_-]?id)?|sid|jsessionid|phpsessid|pass|otp|mfa[_-]?code)';

/** Formats that are secrets wherever they appear: JWTs, private keys, password hashes and keys of common services. */
const FORMATS = [
  /\beyJ[\w-]{5,2000}\.[\w-]{5,4000}\.[\w-]{0,2000}/g,
  /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----[\s\S]{0,8000}?(?:-----END (?:[A-Z]+ )?PRIVATE KEY-----|$)/g,
  /\$2[abxy]\$\d\d\$[./A-Za-z0-9]{53}|\$argon2(?:id|i|d)\$[^\s"'<]{20,300}|\$[156]\$[^\s$"'<]{1,30}\$[./A-Za-z0-9]{20,90}|\bpbkdf2[_:$][^\s"'<]{20,300}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b|\b[sr]k_(?:live|test)_[A-Za-z0-9]{16,}|\bgh[opsu]_[A-Za-z0-9]{30,}|\bxox[abprs]-[\w-]{10,}|\bAIza[\w-]{35}/g,
];
const IN_JSON = new RegExp(`("${NAMES}"\\s*:\\s*")((?:[^"\\\\]|\\\\.){4,4000})"`, 'gi');
const IN_LINES = new RegExp(`(^|[\\s;&?,{])(${NAMES})(\\s*[=:]\\s*["']?)([^\\s"'<>;&,]{4,4000})`, 'gim');

/** Values with the run's marker are its own payloads, which the evidence has to show. */
const OWN = /s[0-9a-f]{12}/;
const isOwn = (value: string) => OWN.test(value) || value.includes(MASK);

/** Masks credentials of other people that a target discloses, by their format or the name of their field. */
export function maskForeign(text: string): string {
  let masked = text.replace(IN_JSON, (all, before: string, value: string) =>
    isOwn(value) ? all : `${before}${MASK}"`,
  );
  masked = masked.replace(IN_LINES, (all, start: string, name: string, sign: string, value: string) =>
    isOwn(value) ? all : `${start}${name}${sign}${MASK}`,
  );
  for (const format of FORMATS) masked = masked.replace(format, (found) => (isOwn(found) ? found : MASK));
  return masked;
}
