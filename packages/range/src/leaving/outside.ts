import { knowsNobody, type LookUp } from '../look-up.ts';

/** What SSRF reaches: made-up hosts, and real servers only if they are allowed. */

const hosts: Record<string, string> = {
  'partner.example': 'Our partner. Boots and maps.',
  'intranet.range': 'Intranet of The Range. Salaries: none. Key of the safe: made-up-key-4711.',
  '169.254.169.254': 'ami-id\nhostname\niam/security-credentials/range-role',
  '127.0.0.1:9000': 'console of the till: 3 drawers, open',
  'localhost:9000': 'console of the till: 3 drawers, open',
};

const LONGEST = 4_000;
const PATIENCE_MS = 3_000;

export type Fetched = { content: string } | { problem: string };

export async function fetchFromInside(
  address: string,
  mayCall: readonly string[],
  lookUp: LookUp = knowsNobody,
): Promise<Fetched> {
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol)) return { problem: 'that is no address' };
  if (isAllowed(url, mayCall)) return fetchReally(url);
  const content = Object.hasOwn(hosts, url.host) ? hosts[url.host] : undefined;
  if (content !== undefined) return { content };
  const isOwn = ['127.0.0.1', 'localhost'].includes(url.hostname);
  // The name may resolve to an allowed address.
  const found = isOwn ? undefined : await lookUp(url.hostname);
  if (found !== undefined) {
    url.hostname = found;
    return isAllowed(url, mayCall) ? fetchReally(url) : { problem: 'connection refused' };
  }
  return { problem: isOwn ? 'connection refused' : 'no such host' };
}

const isAllowed = ({ host, hostname }: URL, mayCall: readonly string[]) =>
  mayCall.includes(host) && hostname === '127.0.0.1';

async function fetchReally(url: URL): Promise<Fetched> {
  try {
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(PATIENCE_MS) });
    return { content: (await response.text()).slice(0, LONGEST) };
  } catch {
    return { problem: 'connection refused' };
  }
}
