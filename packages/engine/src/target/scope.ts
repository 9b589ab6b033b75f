import type { TargetRules } from '../protocol/target-rules.ts';
import { covers, readPlainOrigin, type VerifiedScope } from './coverage.ts';
import { type AskedMethod, isExcludedBy } from './exclusions.ts';
import { mostSpecific } from './most-specific.ts';

/** Why a request is made; determines what may be contacted. */
export type Purpose =
  /** A pentest's own requests: only to what the verification covers. */
  | 'test'
  /** A resource that a page in the browser loads from another host: read, never tested. */
  | 'load'
  /** The token endpoint of a test account. */
  | 'token'
  /** A passive request of a scan or an ownership check: anywhere the address rule allows. */
  | 'look';

/**
 * Returns why a URL may not be contacted for this purpose, as a message for the run's owner; undefined if it may. Pass
 * the path as it is sent, with its query, if it differs from the URL's own, which has its dot segments resolved. The method
 * defaults to GET.
 */
export type Scope = (url: URL, purpose: Purpose, writtenPath?: string, method?: AskedMethod) => string | undefined;

export interface TestScopeOptions extends VerifiedScope {
  /** As the owner wrote them; each includes everything below it, and may have a method or a query. */
  excludedPaths: readonly string[];
  tokenUrls: readonly string[];
  /**
   * Targets of the account that the verification covers; the most specific one decides. Without any, the rules above
   * apply.
   */
  targets?: readonly TargetRules[];
  /** Called with a message for the customer when a target's rules keep a URL from being tested. */
  onLeftOut?: (note: string) => void;
}

const NOT_PLAIN = 'Only http and https URLs without user information are allowed.';

/** Creates the scope of a pentest. */
export function createTestScope({ tokenUrls, targets = [], onLeftOut, ...options }: TestScopeOptions): Scope {
  const { excludedPaths, ...coverage } = options;
  const openUntil = new Map(targets.map((target) => [target, endOfWindow(target)]));
  const tokens = new Set(tokenUrls.map((url) => endpoint(new URL(url))));
  return (url, purpose, writtenPath = url.pathname, method = 'GET') => {
    const read = readPlainOrigin(url);
    if (!read) return NOT_PLAIN;
    if (purpose === 'token') {
      return tokens.has(endpoint(url)) ? undefined : `${endpoint(url)} is not a token endpoint of this run.`;
    }
    const isCovered = covers(coverage, url);
    const target = isCovered ? mostSpecific(targets, url) : undefined;
    const forbidden = target && whyForbidden(target, openUntil.get(target) ?? 0);
    if (target && forbidden !== undefined) {
      onLeftOut?.(`${target.origin} was not tested: ${forbidden}`);
      return `${read.origin} may not be tested: ${forbidden}`;
    }
    const excluded = target?.excludedPaths ?? excludedPaths;
    const paths = [url.pathname + url.search, writtenPath];
    if (isCovered && paths.some((path) => isExcludedBy({ path, method }, excluded))) {
      if (target)
        onLeftOut?.(`Excluded paths of ${target.origin} were not tested: ${target.excludedPaths.join(', ')}.`);
      return `${url.pathname} is excluded by the rules of engagement.`;
    }
    if (isCovered || purpose === 'load') return undefined;
    return `${read.origin} is not covered by the verification.`;
  };
}

const endOfWindow = ({ windowMs }: TargetRules) => performance.now() + (windowMs ?? Number.POSITIVE_INFINITY);

function whyForbidden({ forbidden }: TargetRules, openUntil: number): string | undefined {
  if (forbidden !== null) return forbidden;
  return performance.now() < openUntil ? undefined : 'its testing window is closed.';
}

/**
 * Creates the scope of a scan or an ownership check, which only the address rule limits further. Refuses hosts that
 * opted out, and their subdomains.
 */
export function createScanScope(optedOut: readonly string[] = []): Scope {
  const unwanted = new Set(optedOut);
  return (url, purpose) => {
    if (purpose !== 'look') return 'Only passive requests are allowed here.';
    const read = readPlainOrigin(url);
    if (!read) return NOT_PLAIN;
    return namesFrom(read.host).some((name) => unwanted.has(name))
      ? `The owner of ${read.host} has opted out of scans.`
      : undefined;
  };
}

/** Returns the host and its parent domains. */
function namesFrom(host: string): string[] {
  const labels = host.split('.');
  return labels.map((_, index) => labels.slice(index).join('.'));
}

const endpoint = (url: URL) => `${url.origin}${url.pathname}`;
