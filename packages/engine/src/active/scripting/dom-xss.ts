import { defineRequestCheck } from '../../active-check.ts';
import type { InventoryItem, Parameter } from '../../crawl/inventory.ts';
import { POLYGLOTS, pressing, writePayload } from '../../oracle/payloads.ts';
import { requestWith } from '../../point.ts';
import { isAskedOften, namesReadBy, readsAddress, scriptsOf } from '../page-scripts.ts';

interface Variant {
  source: Parameter;
  text: string;
}

const ATTACK = 'script that calls back when it runs, read by the scripts of the page';
const FRAGMENT: Parameter = { location: 'fragment', name: 'fragment', value: '' };

/** The address with something in each of the sources, and everything else as it was seen. */
function urlWith(item: InventoryItem, values: readonly (readonly [source: Parameter, value: string])[]): string {
  const sources = values.map(([source]) => source);
  const parameters = [...item.parameters.filter((each) => !sources.includes(each)), ...sources];
  return values.reduce(
    (url, [parameter, value]) =>
      isInRoute(parameter)
        ? withInRoute(url, parameter.name, value)
        : requestWith({ item: { ...item, parameters, url }, parameter }, value).url,
    item.url,
  );
}

const isInRoute = ({ location, name }: Parameter) => location === 'fragment' && name !== FRAGMENT.name;

/** Of a page that scripts build: what they take for its path, and for its query. */
const ROUTE = /^#(!?\/[^?]*)\?(.*)$/s;

function withInRoute(url: string, name: string, value: string): string {
  const [, path = '', query = ''] = ROUTE.exec(new URL(url).hash) ?? [];
  const pairs = new URLSearchParams(query);
  pairs.set(name, value);
  // As browsers send it: a plus would be one to many scripts.
  return `${url.replace(/#.*$/s, '')}#${path}?${pairs.toString().replaceAll('+', '%20')}`;
}

function sourcesInRoute({ url }: InventoryItem): Parameter[] {
  const [, , query = ''] = ROUTE.exec(new URL(url).hash) ?? [];
  return [...new Set(new URLSearchParams(query).keys())].map((name) => ({ location: 'fragment', name, value: '' }));
}

const opening = (item: InventoryItem, values: readonly (readonly [Parameter, string])[], word: string) => ({
  request: { method: 'GET', url: urlWith(item, values) },
  awaited: word,
  look: pressing(word),
});

export default defineRequestCheck<Variant>({
  id: 'dom-xss',
  title: 'Script injection: scripts of the page run what is in its address',
  cwe: 79,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N',
  why: 'A script of the page takes a part of the address and puts it where the browser runs it. Whoever follows a prepared link runs the script in it, as themselves; the server never sees it.',
  fix: 'Show values with textContent, not with innerHTML or document.write; never pass them to eval or setTimeout as text. Accept only http and https before you go to an address. Trusted Types finds and stops the rest.',
  risk: 'harmless',
  needsBrowser: true,
  appliesTo: ({ method, contentType }) => method === 'GET' && /html/i.test(contentType),
  variants: [],
  maxRequests: 60,
  async probe(item, { word }, asking) {
    const scripts = await scriptsOf(item, asking);
    if (!readsAddress(scripts)) return [];
    const known = item.parameters.filter(({ location }) => location === 'query');
    const others = namesReadBy(scripts).filter((name) => known.every((each) => each.name !== name));
    const added = others.map((name): Parameter => ({ location: 'query', name, value: '' }));
    const inRoute = sourcesInRoute(item);
    // What takes the place of the whole fragment would lead to another page.
    const sources = [...(inRoute.length > 0 ? inRoute : [FRAGMENT]), ...known, ...added];
    const names = sources.map(({ name }) => name).join();
    if (isAskedOften(`dom-xss ${names}`, scripts, asking.known)) return [];
    for (const text of POLYGLOTS) {
      const values = sources.map((source, index) => [source, writePayload({ text }, `${word}x${index}z`)] as const);
      const opened = await asking.open(opening(item, values, word));
      const source = sources.find((_, index) => opened?.calls?.includes(`${word}x${index}z`));
      if (source) return [{ source, text }];
    }
    return [];
  },
  parameterOf: (_item, { source }) => source,
  proof: {
    plan: (item, { source, text }, { word }) => [
      { label: ATTACK, inBrowser: true, ...opening(item, [[source, writePayload({ text }, word)]], word) },
    ],
    judge(answers, _variant, { word }) {
      const { calls, response } = answers.get(ATTACK) ?? {};
      if (!calls || !response) return 'VOID';
      // What the server has put on the page is another flaw.
      return calls.includes(word) && !response.body.includes(word) ? 'PROVED' : 'REFUTED';
    },
  },
  lab: () => ({
    item: { method: 'GET', url: '/help', parameters: [], seenAs: null, contentType: 'text/html' },
    vulnerable: ({ path }) => (path.includes('help.js') ? program('innerHTML') : page()),
    safe: ({ path }) => (path.includes('help.js') ? program('textContent') : page()),
  }),
});

const page = () => ({
  headers: { 'content-type': 'text/html' },
  body: '<h1>Help</h1><p id="topic"></p><script src="help.js"></script>',
});
const program = (sink: string) => ({
  headers: { 'content-type': 'text/javascript' },
  body: `const topic = new URLSearchParams(location.search).get('topic');
    document.getElementById('topic').${sink} = 'You asked for ' + topic;`,
});
