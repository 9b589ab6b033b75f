import type { Redactor } from './redactor.ts';

const START_OF_REST = /^(?:$|[/?#])/;

/** A masked value can include the leading slash; without one, the rest would run into the host name. */
const rooted = (rest: string) => (START_OF_REST.test(rest) ? rest : `/${rest}`);

/**
 * Masks all but the origin, which is the verified target and no secret, so that the result stays a valid URL. Masks the
 * whole text if it is no URL with an origin.
 */
export function maskUrl(url: string, mask: Redactor['redact']): string {
  const parsed = URL.parse(url);
  if (!parsed || parsed.origin === 'null') return mask(url);
  const { origin, pathname, search, hash } = parsed;
  const rest = url.slice(origin.length);
  if (url.startsWith(origin) && START_OF_REST.test(rest)) return origin + rooted(mask(rest));
  return mask(url) === url ? url : origin + rooted(mask(pathname + search + hash));
}
