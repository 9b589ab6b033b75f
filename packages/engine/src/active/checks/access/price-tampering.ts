import { effectOf } from '../../../crawl/effect/judge.ts';
import type { InventoryItem, Parameter } from '../../../crawl/inventory/inventory.ts';
import { readPage } from '../../../crawl/readers/read-page.ts';
import { requestOf } from '../../../crawl/requests/write-request.ts';
import { formsOf } from '../../../evidence/page/forms.ts';
import type { PageElement } from '../../../html/scan-page.ts';
import { scanPage } from '../../../html/scan-page.ts';
import { textOf } from '../../../oracle/private-content.ts';
import { type Asking, defineRequestCheck } from '../../define-active-check.ts';
import type { Observation } from '../../experiment.ts';
import type { LabRequest } from '../../lab.ts';
import { readsOnly } from '../../shared/accounts.ts';
import { plainAnswer } from '../../shared/plain-answer.ts';
import { pagesAfter, requestWithAll } from '../../shared/stored-marks.ts';

interface Variant {
  parameter: Parameter;
  /** The page that shows what was ordered. */
  page: string;
  as: string | null;
}

const PRICE =
  /(?:^|[_-])(?:unit_?|item_?|sub_?)?(?:price|cost|total|fee|discount|rate)(?:_?(?:each|net|gross))?$|Price$|Total$/i;
const MOST_PAGES = 8;
const MOST_SHOWN = 5;

const pricesIn = ({ parameters }: InventoryItem) =>
  parameters.filter(
    ({ location, name, value }) => location === 'form' && PRICE.test(name) && /^\d{1,7}(?:[.,]\d{1,2})?$/.test(value),
  );

const isUntouchable = ({ attributes }: PageElement) =>
  /^hidden$/i.test(attributes.get('type')?.trim() ?? '') || attributes.has('readonly');

/** Resolves to the prices that visitors cannot type into the form: a shop that trusts them trusts the browser. */
async function fixedPrices(item: InventoryItem, asking: Asking): Promise<Parameter[]> {
  const folder = item.url.replace(/[^/]*$/, '');
  const pages = asking.known.inventory
    .filter((each) => each.method === 'GET' && readsOnly(each) && /html/i.test(each.contentType))
    .filter((each) => new URL(each.url).origin === new URL(item.url).origin)
    .toSorted(
      (a, b) =>
        Number(folder.startsWith(b.url) || b.url.startsWith(folder)) -
        Number(folder.startsWith(a.url) || a.url.startsWith(folder)),
    )
    .slice(0, MOST_PAGES);
  for (const page of pages) {
    const forms = formsOf(scanPage(await plainAnswer(page, asking)), new URL(page.url));
    const form = forms.find(({ actions }) => actions.some(({ href }) => href === item.url));
    if (!form) continue;
    const fixed = form.fields.filter(isUntouchable).map(({ attributes }) => attributes.get('name'));
    return pricesIn(item).filter(({ name }) => fixed.includes(name));
  }
  return [];
}

/** Returns whether the visible text has the number by itself, also with decimals. */
function showsNumber(exchange: Pick<Observation, 'request' | 'response'>, number: number): boolean {
  const { text } = readPage(textOf(exchange), exchange.request.url);
  return (
    exchange.response?.status === 200 && new RegExp(`(?<![\\d.,])${number}(?:[.,]00)?(?![\\d]|[.,]\\d)`).test(text)
  );
}

async function variantsFor(item: InventoryItem, number: number, asking: Asking): Promise<Variant[]> {
  const [parameter] = await fixedPrices(item, asking);
  if (!parameter) return [];
  const change = await asking.willChange([]);
  const answer = await asking.ask(requestWithAll(item, [[parameter, String(number)]]));
  if ((answer.response?.status ?? 500) >= 400) {
    change.forget();
    return [];
  }
  for (const { url, as } of pagesAfter(item, answer, asking.known).slice(0, MOST_SHOWN)) {
    if (showsNumber(await asking.ask({ method: 'GET', url }, as), number)) return [{ parameter, page: url, as }];
  }
  return [];
}

