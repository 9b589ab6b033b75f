import { effectOf } from '../../../crawl/effect/judge.ts';
import type { Parameter } from '../../../crawl/inventory/inventory.ts';
import { jsonLeaves } from '../../../crawl/inventory/json-leaves.ts';
import { textOf } from '../../../oracle/private-content.ts';
import { definePointCheck } from '../../define-active-check.ts';
import { at, cleanUp, type Nonce, type Observation } from '../../experiment.ts';

const AMOUNT = /(?:^|[/_-])(?:quantity|qty|amount|count|pieces|units|items|seats|tickets|nights)$/i;
const isAmount = ({ name, value }: Parameter) => AMOUNT.test(name) && /^\d{1,4}$/.test(value);

const amountsOf = ({ numbers: [a] }: Nonce) => ({ some: 2 + (a % 3), more: 5 + (a % 4) });

/** Returns the numbers of a response by JSON pointer; empty for a refusal. */
function numbersIn(answer: Observation): Map<string, number> {
  const isRefusal = (answer.response?.status ?? 500) >= 400;
  const leaves = isRefusal ? [] : jsonLeaves(textOf(answer)).filter(({ type }) => type === 'number');
  return new Map(leaves.map(({ pointer, value }) => [pointer, Number(value)]));
}

export default definePointCheck({
  id: 'negative-quantity',
  title: 'Business logic: negative quantities reduce the total',
  cwe: 841,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:N/I:L/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:L/UI:N/VC:N/VI:L/VA:N/SC:N/SI:N/SA:N',
  impact: 'An attacker reduces the total of an order at will, up to receiving goods for free or a refund.',
  why: 'The server accepts a negative quantity and includes it in the price. An attacker adds such an item to reduce the total of an order, or to receive money. A larger quantity raised the price; a negative quantity gave a negative price.',
  fix: 'Validate on the server that quantities are positive integers, at every endpoint that accepts one. Reject orders whose total is negative.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/10-Business_Logic_Testing/01-Test_Business_Logic_Data_Validation',
    'https://cheatsheetseries.owasp.org/cheatsheets/Input_Validation_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/841.html',
  ],
  risk: 'intrusive',
  depth: 'STANDARD',
  locations: ['form', 'json'],
  appliesTo: ({ item: { method, url, effect = effectOf({ method, url }) }, parameter }) =>
    effect === 'changes' && isAmount(parameter),
  variants: [null],
  maxRequests: 8,
  proof: {
    plan(point, _variant, nonce) {
      const { some, more } = amountsOf(nonce);
      return {
        some: at(point, 'small quantity', String(some), { isRaw: true, isControl: true }),
        more: at(point, 'larger quantity', String(more), { isRaw: true, isControl: true }),
        fewer: at(point, 'negative quantity', String(-some), { isRaw: true }),
        back: cleanUp(at(point, 'original quantity restored', point.parameter.value, { isRaw: true })),
      };
    },
    judge(answers, _variant, nonce) {
      const [some, more, fewer] = [numbersIn(answers.some), numbersIn(answers.more), numbersIn(answers.fewer)];
      const amounts = amountsOf(nonce);
      // A number that scales with the quantity, but is not the quantity itself, is a price.
      const isPrice = ([place, sum]: [string, number]) =>
        sum !== amounts.some && sum > 0 && more.get(place) === (sum / amounts.some) * amounts.more;
      return [...some].some((one) => isPrice(one) && fewer.get(one[0]) === -one[1]) ? 'PROVED' : 'REFUTED';
    },
  },
  lab() {
    const basket = (isAllowed: (quantity: number) => boolean) => (value: string) => {
      const quantity = Number(value);
      if (!isAllowed(quantity)) return { status: 400, body: '{"error":"how many?"}' };
      const body = JSON.stringify({ tea: 'Sencha', quantity, total: quantity * 12 });
      return { headers: { 'content-type': 'application/json' }, body };
    };
    return {
      location: 'json',
      parameter: '/quantity',
      value: '1',
      vulnerable: basket(() => true),
      safe: basket((quantity) => quantity > 0),
    };
  },
});
