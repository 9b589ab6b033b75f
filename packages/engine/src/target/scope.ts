import { type Coverage, covers, readPlainOrigin } from './coverage.ts';
import { liesUnderAny } from './paths.ts';

/** Why a request is made. What may be contacted depends on it. */
export type Purpose =
  /** A pentest's own requests: to what the verification covers, and nowhere else. */
  | 'test'
  /** What a page in the browser loads from another host: read, never tested. */
  | 'load'
  /** The one endpoint that gives out tokens for a test account. */
  | 'token'
  /** A passive look by a scan or an ownership check: anywhere the address rule allows. */
  | 'look';

/**
 * Why a URL may not be contacted for this purpose, in words for the run's owner; undefined when it may. The path as it
 * is sent matters where it differs from the URL's own, which has its dot segments resolved.
 */
export type Scope = (url: URL, purpose: Purpose, writtenPath?: string) => string | undefined;

export interface TestScopeOptions extends Coverage {
  /** Each with all below it; as the owner wrote them. */
  excludedPaths: readonly string[];
  tokenUrls: readonly string[];
}

const NOT_PLAIN = 'Only http and https addresses without user information are contacted.';

/** What a pentest may contact. */
export function createTestScope({ excludedPaths, tokenUrls, ...coverage }: TestScopeOptions): Scope {
  const tokens = new Set(tokenUrls.map((url) => endpoint(new URL(url))));
  return (url, purpose, writtenPath = url.pathname) => {
    const read = readPlainOrigin(url);
    if (!read) return NOT_PLAIN;
    if (purpose === 'token') {
      return tokens.has(endpoint(url)) ? undefined : `${endpoint(url)} is not a token endpoint of this run.`;
    }
    const isCovered = covers(coverage, url);
    if (isCovered && (liesUnderAny(url.pathname, excludedPaths) || liesUnderAny(writtenPath, excludedPaths))) {
      return `${url.pathname} is excluded by the rules of engagement.`;
    }
    if (isCovered || purpose === 'load') return undefined;
    return `${read.origin} is not covered by the verification.`;
  };
}

/**
 * What a scan or an ownership check may contact: only the address rule limits it further. Of the hosts that opted out
 * nobody may look at one, nor at any below it.
 */
export function createLookScope(optedOut: readonly string[] = []): Scope {
  const unwanted = new Set(optedOut);
  return (url, purpose) => {
    if (purpose !== 'look') return 'Only passive looks are allowed here.';
    const read = readPlainOrigin(url);
    if (!read) return NOT_PLAIN;
    return namesFrom(read.host).some((name) => unwanted.has(name))
      ? `The owner of ${read.host} wants no scans of it.`
      : undefined;
  };
}

/** The host and all that it lies below. */
function namesFrom(host: string): string[] {
  const labels = host.split('.');
  return labels.map((_, index) => labels.slice(index).join('.'));
}

const endpoint = (url: URL) => `${url.origin}${url.pathname}`;