export default defineRequestCheck({
  id: 'price-tampering',
  title: 'Parameter tampering: the price is taken from a hidden field',
  cwe: 472,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:N/I:H/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:L/UI:N/VC:N/VI:H/VA:N/SC:N/SI:N/SA:N',
  impact: 'An attacker sets the price of what they order, up to receiving goods for free.',
  why: 'The server takes a price from the form, where it is hidden or read-only, instead of looking it up. An attacker changes the field before sending the form and orders at any price. A page of the shop showed the price that the test had sent, and did not show it before; a number in an unknown field was not shown.',
  fix: 'Look up prices, discounts and totals on the server by the id of the product, and ignore those of the request. If a total has to pass through the browser, sign it. Delete the entries that the test created.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/10-Business_Logic_Testing/01-Test_Business_Logic_Data_Validation',
    'https://cheatsheetseries.owasp.org/cheatsheets/Input_Validation_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/472.html',
  ],
  risk: 'intrusive',
  depth: 'STANDARD',
  appliesTo: (item) =>
    item.method === 'POST' &&
    (item.effect ?? effectOf({ method: item.method, url: item.url })) === 'changes' &&
    pricesIn(item).length > 0,
  variants: [] as Variant[],
  probe: (item, { numbers: [a] }, asking) => variantsFor(item, a, asking),
  maxRequests: 40,
  parameterOf: (_item, { parameter }) => parameter,
  proof: {
    plan(item, { parameter, page, as }, { word, numbers: [a, b] }) {
      const shown = (label: string) => ({ label, request: { method: 'GET', url: page }, as });
      const change = { leavesTraces: true };
      const unknown: Parameter = { location: 'form', name: word, value: '' };
      const more = { ...item, parameters: [...item.parameters, unknown] };
      return {
        before: { ...shown('the page of the order before'), isControl: true },
        usual: {
          label: 'order with a number in an unknown field',
          request: requestWithAll(more, [[unknown, String(b)]]),
          isControl: true,
          change,
        },
        afterUsual: { ...shown('the page after that'), isControl: true },
        order: { label: 'order with another price', request: requestWithAll(item, [[parameter, String(a)]]), change },
        after: { ...shown('the page with the order'), answer: { isDecisive: true }, shows: 'the price that was sent' },
        back: { label: 'order with the price of the form', request: requestOf(item), isControl: true, change },
      };
    },
    judge({ before, afterUsual, after }, _variant, { numbers: [a, b] }) {
      const isKnown = [before, afterUsual].some((each) => showsNumber(each, a)) || showsNumber(afterUsual, b);
      return !isKnown && showsNumber(after, a) ? 'PROVED' : 'REFUTED';
    },
  },
  lab() {
    const headers = { 'content-type': 'text/html' };
    const form =
      '<form method="post" action="order"><input type="hidden" name="price" value="25"><input name="count" value="1"></form>';
    const shop = (priceOf: (sent: string) => string) => {
      const orders: string[] = [];
      return ({ method, path, body }: LabRequest) => {
        if (path.startsWith('/basket')) return { headers, body: `<ul>${orders.join('')}</ul>` };
        if (method === 'GET') return { headers, body: form };
        const sent = new URLSearchParams(body);
        orders.push(`<li>Kettle, ${priceOf(sent.get('price') ?? '')} coins</li>`);
        return { status: 303, headers: { location: 'basket' } };
      };
    };
    const page = { method: 'GET', parameters: [], seenAs: 'alice', contentType: 'text/html' } as const;
    return {
      item: {
        method: 'POST',
        url: '/order',
        parameters: [
          { location: 'form', name: 'price', value: '25' },
          { location: 'form', name: 'count', value: '1' },
        ],
        seenAs: 'alice',
        contentType: 'text/html',
        effect: 'changes',
      },
      others: [
        { ...page, url: '/kettle', parameters: [] },
        { ...page, url: '/basket', parameters: [] },
      ],
      vulnerable: shop((price) => price),
      safe: shop(() => '25'),
    };
  },
});
