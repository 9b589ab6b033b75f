import { z } from 'zod';

const MAX_LENGTH = 2048;
/** URL parsers silently drop these characters, so the parsed URL would differ from the one given. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters on purpose
const INVISIBLE = /[\u0000-\u0020\u007f]/;

function parseWebUrl(text: string): URL | undefined {
  if (text.length > MAX_LENGTH || INVISIBLE.test(text) || !/^https?:\/\/[^/?#\\]/i.test(text)) return undefined;
  const url = URL.parse(text);
  if (!url) return undefined;
  if (url.username !== '' || url.password !== '') return undefined;
  // The URL parser accepts "." and "a..b" as hosts, but DNS names have no empty labels.
  if (url.hostname === '' || url.hostname.startsWith('.') || url.hostname.includes('..')) return undefined;
  // "http://@host" has an empty user, which the parser drops.
  if (/^https?:\/\/[^/?#]*@/i.test(text)) return undefined;
  return url;
}

function isBareDomain(text: string): boolean {
  return /^[^\s/?#@:\\[\]]+$/.test(text) && parseWebUrl(`https://${text}/`) !== undefined;
}

/**
 * The rules of `parseWebUrl` as far as a pattern can express them; `rest` may follow the first character of the host.
 */
const webUrlPattern = (rest: string) => `[Hh][Tt][Tt][Pp][Ss]?://(?![^/?#]*@)[^/?#\\\\\\u0000-\\u0020\\u007f]${rest}*`;

const anything = '[^\\u0000-\\u0020\\u007f]';
const noFragment = '[^#\\u0000-\\u0020\\u007f]';
const bareDomain = '[^\\s/?#@:\\\\\\[\\]\\u0000-\\u001f\\u007f]+';

export const webUrl = z
  .string()
  .refine((text) => parseWebUrl(text) !== undefined, {
    error: 'must be an http or https URL with a host, without user info, of at most 2,048 characters',
  })
  .meta({ format: 'uri', maxLength: MAX_LENGTH, pattern: `^${webUrlPattern(anything)}$` });

export const pentestTargetUrl = webUrl
  .refine((text) => !text.includes('#'), { error: 'must not have a fragment' })
  .meta({ format: 'uri', maxLength: MAX_LENGTH, pattern: `^${webUrlPattern(noFragment)}$` });

export const scanUrl = z
  .string()
  .refine((text) => parseWebUrl(text) !== undefined || isBareDomain(text), {
    error: 'must be an http or https URL (or a bare domain), without user info, of at most 2,048 characters',
  })
  .meta({ maxLength: MAX_LENGTH, pattern: `^(?:${webUrlPattern(anything)}|${bareDomain})$` });
