import { mergeSpans, replaceSpans, type Span } from '../spans.ts';
import { createTokenIndex } from '../token-index.ts';

/** Masks secrets in everything that is stored or shown. */
export interface Redactor {
  /** Masks this secret from now on. Ignores secrets of fewer than 4 characters, which would mask half of every text. */
  learn(secret: string): void;
  /**
   * Like `learn`, for tokens that targets issue by the hundred. All but the newest tokens are masked only as a whole,
   * and not at all if they are dates or plain words.
   */
  learnToken(token: string): void;
  redact(text: string): string;
}

export const MASK = '[redacted]';
const SHORTEST = 4;
/** Shorter values identify no session, and masking them would hide half a page. */
const SHORTEST_TOKEN = 8;

const escapePattern = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
const hexDigit = (digit: string) => (/[a-f]/.test(digit) ? `[${digit}${digit.toUpperCase()}]` : digit);
const anyCase = (hex: string) => [...hex].map(hexDigit).join('');
const either = (ways: readonly string[]) => (ways.length === 1 ? ways[0] : `(?:${ways.join('|')})`);

/** Encoders differ in which characters they escape, so each may be escaped or not. */
function urlPattern(secret: string): string {
  const one = (character: string) => {
    const bytes = [...Buffer.from(character)].map((byte) => `%${anyCase(byte.toString(16).padStart(2, '0'))}`);
    return either([bytes.join(''), ...(character === ' ' ? ['\\+'] : []), escapePattern(character)]);
  };
  return [...secret].map(one).join('');
}

const htmlNames: Record<string, string> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' };

function htmlPattern(secret: string): string {
  const one = (character: string) => {
    if (/[a-z0-9]/i.test(character)) return character;
    const point = character.codePointAt(0) ?? 0;
    const numbers = `&#(?:0*${point}|[xX]0*${anyCase(point.toString(16))});`;
    const name = htmlNames[character];
    return either([numbers, ...(name === undefined ? [] : [`&${name};`]), escapePattern(character)]);
  };
  return [...secret].map(one).join('');
}

function jsonPattern(secret: string): string {
  const one = (unit: string) => {
    if (/[a-z0-9]/i.test(unit)) return unit;
    const escaped = `\\\\u${anyCase(unit.charCodeAt(0).toString(16).padStart(4, '0'))}`;
    const short = /[\ud800-\udfff]/.test(unit) ? unit : JSON.stringify(unit).slice(1, -1);
    const ways = unit === '/' ? ['\\\\\\/', '\\/'] : [escapePattern(short)];
    return either([escaped, ...ways]);
  };
  // By UTF-16 code units, as JSON escapes them.
  return secret.split('').map(one).join('');
}

/** Returns, for each of the three alignments, the Base64 characters that depend on the secret alone. */
function base64Cores(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const end = (before + bytes.length) % 3 === 0 ? encoded.length : encoded.length - 1;
    const core = encoded.slice(Math.ceil((before * 4) / 3), end);
    return [core, core.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

function patternsOf(secret: string): string[] {
  const hex = Buffer.from(secret).toString('hex');
  return [
    urlPattern(secret),
    htmlPattern(secret),
    jsonPattern(secret),
    ...base64Cores(secret).map(escapePattern),
    hex,
    hex.toUpperCase(),
  ];
}

/** More than a run has sessions; a target may issue a new cookie with every response. */
const MOST_TOKENS = 30;

/** A cookie value may be a path: without its slash, the mask would run into the host of a URL. */
const START_OF_PATH = /^(?:\\?\/|[?#])/;
const maskOf = (secret: string) => (START_OF_PATH.exec(secret)?.[0] ?? '') + MASK;

const spansOf = (pattern: RegExp, text: string): Span[] =>
  [...text.matchAll(pattern)].map(({ 0: found, index }) => ({ start: index, end: index + found.length }));

export function createRedactor(): Redactor {
  const secrets = new Set<string>();
  /** In the order learned. */
  const tokens = new Map<string, RegExp>();
  const old = createTokenIndex();
  let pattern: RegExp | undefined;

  /** Longest first, so that a secret within another one leaves nothing of the longer one unmasked. */
  function compile(): RegExp {
    const longestFirst = [...secrets].sort((one, other) => other.length - one.length);
    return new RegExp([...new Set(longestFirst.flatMap(patternsOf))].join('|'), 'gi');
  }

  return {
    learn(secret) {
      if (secret.length < SHORTEST || secrets.has(secret)) return;
      secrets.add(secret);
      pattern = undefined;
    },
    learnToken(token) {
      if (token.length < SHORTEST_TOKEN) return;
      // One expression per token: a combined one would have to be recompiled with every cookie.
      const forms = tokens.get(token) ?? new RegExp(patternsOf(token).join('|'), 'gi');
      tokens.delete(token);
      tokens.set(token, forms);
      for (const oldest of tokens.keys()) {
        if (tokens.size <= MOST_TOKENS) break;
        tokens.delete(oldest);
        old.add(oldest);
      }
    },
    redact(text) {
      if (secrets.size > 0) pattern ??= compile();
      const patterns = [...(pattern ? [pattern] : []), ...tokens.values()];
      // Match all patterns against the original text: a mask must not split another secret.
      const found = [...patterns.flatMap((each) => spansOf(each, text)), ...old.find(text)];
      return replaceSpans(text, mergeSpans(found), maskOf);
    },
  };
}
