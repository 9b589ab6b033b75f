import type { Headers } from '../http/exchange.ts';

/** With which firewalls say that they ask who is there instead of letting the request through. */
const CHALLENGES = new Map([
  ['cf-mitigated', /./],
  ['x-amzn-waf-action', /./],
  ['x-datadome', /protected/i],
  ['x-sucuri-block', /./],
]);

const isChallenge = (headers: Headers) =>
  headers.some(([name, value]) => CHALLENGES.get(name.toLowerCase())?.test(value));

/** Whether an answer is about who asks and not about the site: nothing else can be read from it. */
export function isTurnedAway({ status, headers }: { status: number; headers: Headers }): boolean {
  return status === 429 || isChallenge(headers);
}
