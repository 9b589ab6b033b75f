import { QUOTE, replaceQuoted } from './quoted.ts';

const MASK = '[redacted]';

/** What is called so is a secret, wherever it is written: `password`, `newPassword`, `user[api_key]`, `access_token` … */
const SECRET =
  '(?:passw(?:or)?d|passphrase|pwd|(?<![a-z])pass|secret|token|api[-_]?key|session[-_]?id|credential|authorization|cookie)';
/** A name goes on a little after the word that gives it away; never for long, or a long text would be read again and again. */
const REST = '[\\w.[\\]%-]{0,40}';
const SPACE = '\\s{0,20}';

const HEADER =
  '(?:(?:proxy-)?authorization|cookie|(?:x-)?api-key|x-[a-z-]{0,30}(?:token|key|secret|session))\\s{0,5}:\\s{0,5}';
const SET_COOKIE = 'set-cookie\\s{0,5}:\\s{0,5}';
/** Where a header may begin: not within a word, unless a line break is written as in JSON. */
const START = '(?:(?<!["\'\\w-])|(?<=\\\\[rn]))';
/** Up to the end of the line, also where a line break is written as in JSON. */
const LINE = '(?:(?!\\\\[rn])[^\\r\\n])*';

type Rule = (text: string) => string;

const find = (pattern: string) => new RegExp(pattern, 'gi');

/** Keeps what the pattern has in brackets, and masks the rest of it. */
function after(pattern: string | RegExp, shown = MASK): Rule {
  const found = typeof pattern === 'string' ? find(pattern) : pattern;
  return (text) => text.replace(found, (_, kept: string) => kept + shown);
}

function quoted(pattern: string, replace: (value: string) => string = () => MASK): Rule {
  const opening = find(pattern);
  return (text) => replaceQuoted(text, opening, replace);
}

const setCookieLine = find(`${START}(${SET_COOKIE})(${LINE})`);

const rules: readonly Rule[] = [
  after(/()-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END[^-]{0,60}-----|$)/g),
  // A whole header within quotes, as in a command: -H 'Cookie: …'.
  quoted(`(?<quote>${QUOTE})${HEADER}`),
  quoted(`(?<quote>${QUOTE})${SET_COOKIE}`, maskSetCookie),
  (text) => text.replace(setCookieLine, (_, name: string, value: string) => name + maskSetCookie(value)),
  after(`${START}(${HEADER})${LINE}`),
  // Forms in parts.
  after(`(name="[^"\\r\\n]{0,60}?${SECRET}[^"\\r\\n]{0,60}"(?:\\r?\\n|\\\\r\\\\n){2})${LINE}`),
  // JSON, scripts and attributes: one value, or a list of them.
  quoted(`${SECRET}${REST}${QUOTE}?${SPACE}(?<sign>[:=])${SPACE}(?<quote>${QUOTE})`),
  after(
    `(${SECRET}${REST}${QUOTE}${SPACE}:${SPACE}\\[)(?!redacted\\])(?:"(?:\\\\.|[^"\\\\])*"?|[^\\]"])*`,
    `"${MASK}"`,
  ),
  after(`(${SECRET}${REST}${QUOTE}${SPACE}:${SPACE})(?!null|true|false)[\\w.+-]+`),
  // Fields of pages, forms in one line and queries, elements of XML.
  quoted(`${SECRET}${REST}${QUOTE}[^<>]{0,200}?\\svalue=(?<quote>${QUOTE})`),
  after(`(${SECRET}${REST}(?:=|%3D))(?!${QUOTE})[^&\\s"<>]+`),
  after(`(<[\\w:.-]{0,40}?${SECRET}[\\w.-]{0,40}>)[^<]+`),
  // Whoever is named in a URL: everything before the last @ of its host.
  after(/(\/\/)[^\s/?#"<>]{1,300}(?=@)/g),
  (text) =>
    text.replace(/\b((?:bearer|basic)\s{1,5})([^\s,;"'<>]+)/gi, (_, scheme, token) => scheme + maskToken(token)),
  after(/()srt_\w{4,}/g),
  after(/()(?<![\w-])eyJ[\w-]{8,}(?:\.[\w-]*){1,2}/g),
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
export const mask = (text: string): string => rules.reduce((left, rule) => rule(left), text);
