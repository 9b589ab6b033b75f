import { findInViews, viewsOf } from './decoded-views.ts';
import { isPlain } from './plain-words.ts';
import { createSecretIndex } from './secret-index.ts';
import { mergeSpans, replaceSpans } from './spans.ts';
import { createTokenIndex } from './token-index.ts';

/** Masks secrets in everything that is stored or shown. */
export interface Redactor {
  /** Masks this secret from now on. Ignores secrets of fewer than 4 characters, which would mask half of every text. */
  learn(secret: string): void;
  /**
   * Like `learn`, for tokens that targets issue by the hundred. All but the newest tokens are masked only as a whole,
   * and not at all if they are dates or plain words.
   */
  learnToken(token: string): void;
  /** Returns how many secrets and tokens were learned so far, for `learnedSince`. */
  learned(): number;
  /**
   * Returns all forms of what was learned since `learned` returned this number; undefined if that is too much to search
   * for one by one.
   */
  learnedSince(count: number): readonly string[] | undefined;
  redact(text: string): string;
  /** Replaces everything that `redact` masks by what the function returns for it. */
  replace(text: string, replacementFor: (secret: string) => string): string;
  /** Masks the secrets given to `learn`, and no token: a target chooses its tokens, and could hide its own host. */
  redactSecrets(text: string): string;
}

export const MASK = '[redacted]';
const SHORTEST = 4;
/** Shorter values identify no session, and masking them would hide half a page. */
const SHORTEST_TOKEN = 8;

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

/** Returns the secret, its decoded forms and its encodings. The index ignores case, and the views of a text escapes. */
function formsOf(secret: string): Set<string> {
  const decoded = viewsOf(secret).map(({ text }) => text);
  const isSecret = (form: string) => form === secret || (form.length >= SHORTEST_TOKEN && !isPlain(form));
  return new Set([...decoded.filter(isSecret), ...base64Cores(secret), Buffer.from(secret).toString('hex')]);
}

/** More than a run has sessions; a target may issue a new cookie with every response. */
const MOST_TOKENS = 30;

/** Of these, `learnedSince` knows the forms. */
const MOST_LATEST = 50;

/** A cookie value may be a path: without its slash, the mask would run into the host of a URL. */
const START_OF_PATH = /^(?:\\?\/|[?#])/;
const maskOf = (secret: string) => (START_OF_PATH.exec(secret)?.[0] ?? '') + MASK;

export function createRedactor(): Redactor {
  const known = new Set<string>();
  /** In the order learned, with the functions that remove their forms. */
  const tokens = new Map<string, (() => void)[]>();
  const [secrets, recent, old] = [createSecretIndex(), createSecretIndex(), createTokenIndex()];
  const latest: string[] = [];
  let learned = 0;

  function addForms(secret: string, index: typeof recent) {
    learned++;
    latest.push(secret);
    if (latest.length > MOST_LATEST) latest.shift();
    return [...formsOf(secret)].map((form) => index.add(form));
  }

  function replace(text: string, replacementFor: (secret: string) => string): string {
    if (known.size === 0 && tokens.size === 0) return text;
    const views = viewsOf(text);
    // Search the original text for all secrets: a mask must not split another secret.
    const found = [...findInViews(views, secrets.find), ...findInViews(views, recent.find), ...old.find(text, views)];
    return replaceSpans(text, mergeSpans(found), replacementFor);
  }

  return {
    replace,
    learned: () => learned,
    learnedSince(count) {
      const since = learned - count;
      if (since > latest.length) return undefined;
      return since === 0 ? [] : latest.slice(-since).flatMap((secret) => [...formsOf(secret)]);
    },
    redact: (text) => replace(text, maskOf),
    redactSecrets: (text) => replaceSpans(text, findInViews(viewsOf(text), secrets.find), maskOf),
    learn(secret) {
      if (secret.length < SHORTEST || known.has(secret)) return;
      known.add(secret);
      addForms(secret, secrets);
    },
    learnToken(token) {
      if (token.length < SHORTEST_TOKEN) return;
      const forms = tokens.get(token) ?? addForms(token, recent);
      tokens.delete(token);
      tokens.set(token, forms);
      for (const [oldest, removals] of tokens) {
        if (tokens.size <= MOST_TOKENS) break;
        tokens.delete(oldest);
        for (const remove of removals) remove();
        old.add(oldest);
      }
    },
  };
}
