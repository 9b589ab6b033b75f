import { isHash, isNonce } from 'csp_evaluator/dist/csp.js';

/** Keywords and schemes are the same in all letters. */
export const hasSource = (sources: readonly string[], wanted: string) =>
  sources.some((source) => source.toLowerCase() === wanted);

const isNonceOrHash = (source: string) => isNonce(source, true) || isHash(source, true);

export const hasNonceOrHash = (sources: readonly string[]) => sources.some(isNonceOrHash);

export const hasNonce = (sources: readonly string[]) => sources.some((source) => isNonce(source, true));

/** 'unsafe-inline', where browsers heed it: a nonce or a hash makes them ignore it. */
export const unsafeInlineStyles = (sources: readonly string[]) =>
  hasNonceOrHash(sources) ? [] : sources.filter((source) => source.toLowerCase() === "'unsafe-inline'");

/** For scripts 'strict-dynamic' does so, too. */
export const unsafeInlineScripts = (sources: readonly string[]) =>
  hasSource(sources, "'strict-dynamic'") ? [] : unsafeInlineStyles(sources);

/** Sources by place: neither keywords nor nonces nor hashes. */
export const isPlace = (source: string) => !source.startsWith("'");

/** Every origin, or every origin of a scheme. */
export const isAnywhere = (source: string) => /^(\*|[a-z][a-z0-9+.-]*:(\/\/\*)?)(:(\*|\d+))?\/?$/i.test(source);

/** Sources that are fetched without encryption. */
export const insecurePlaces = (sources: readonly string[]) => sources.filter((source) => /^(http|ftp):/i.test(source));

/** The host of a source that names one, the asterisk of `*.example` left out. */
export function hostOf(source: string): string | undefined {
  const place = /^(?:(?:[a-z][a-z0-9+.-]*:)?\/\/)?(?:\*\.)?([^/?#]+)/i.exec(source)?.[1];
  if (!isPlace(source) || !place || /^[a-z][a-z0-9+.-]*:$/i.test(source)) return undefined;
  return URL.parse(`https://${place.replace(/:\*$/, '')}`)?.hostname;
}
