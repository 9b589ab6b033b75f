import { endInSpan } from './code-span.ts';
import { QUOTE, replaceQuoted } from './quoted.ts';

const MASK = '[redacted]';

/**
 * Names of fields, parameters and headers with secret values: `password`, `newPassword`, `user[api_key]`,
 * `access_token` …
 */
const SECRET =
  '(?:passw(?:or)?d|passphrase|pwd|(?<![a-z])pass|secret|token|api[-_]?key|session[-_]?id|credential|authorization|cookie)';
/** The rest of such a name. Its length is bounded to avoid quadratic backtracking on long texts. */
const REST = '[\\w.[\\]%-]{0,40}';
/** SQLite calls what it cannot read a token: that is what an error proves. */
const SQL_ERROR = '\\bunrecognized ';
const SPACE = '\\s{0,20}';

const HEADER =
  '(?:(?:proxy-)?authorization|cookie|(?:x-)?api-key|x-[a-z-]{0,30}(?:token|key|secret|session))\\s{0,5}:\\s{0,5}';
const SET_COOKIE = 'set-cookie\\s{0,5}:\\s{0,5}';
/** Start of a header: not within a word, except after an escaped line break as in JSON. */
const START = '(?:(?<!["\'\\w-])|(?<=\\\\[rn]))';
/** Up to the end of the line or an escaped line break as in JSON. */
const LINE = '(?:(?!\\\\[rn])[^\\r\\n])*';

type Rule = (text: string) => string;

const find = (pattern: string) => new RegExp(pattern, 'gi');

/** Keeps the first capture group and replaces the rest of the match, up to the end of a code span. */
function after(pattern: string | RegExp, replace: (value: string) => string = () => MASK): Rule {
  const found = typeof pattern === 'string' ? find(pattern) : pattern;
  return (text) => {
    let replaced = '';
    let done = 0;
    found.lastIndex = 0;
    for (let match = found.exec(text); match; match = found.exec(text)) {
      const from = match.index + (match[1] ?? '').length;
      const end = endInSpan(text, from, found.lastIndex);
      replaced += text.slice(done, from) + replace(text.slice(from, end));
      done = end;
      found.lastIndex = Math.max(end, match.index + 1);
    }
    return replaced + text.slice(done);
  };
}

function quoted(pattern: string, replace: (value: string) => string = () => MASK): Rule {
  const opening = find(pattern);
  return (text) => replaceQuoted(text, opening, replace);
}

const rules: readonly Rule[] = [
  after(/()-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END[^-]{0,60}-----|$)/g),
  // A whole header within quotes, as in a curl command: -H 'Cookie: …'.
  quoted(`(?<quote>${QUOTE})${HEADER}`),
  quoted(`(?<quote>${QUOTE})${SET_COOKIE}`, maskSetCookie),
  after(`${START}(${SET_COOKIE})${LINE}`, maskSetCookie),
  after(`${START}(${HEADER})${LINE}`),
  // Multipart forms.
  after(`(name="[^"\\r\\n]{0,60}?${SECRET}[^"\\r\\n]{0,60}"(?:\\r?\\n|\\\\r\\\\n){2})${LINE}`),
  // JSON, scripts and attributes: a single value or an array.
  quoted(`(?<!${SQL_ERROR})${SECRET}${REST}${QUOTE}?${SPACE}(?<sign>[:=])${SPACE}(?<quote>${QUOTE})`),
  quoted(`${SQL_ERROR}token${SPACE}(?<sign>:)${SPACE}(?<quote>${QUOTE})`, maskUnread),
  after(
    `(${SECRET}${REST}${QUOTE}${SPACE}:${SPACE}\\[)(?!redacted\\])(?:"(?:\\\\.|[^"\\\\])*"?|[^\\]"])*`,
    () => `"${MASK}"`,
  ),
  after(`(${SECRET}${REST}${QUOTE}${SPACE}:${SPACE})(?!null|true|false)[\\w.+-]+`),
  // HTML form fields, URL-encoded forms and queries, XML elements.
  quoted(`${SECRET}${REST}${QUOTE}[^<>]{0,200}?\\svalue=(?<quote>${QUOTE})`),
  after(`(${SECRET}${REST}(?:=|%3D))(?!${QUOTE})[^&\\s"<>]+`),
  after(`(<[\\w:.-]{0,40}?${SECRET}[\\w.-]{0,40}>)[^<]+`),
  // User info of a URL: everything before the last @ of the authority.
  after(/(\/\/)[^\s/?#"<>]{1,300}(?=@)/g),
  after(/\b((?:bearer|basic)\s{1,5})[^\s,;"'<>]+/gi, maskToken),
  after(/()srt_\w{4,}/g),
  after(/()(?<![\w-])eyJ[\w-]{8,}(?:\.[\w-]*){1,2}/g),
];

/** The quotes at the start and the words of our payloads prove it. What follows may be a password or its hash. */
const PROVING = /^(?:&(?:#39|#34|quot|apos);|[\s'"`\\%;(){}]|(?<!\w)s[0-9a-f]{12}(?!\w))*/;

function maskUnread(value: string): string {
  const [proving = ''] = PROVING.exec(value) ?? [];
  return proving.length === value.length ? value : `${proving}${MASK}`;
}

const attributes = /^(?:path|domain|expires|max-age|samesite|priority|version)$/i;

/**
 * Findings need the cookie's name and attributes, so only values are masked. An attribute value with `=` may hide
 * another cookie after a comma.
 */
function maskSetCookie(line: string): string {
  return line
    .split(';')
    .map((part) => {
      const [, name = '', value = ''] = /^([^=]*)=([\s\S]*)$/.exec(part) ?? [];
      const isKnown = attributes.test(name.trim()) && !value.includes('=');
      // Checks replace omitted values with an ellipsis.
      return name === '' || isKnown || value.startsWith('…') ? part : `${name}=${MASK}`;
    })
    .join(';');
}

/**
 * Keeps words as in "Basic authentication" and "bearer tokens": real tokens are hardly ever a single lowercase word.
 */
function maskToken(token: string): string {
  return /^[A-Za-z]?[a-z]{1,19}[.]?$/.test(token) ? token : MASK;
}

/** Masks secrets that are recognizable by their context. The run's own secrets are masked during the run. */
export const mask = (text: string): string => rules.reduce((left, rule) => rule(left), text);
