import { effectOf } from '../../../crawl/effect/judge.ts';
import type { InventoryItem } from '../../../crawl/inventory/inventory.ts';
import { textOf } from '../../../oracle/private-content.ts';
import { type Asking, defineRequestCheck, type Known } from '../../define-active-check.ts';
import { cleanUp, type Observation } from '../../experiment.ts';
import type { PointRequest } from '../../insertion-point.ts';
import type { LabRequest } from '../../lab.ts';
import { readsOnly } from '../../shared/accounts.ts';
import { written } from '../../shared/privileged-fields.ts';

/** A URL whose JSON shows the effect. */
interface Variant {
  shownAt: string;
}

const MOST_PAGES = 2;
/** Unusual widths, which no response has by chance. */
const [WIDE, NARROW] = [7, 5];

const isJson = (item: InventoryItem) =>
  /json/i.test(item.body?.type ?? '') ||
  item.parameters.some(({ location }) => location === 'json') ||
  (item.source === 'openapi' && item.body === undefined && item.method === 'PATCH');

/** Express indents its JSON by this property, unless the application sets one: no data changes, and 0 undoes it. */
function indenting(item: InventoryItem, spaces: number): PointRequest {
  const polluted = JSON.parse(`{"__proto__":{"json spaces":${spaces}}}`) as object;
  return {
    method: item.method,
    url: item.url,
    headers: [['Content-Type', 'application/json']],
    body: JSON.stringify({ ...written(item), ...polluted }),
  };
}

const isIndented = (exchange: Pick<Observation, 'response'>, spaces: number) =>
  new RegExp(`[{[]\\n {${spaces}}["{[\\d]`).test(textOf(exchange));

function pagesFor(item: InventoryItem, { inventory }: Known): string[] {
  const { origin } = new URL(item.url);
  const others = inventory
    .filter((each) => each.method === 'GET' && /json/i.test(each.contentType) && readsOnly(each))
    .filter(({ url }) => url.startsWith(`${origin}/`))
    .map(({ url }) => url);
  return [...new Set([...(item.method === 'POST' ? [] : [item.url]), ...others])].slice(0, MOST_PAGES);
}

async function variantsFor(item: InventoryItem, { ask, willChange, known }: Asking): Promise<Variant[]> {
  const change = await willChange([indenting(item, 0)]);
  await ask(indenting(item, WIDE));
  const found: Variant[] = [];
  for (const shownAt of pagesFor(item, known)) {
    if (found.length === 0 && isIndented(await ask({ method: 'GET', url: shownAt }), WIDE)) found.push({ shownAt });
  }
  await change.takeBack();
  return found;
}

export default defineRequestCheck({
  id: 'server-prototype-pollution',
  title: 'Server-side prototype pollution through JSON',
  cwe: 1321,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:L/A:L',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:N/VI:L/VA:L/SC:N/SI:N/SA:N',
  impact:
    'An attacker sets properties of all objects of the server, which changes its decisions or, with many libraries, runs code.',
  why: 'The server merges JSON of the request into an object and follows the key __proto__. An attacker sets properties that all objects of the process inherit, such as a role, and with many libraries runs code. The test set the width by which Express indents JSON: responses were indented, no longer after the reset, and again by another width. The test has reset it.',
  fix: 'Merge only known keys, or into a Map or Object.create(null). Reject __proto__, constructor and prototype in a JSON reviver or schema, update libraries that merge objects, and start Node.js with --disable-proto=delete.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Prototype_Pollution_Prevention_Cheat_Sheet.html',
    'https://portswigger.net/web-security/prototype-pollution/server-side',
    'https://cwe.mitre.org/data/definitions/1321.html',
  ],
  risk: 'intrusive',
  // All visitors receive indented JSON for a moment.
  depth: 'DEEP',
  appliesTo: (item, known) =>
    ['POST', 'PUT', 'PATCH'].includes(item.method) &&
    item.operation === undefined &&
    (item.effect ?? effectOf({ method: item.method, url: item.url })) === 'changes' &&
    isJson(item) &&
    pagesFor(item, known).length > 0,
  variants: [] as Variant[],
  probe: (item, _nonce, asking) => variantsFor(item, asking),
  maxRequests: 24,
  proof: {
    plan(item, { shownAt }) {
      const shown = (label: string) => ({ label, request: { method: 'GET', url: shownAt } });
      return {
        before: { ...shown('JSON before'), isControl: true },
        wide: { label: 'indentation set in __proto__', request: indenting(item, WIDE) },
        indented: shown('JSON after that'),
        reset: { label: 'indentation reset', request: indenting(item, 0), isControl: true },
        plain: { ...shown('JSON after the reset'), isControl: true },
        narrow: { label: 'another indentation set in __proto__', request: indenting(item, NARROW) },
        indentedAgain: shown('JSON after that'),
        back: cleanUp({ label: 'indentation reset', request: indenting(item, 0) }),
      };
    },
    judge({ before, wide, indented, reset, plain, narrow, indentedAgain, back }) {
      if (!back?.response) return 'VOID';
      const isPlain = [before, reset, plain, back].every(
        (each) => ![WIDE, NARROW].some((spaces) => isIndented(each, spaces)),
      );
      const isSet = isIndented(indented, WIDE) && isIndented(indentedAgain, NARROW);
      // A width that was not asked for is set by other requests than these.
      const isOurs = !isIndented(wide, NARROW) && !isIndented(narrow, WIDE);
      return isPlain && isSet && isOurs ? 'PROVED' : 'REFUTED';
    },
  },
  lab() {
    const headers = { 'content-type': 'application/json' };
    const keep = (merges: (name: string) => boolean) => {
      let spaces = 0;
      return ({ method, body }: LabRequest) => {
        if (method !== 'PATCH') return { headers, body: JSON.stringify({ colour: 'green' }, undefined, spaces) };
        for (const [name, value] of Object.entries(JSON.parse(body) as Record<string, Record<string, number>>))
          if (name === '__proto__' && merges(name)) spaces = value['json spaces'] ?? spaces;
        return { headers, body: '{"state":"kept"}' };
      };
    };
    return {
      item: {
        method: 'PATCH',
        url: '/preferences',
        parameters: [{ location: 'json', name: '/colour', value: 'green' }],
        body: { type: 'application/json', text: '{"colour":"green"}' },
        seenAs: 'alice',
        contentType: 'application/json',
      },
      vulnerable: keep(() => true),
      safe: keep(() => false),
    };
  },
});
