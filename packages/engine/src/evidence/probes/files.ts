import { getDomain } from 'tldts';
import { isBlocked } from '../blocked.ts';
import { isMissing, type Missing } from '../missing.ts';
import { ask, atOnce, BLOCKED, type ProbeAnswer, type ProbeSender } from './ask.ts';
import { createCircuitBreaker } from './circuit-breaker.ts';

/** A file that a check wants to see. */
export interface Probe {
  /** Absolute path. `{domain}` stands for the registrable domain. */
  path: string;
  /** Defaults to GET. */
  method?: 'GET' | 'POST';
  /** JSON. */
  body?: string;
}

/** By `keyOf`. */
export type Files = Readonly<Record<string, ProbeAnswer | Missing>>;

export const keyOf = ({ method = 'GET', path }: Probe) => `${method} ${path}`;

/** Sends one harmless request per probe, in order. Stops as soon as the site limits the rate. */
export async function gatherFiles(
  sender: ProbeSender,
  origin: string,
  probes: readonly Probe[],
  notFound: readonly ProbeAnswer[] | Missing,
): Promise<Files> {
  const answers: Record<string, ProbeAnswer | Missing> = {};
  const waiting = new Map(probes.map((probe) => [keyOf(probe), probe])).entries();
  const breaker = createCircuitBreaker(isMissing(notFound) ? notFound.missing : undefined);

  async function work(): Promise<void> {
    for (const [key, probe] of waiting) {
      const ended = breaker.openReason();
      const answer = ended === undefined ? await ask(sender, question(origin, probe)) : { missing: ended };
      breaker.record(answer);
      answers[key] = isMissing(answer) || !isBlocked(answer) ? answer : { missing: BLOCKED };
    }
  }
  await Promise.all(Array.from({ length: atOnce(sender, origin) }, work));
  return answers;
}

function question(origin: string, { path, method = 'GET', body }: Probe) {
  const { hostname } = new URL(origin);
  const domain = getDomain(hostname, { allowPrivateDomains: true }) ?? hostname;
  const url = origin + path.replaceAll('{domain}', domain);
  if (body !== undefined) return { method, url, headers: [['content-type', 'application/json']] as const, body };
  // Servers that support ranges send no more than is read.
  return { method, url, headers: [['range', 'bytes=0-65535']] as const };
}
