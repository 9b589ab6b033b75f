import { createHash } from 'node:crypto';
import { effectOf } from '../../../crawl/effect/judge.ts';
import type { InventoryItem } from '../../../crawl/inventory/inventory.ts';
import { requestOf } from '../../../crawl/requests/write-request.ts';
import type { Exchange } from '../../../http/exchange/exchange.ts';
import { defineRequestCheck } from '../../define-active-check.ts';
import type { LabRequest } from '../../lab.ts';

const NAMES_SOMEBODY = /sess|sid$|token|auth|ticket|(?:^|[_-])id$/i;
const MOST_PARAMETERS = 3;
/** Search limit for counters behind hashes. */
const MOST_COUNTED = 5_000;
const HASHES: Readonly<Record<number, string>> = { 32: 'md5', 40: 'sha1', 64: 'sha256' };

function cookiesOf({ response }: Pick<Exchange, 'response'>): Map<string, string> {
  const lines = (response?.headers ?? []).filter(([name]) => name.toLowerCase() === 'set-cookie');
  return new Map(lines.flatMap(([, line]) => [...line.matchAll(/^([^=;]{1,100})=([^;]{1,200})/g)]).map(asPair));
}

const asPair = ([, name = '', value = '']: RegExpMatchArray): [string, string] => [name.trim(), value];

/** Returns the value as a number, or the number whose hash it is. */
function numberIn(value: string): number | undefined {
  if (/^\d{1,15}$/.test(value)) return Number(value);
  const hash = /^[0-9a-f]+$/i.test(value) ? HASHES[value.length] : undefined;
  if (hash === undefined) return undefined;
  const isHashOf = (number: number) => createHash(hash).update(String(number)).digest('hex') === value.toLowerCase();
  for (let number = 0; number < MOST_COUNTED; number++) if (isHashOf(number)) return number;
  return undefined;
}

/** Returns whether the values increase by a constant step. */
function isCounted(values: readonly (string | undefined)[]): boolean {
  const numbers = values.map((value) => (value === undefined ? undefined : numberIn(value)));
  const steps = numbers.slice(1).map((number, index) => (number ?? Number.NaN) - (numbers[index] ?? Number.NaN));
  return steps.length > 0 && steps.every((step) => step === steps[0] && step > 0);
}

export default defineRequestCheck({
  id: 'predictable-session-id',
  title: 'Predictable session identifiers',
  cwe: 330,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:L/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:L/VI:L/VA:N/SC:N/SI:N/SA:N',
  impact: 'An attacker computes the session identifiers of other visitors and continues their sessions.',
  why: 'The site issues session identifiers in a cookie that increase by a constant step, as plain numbers or as their hashes. An attacker computes the identifiers of other visitors and takes over their sessions. Consecutive requests received consecutive values.',
  fix: "Generate identifiers with at least 128 bits from a cryptographically secure random number generator. Prefer your framework's session management.",
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Session_Management_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/06-Session_Management_Testing/01-Testing_for_Session_Management_Schema',
    'https://cwe.mitre.org/data/definitions/330.html',
  ],
  risk: 'intrusive',
  depth: 'STANDARD',
  appliesTo: ({ method, url, parameters, effect = effectOf({ method, url }) }) =>
    effect === 'changes' && parameters.length <= MOST_PARAMETERS,
  /** Names of the cookies. */
  variants: [] as string[],
  maxRequests: 12,
  async probe(item, _nonce, { ask, willChange }) {
    await willChange([]);
    const given = cookiesOf(await ask(requestOf(item)));
    return [...given].flatMap(([name, value]) =>
      NAMES_SOMEBODY.test(name) && numberIn(value) !== undefined ? [name] : [],
    );
  },
  proof: {
    plan(item) {
      const visit = { request: requestOf(item), change: { leavesTraces: true } };
      return {
        first: { label: 'first time', ...visit },
        second: { label: 'second time', ...visit },
        third: { label: 'third time', ...visit },
        fourth: { label: 'fourth time', ...visit },
      };
    },
    judge({ first, second, third, fourth }, name) {
      const values = [first, second, third, fourth].map((answer) => cookiesOf(answer).get(name));
      // LIKELY only: a guessed identifier is not tried, because it belongs to a real user.
      return isCounted(values) ? 'LIKELY' : 'REFUTED';
    },
  },
  lab() {
    const item: InventoryItem = {
      method: 'POST',
      url: '/visits',
      parameters: [],
      seenAs: 'alice',
      contentType: 'text/html',
    };
    const giving = (written: (count: number) => string) => {
      let count = 40;
      return (_request: LabRequest) => ({ headers: { 'set-cookie': `shop_session=${written(++count)}; Path=/` } });
    };
    return {
      item,
      confidence: 'FIRM',
      vulnerable: giving((count) => createHash('md5').update(String(count)).digest('hex')),
      // As many digits, but in no order.
      safe: giving((count) => String((count * count * 7_919) % 1_009)),
    };
  },
});
