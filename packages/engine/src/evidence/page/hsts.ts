import { isIP } from 'node:net';
import type { MainDocument } from './main-document.ts';

interface HstsPolicy {
  /** In seconds. */
  maxAge: number;
  includesSubdomains: boolean;
  isPreload: boolean;
}

/** The parsed Strict-Transport-Security header of a page. */
export type Hsts =
  /** Browsers ignore HSTS over HTTP and for IP addresses. */
  | { state: 'IGNORED' }
  | { state: 'MISSING' }
  | { state: 'INVALID'; problem: string }
  | ({ state: 'VALID' } & HstsPolicy);

/** TLDs on the HSTS preload list, including all of their subdomains. */
const preloadedSuffixes = new Set(
  'app bank boo channel dad day dev esq foo ing insurance meme mov new nexus page phd prof rsvp zip'.split(' '),
);

export const isPreloaded = (hostname: string) => preloadedSuffixes.has(hostname.slice(hostname.lastIndexOf('.') + 1));

/** Returns the HSTS policy of a response as a browser applies it. */
export function hstsOf({ url, headers }: Pick<MainDocument, 'url' | 'headers'>): Hsts {
  if (url.protocol !== 'https:' || isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0) return { state: 'IGNORED' };
  // Browsers process only the first header (RFC 6797, section 8.1).
  const [value] = headers('strict-transport-security');
  return value === undefined ? { state: 'MISSING' } : parseHsts(value);
}

/** Whether a returning browser uses HTTPS only. */
export const keepsHttps = (document: Pick<MainDocument, 'url' | 'headers'>) => {
  const hsts = hstsOf(document);
  return isPreloaded(document.url.hostname) || (hsts.state === 'VALID' && hsts.maxAge > 0);
};

const invalid = (problem: string): Hsts => ({ state: 'INVALID', problem });

const DIRECTIVE = /^([!#$%&*+.^_`|~\w-]+)(?:\s*=\s*([!#$%&'*+.^_`|~\w-]+|"[^"]*"))?$/;
/** Browsers ignore unknown directives, so only these may not repeat. */
const ONCE = /^(max-age|includesubdomains)$/i;

function parseHsts(value: string): Hsts {
  const directives = new Map<string, string>();
  for (const part of value.split(';').map((text) => text.trim())) {
    if (part === '') continue;
    const [, name, argument = ''] = DIRECTIVE.exec(part) ?? [];
    if (name === undefined) return invalid(`"${part.slice(0, 100)}" is not a valid directive.`);
    if (ONCE.test(name) && directives.has(name.toLowerCase())) return invalid(`${name} occurs twice.`);
    directives.set(name.toLowerCase(), argument.replace(/^"|"$/g, ''));
  }
  const maxAge = directives.get('max-age');
  if (maxAge === undefined) return invalid('max-age is missing.');
  if (!/^\d+$/.test(maxAge)) return invalid('max-age is not a number of seconds.');
  return {
    state: 'VALID',
    maxAge: Number(maxAge),
    includesSubdomains: directives.has('includesubdomains'),
    isPreload: directives.has('preload'),
  };
}
