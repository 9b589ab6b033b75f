import type { InventoryItem, Parameter } from '../../../crawl/inventory/inventory.ts';
import { textOf } from '../../../oracle/private-content.ts';
import { defineSiteCheck, type Known, type Site } from '../../define-active-check.ts';
import type { Nonce } from '../../experiment.ts';
import { type PointRequest, requestWith } from '../../insertion-point.ts';
import { mayTest } from '../../may-test.ts';
import { readsOnly } from '../../shared/accounts.ts';
import { namesException, showsTrace } from '../../shared/traces.ts';

/** The request and the index of its parameter; without `item`, the site itself. */
interface Variant {
  way: 'odd address' | 'broken JSON' | 'odd value';
  item?: InventoryItem;
  position?: number;
  /** The response names an exception of the framework and shows no trace. */
  isException?: boolean;
}

const detailsOf = ({ isException }: Variant) => (isException ? namesException : showsTrace);

const ODD = '\'"`[]{}<>\\%00';
const MOST_ITEMS = 12;
const MOST_WRITTEN = 30;
const MOST_FOUND = 3;

/** Parameters that are parsed as numbers or dates fail first, then API endpoints. */
const weightOf = ({ parameters, contentType }: InventoryItem) =>
  Number(parameters.some(isTyped)) * 2 + Number(/json/i.test(contentType));
const isTyped = ({ value, type }: Parameter) => type === 'number' || /^-?\d+(?:[.-]\d+){0,2}$/.test(value);
const positionOf = ({ parameters }: InventoryItem) => Math.max(0, parameters.findIndex(isTyped));

/** If a description does not name the request body's type, it is usually JSON. */
const takesJson = ({ body, source }: InventoryItem) => (body ? /json/i.test(body.type) : source === 'openapi');

function candidatesAt({ origin }: Site, { inventory, depth = 'LEAD' }: Known): Variant[] {
  const posted = { method: 'POST', url: `${origin}/`, parameters: [], seenAs: null } satisfies Parameters<
    typeof mayTest
  >[1]['item'];
  const items = inventory.filter(
    (item) => item.url.startsWith(`${origin}/`) && item.seenAs === null && readsOnly(item),
  );
  const ofItems = items
    .filter(({ parameters }) => parameters.some(({ location }) => location !== 'fragment'))
    .toSorted((a, b) => weightOf(b) - weightOf(a))
    .slice(0, MOST_ITEMS);
  const written = inventory.filter(
    (item) =>
      item.url.startsWith(`${origin}/`) &&
      item.method === 'POST' &&
      takesJson(item) &&
      mayTest({ risk: 'harmless' }, { item }, depth),
  );
  const byUrl = new Map(written.map((item) => [item.url, item]));
  return [
    { way: 'odd address' },
    ...(mayTest({ risk: 'harmless' }, { item: posted }, depth) ? [{ way: 'broken JSON' } as const] : []),
    ...ofItems.map((item): Variant => ({ way: 'odd value', item, position: positionOf(item) })),
    ...[...byUrl.values()].slice(0, MOST_WRITTEN).map((item): Variant => ({ way: 'broken JSON', item })),
  ];
}

function oddRequest(
  { origin }: Site,
  { way, item, position = 0 }: Variant,
  { word }: Pick<Nonce, 'word'>,
): PointRequest {
  if (way === 'odd address') return { method: 'GET', url: `${origin}/${word}/%c0%` };
  const parameter = item?.parameters[position];
  if (way === 'odd value' && item && parameter) return requestWith({ item, parameter }, `${word}${ODD}`);
  const headers = [['Content-Type', 'application/json']] as const;
  return { method: 'POST', url: item?.url ?? `${origin}/`, headers, body: `{"${word}": [` };
}

const whoAsks = ({ item }: Variant) => item?.seenAs ?? null;

export default defineSiteCheck({
  id: 'stack-trace',
  title: 'Stack trace disclosed in error responses',
  cwe: 209,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:L/VI:N/VA:N/SC:N/SI:N/SA:N',
  impact:
    'An attacker learns the libraries, file paths and internals of the application, and prepares further attacks with them.',
  why: 'An invalid request returns a stack trace with file names, line numbers and libraries of the application. An attacker learns the components and versions in use and where input is processed. A valid request returned no trace.',
  fix: 'Return a generic error page and write the stack trace to the log. Disable debug mode in production.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Error_Handling_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/08-Testing_for_Error_Handling/02-Testing_for_Stack_Traces',
    'https://cwe.mitre.org/data/definitions/209.html',
  ],
  risk: 'harmless',
  appliesTo: () => true,
  variants: [{ way: 'odd address' }, { way: 'broken JSON' }] as Variant[],
  async probe(site, nonce, { ask, known }) {
    const found: Variant[] = [];
    let named: Variant | undefined;
    for (const variant of candidatesAt(site, known)) {
      if (found.length >= MOST_FOUND) break;
      const text = textOf(await ask(oddRequest(site, variant, nonce), whoAsks(variant)));
      if (showsTrace(text)) found.push(variant);
      else if (namesException(text)) named ??= { ...variant, isException: true };
    }
    return found.length === 0 && named ? [named] : found;
  },
  maxRequests: 60,
  describe: ({ isException }) =>
    isException
      ? {
          title: 'Internal exception disclosed in error responses',
          why: 'An invalid request returns the message of an internal exception with the qualified name of its class. An attacker learns the framework and the libraries in use and how input is processed. A valid request returned no such name.',
          fix: 'Return a generic error message and write the exception to the log. In Spring Boot, set server.error.include-message and include-exception to never.',
        }
      : {},
  placeOf: ({ origin }, { item }) => item?.url ?? `${origin}/`,
  proof: {
    plan: (site, variant, nonce) => ({
      base: {
        label: 'valid request',
        request: { method: 'GET', url: variant.item?.url ?? `${site.origin}/` },
        as: whoAsks(variant),
        isControl: true,
      },
      odd: { label: 'invalid request', request: oddRequest(site, variant, nonce), as: whoAsks(variant) },
    }),
    // A page about programming can show stack traces as well.
    judge({ base, odd }, variant) {
      const [isShown, isUsual] = [odd, base].map((answer) => detailsOf(variant)(textOf(answer)));
      return isShown && !isUsual ? 'PROVED' : 'REFUTED';
    },
  },
  lab() {
    const trace =
      'SyntaxError: Unexpected end of JSON input\n    at JSON.parse (<anonymous>)\n    at parse (/srv/shop/node_modules/body-parser/lib/types/json.js:92:19)';
    const answer = (body: string, ofError: string) => {
      try {
        if (body) JSON.parse(body);
        return { body: 'Welcome' };
      } catch {
        return { status: 400, body: ofError };
      }
    };
    return {
      item: { method: 'GET', url: '/', parameters: [], seenAs: null, contentType: 'text/html' },
      vulnerable: ({ body }) => answer(body, trace),
      safe: ({ body }) => answer(body, 'That is no JSON. Look at line 1:9 of your request.'),
    };
  },
});
