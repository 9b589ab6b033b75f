const MASK = '[redacted]';

/** What is called so is a secret, wherever it is written: `password`, `newPassword`, `user[api_key]`, `access_token` … */
const SECRET =
  '(?:passw(?:or)?d|passphrase|pwd|(?<![a-z])pass|secret|token|api[-_]?key|session[-_]?id|credential|authorization|cookie)';
/** A name goes on a little after the word that gives it away; never for long, or a long text would be read again and again. */
const REST = '[\\w.[\\]%-]{0,40}';
/** Quotes as they are, within a text of JSON, in HTML and in URLs. */
const QUOTE = '(?:\\\\{0,3}["\']|&quot;|&#34;|&#39;|%22|%27)';

const headers = '(?:proxy-)?authorization|cookie|(?:x-)?api-key|x-[a-z-]{0,30}(?:token|key|secret|session)';

/** Where a header may begin: not within a word, unless a line break is written as in JSON. */
const START = '(?:(?<!["\'\\w-])|(?<=\\\\[rn]))';
/** Up to the quote that began it; what was cut off has no end, and is a secret all the same. */
const upTo = (quote: string) => `(?:(?!${quote})(?:\\\\[^\\r\\n]|[^\\\\\\r\\n]))*`;
/** Up to the end of the line, also where a line break is written as in JSON. */
const LINE = '(?:(?!\\\\[rn])[^\\r\\n])*';

const rules: readonly (readonly [pattern: RegExp, replacement: string | ((...parts: string[]) => string)])[] = [
  [/-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END[^-]{0,60}-----|$)/g, MASK],
  // A whole header within quotes, as in a command: -H 'Cookie: …'.
  [new RegExp(`(${QUOTE})((?:${headers})\\s{0,5}:\\s{0,5})${upTo('\\1')}`, 'gi'), `$1$2${MASK}`],
  [
    new RegExp(`(${QUOTE})(set-cookie\\s{0,5}:\\s{0,5})(${upTo('\\1')})`, 'gi'),
    (_, quote = '', name = '', value = '') => `${quote}${name}${maskSetCookie(value)}`,
  ],
  [
    new RegExp(`${START}(set-cookie\\s{0,5}:\\s{0,5})(${LINE})`, 'gi'),
    (_, name = '', value = '') => `${name}${maskSetCookie(value)}`,
  ],
  [new RegExp(`${START}((?:${headers})\\s{0,5}:\\s{0,5})${LINE}`, 'gi'), `$1${MASK}`],
  // JSON: one value, or a list of them.
  [
    new RegExp(`(${SECRET}${REST}(${QUOTE})\\s{0,20}[:=]\\s{0,20})(${QUOTE})${upTo('\\3')}`, 'gi'),
    (_, name = '', _quote = '', open = '') => `${name}${open}${MASK}`,
  ],
  [
    new RegExp(
      `(${SECRET}${REST}${QUOTE}\\s{0,20}:\\s{0,20}\\[)(?!redacted\\])(?:"(?:\\\\.|[^"\\\\])*"?|[^\\]"])*`,
      'gi',
    ),
    `$1"${MASK}"`,
  ],
  [new RegExp(`(${SECRET}${REST}${QUOTE}\\s{0,20}:\\s{0,20})(?!null|true|false)[\\w.+-]+`, 'gi'), `$1${MASK}`],
  // Forms, in one line and in parts, and queries.
  [
    new RegExp(`(name="[^"\\r\\n]{0,60}?${SECRET}[^"\\r\\n]{0,60}"(?:\\r?\\n|\\\\r\\\\n){2})${LINE}`, 'gi'),
    `$1${MASK}`,
  ],
  [
    new RegExp(`(${SECRET}${REST}\\s{0,5}=\\s{0,5})(${QUOTE})${upTo('\\2')}`, 'gi'),
    (_, name = '', quote = '') => `${name}${quote}${MASK}`,
  ],
  [new RegExp(`(${SECRET}${REST}(?:=|%3D))(?!${QUOTE})[^&\\s"<>]+`, 'gi'), `$1${MASK}`],
  // Whoever is named in a URL: everything before the last @ of its host.
  [/(\/\/)[^\s/?#"<>]{1,300}@/g, `$1${MASK}@`],
  [
    /\b(bearer|basic)(\s{1,5})([\w.~+/=-]+)/gi,
    (_, scheme = '', space = '', token = '') => scheme + space + maskToken(token),
  ],
  [/srt_\w{4,}/g, MASK],
  [/(?<![\w-])eyJ[\w-]{8,}(?:\.[\w-]*){1,2}/g, MASK],
];

const attributes = /^(?:path|domain|expires|max-age|samesite|priority|version)$/i;

/** The name and the attributes are what findings are about; several cookies in one line hide behind an attribute's comma. */
function maskSetCookie(line: string): string {
  return line
    .split(';')
    .map((part) => {
      const [, name = '', value = ''] = /^([^=]*)=([\s\S]*)$/.exec(part) ?? [];
      const isKnown = attributes.test(name.trim()) && !value.includes('=');
      // Checks write an ellipsis where they leave a value out.
      return name === '' || isKnown || value.startsWith('…') ? part : `${name}=${MASK}`;
    })
    .join(';');
}

/** "Basic authentication" and "bearer tokens" are words; a token is hardly ever one word in small letters. */
const maskToken = (token: string) => (/^[A-Za-z]?[a-z]{1,19}[.]?$/.test(token) ? token : MASK);

/** Masks what is a secret by its place in a text; what a run's own secrets are is masked where the run is made. */
export function mask(text: string): string {
  return rules.reduce(
    (left, [pattern, replacement]) =>
      typeof replacement === 'string' ? left.replace(pattern, replacement) : left.replace(pattern, replacement),
    text,
  );
}
