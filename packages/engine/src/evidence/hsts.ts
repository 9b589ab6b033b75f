import { isIP } from 'node:net';
import type { MainDocument } from './main-document.ts';

interface HstsPolicy {
  /** In seconds. */
  maxAge: number;
  includesSubdomains: boolean;
  isPreload: boolean;
}

/** What the Strict-Transport-Security of a page says, if browsers look at it there. */
export type Hsts =
  /** On plain http, and for an address without a name. */
  | { state: 'IGNORED' }
  | { state: 'MISSING' }
  | { state: 'INVALID'; problem: string }
  | ({ state: 'VALID' } & HstsPolicy);

/** Browsers know these suffixes as https only, with all that lies below them. */
const preloadedSuffixes = new Set(
  'app bank boo channel dad day dev esq foo ing insurance meme mov new nexus page phd prof rsvp zip'.split(' '),
);

export const isPreloaded = (hostname: string) => preloadedSuffixes.has(hostname.slice(hostname.lastIndexOf('.') + 1));

export function hstsOf({ url, headers }: Pick<MainDocument, 'url' | 'headers'>): Hsts {
  if (url.protocol !== 'https:' || isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0) return { state: 'IGNORED' };
  // Browsers heed the first one only (RFC 6797, section 8.1).
  const [value] = headers('strict-transport-security');
  return value === undefined ? { state: 'MISSING' } : parseHsts(value);
}

/** Whether browsers that were here before come back by https only. */
export const keepsHttps = (document: Pick<MainDocument, 'url' | 'headers'>) => {
  const hsts = hstsOf(document);
  return isPreloaded(document.url.hostname) || (hsts.state === 'VALID' && hsts.maxAge > 0);
};

const invalid = (problem: string): Hsts => ({ state: 'INVALID', problem });

const DIRECTIVE = /^([!#$%&*+.^_`|~\w-]+)(?:\s*=\s*([!#$%&'*+.^_`|~\w-]+|"[^"]*"))?$/;
/** What browsers do not know may come again; they pass over it. */
const ONCE = /^(max-age|includesubdomains)$/i;

function parseHsts(value: string): Hsts {
  const directives = new Map<string, string>();
  for (const part of value.split(';').map((text) => text.trim())) {
    if (part === '') continue;
    const [, name, argument = ''] = DIRECTIVE.exec(part) ?? [];
    if (name === undefined) return invalid(`"${part.slice(0, 100)}" is no directive.`);
    if (ONCE.test(name) && directives.has(name.toLowerCase())) return invalid(`${name} is there twice.`);
    directives.set(name.toLowerCase(), argument.replace(/^"|"$/g, ''));
  }
  const maxAge = directives.get('max-age');
  if (maxAge === undefined) return invalid('There is no max-age.');
  if (!/^\d+$/.test(maxAge)) return invalid('max-age is not a number of seconds.');
  return {
    state: 'VALID',
    maxAge: Number(maxAge),
    includesSubdomains: directives.has('includesubdomains'),
    isPreload: directives.has('preload'),
  };
}
