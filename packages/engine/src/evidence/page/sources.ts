import { isHash, isNonce } from 'csp_evaluator/dist/csp.js';

/** Keywords and schemes are case-insensitive. */
export const hasSource = (sources: readonly string[], wanted: string) =>
  sources.some((source) => source.toLowerCase() === wanted);

const isNonceOrHash = (source: string) => isNonce(source, true) || isHash(source, true);

export const hasNonceOrHash = (sources: readonly string[]) => sources.some(isNonceOrHash);

export const hasNonce = (sources: readonly string[]) => sources.some((source) => isNonce(source, true));

/** Returns 'unsafe-inline' if it is in force: browsers ignore it next to a nonce or a hash. */
export const unsafeInlineStyles = (sources: readonly string[]) =>
  hasNonceOrHash(sources) ? [] : sources.filter((source) => source.toLowerCase() === "'unsafe-inline'");

/** For scripts, 'strict-dynamic' disables it as well. */
export const unsafeInlineScripts = (sources: readonly string[]) =>
  hasSource(sources, "'strict-dynamic'") ? [] : unsafeInlineStyles(sources);

/** Returns whether the source is a host or scheme, not a keyword, nonce or hash. */
export const isPlace = (source: string) => !source.startsWith("'");

/** Matches sources that allow every origin, or every origin of a scheme. */
export const isAnywhere = (source: string) => /^(\*|[a-z][a-z0-9+.-]*:(\/\/\*)?)(:(\*|\d+))?\/?$/i.test(source);

/** Returns the sources that are fetched without encryption. */
export const insecurePlaces = (sources: readonly string[]) => sources.filter((source) => /^(http|ftp):/i.test(source));

/** Returns the host of a host source, without a leading `*.`. */
export function hostOf(source: string): string | undefined {
  const place = /^(?:(?:[a-z][a-z0-9+.-]*:)?\/\/)?(?:\*\.)?([^/?#]+)/i.exec(source)?.[1];
  if (!isPlace(source) || !place || /^[a-z][a-z0-9+.-]*:$/i.test(source)) return undefined;
  return URL.parse(`https://${place.replace(/:\*$/, '')}`)?.hostname;
}
