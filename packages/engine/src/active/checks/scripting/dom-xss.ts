import type { InventoryItem, Parameter } from '../../../crawl/inventory/inventory.ts';
import { POLYGLOT, pressing, writePayload } from '../../../oracle/payloads.ts';
import { type Asking, defineRequestCheck } from '../../define-active-check.ts';
import { requestWith } from '../../insertion-point.ts';
import {
  isAskedOften,
  isOwnProgram,
  namesReadBy,
  namesReadInRoutes,
  readsAddress,
  scriptsOf,
} from '../../shared/page-scripts.ts';

/** A part of the URL that scripts may read. */
interface Source extends Parameter {
  /** The whole fragment, if it has no named parameters. */
  isWhole?: boolean;
}

const FRAGMENT: Source = { location: 'fragment', name: 'fragment', value: '', isWhole: true };
/** Prototype pollution has a check of its own. */
const OF_PROTOTYPES = /__proto__|\bprototype\b/;

type Values = readonly (readonly [source: Source, value: string])[];

/** Returns the URL with a value in each source and everything else unchanged. */
function urlWith(item: InventoryItem, values: Values): string {
  const sources = values.map(([source]) => source);
  const isOther = (parameter: Parameter) => !sources.some((source) => isSame(source, parameter));
  const parameters = [...item.parameters.filter(isOther), ...sources];
  const named = values.filter(([{ location, isWhole }]) => location === 'fragment' && !isWhole);
  const url = values
    .filter((each) => !named.includes(each))
    .reduce(
      (before, [parameter, value]) => requestWith({ item: { ...item, parameters, url: before }, parameter }, value).url,
      item.url,
    );
  return named.length === 0 ? url : withInFragment(url, named);
}

const isSame = (source: Source, { location, name, value }: Parameter) =>
  source.location === location && source.name === name && source.value === value;

/** Hash route of a single-page application: path and query. */
const ROUTE = /^#(!?\/[^?]*)(?:\?(.*))?$/s;
const routeOf = ({ url }: InventoryItem) => ROUTE.exec(new URL(url).hash)?.[1];

/** Encodes spaces as %20, because many scripts do not decode a plus sign. */
function withInFragment(url: string, named: Values): string {
  const [, path, query = ''] = ROUTE.exec(new URL(url).hash) ?? [];
  const pairs = new URLSearchParams(query);
  for (const [{ name }, value] of named) pairs.set(name, value);
  const written = pairs.toString().replaceAll('+', '%20');
  return `${url.replace(/#.*$/s, '')}#${path === undefined ? '' : `${path}?`}${written}`;
}

function namesInRoute({ url }: InventoryItem): Parameter[] {
  const [, , query = ''] = ROUTE.exec(new URL(url).hash) ?? [];
  return [...new Set(new URLSearchParams(query).keys())].map((name) => ({ location: 'fragment', name, value: '' }));
}

const opening = (item: InventoryItem, values: Values, word: string, awaited = word) => ({
  request: { method: 'GET', url: urlWith(item, values) },
  browser: { look: pressing(word), awaited },
});

/** Routes that render the same component share a flaw, which is reported for the first one. */
function noteRoute(item: InventoryItem, sources: readonly Parameter[], { memory }: Asking): void {
  for (const { name } of sources.filter(({ location }) => location === 'fragment')) {
    memory.count(...foundInRoute(name));
    memory.count(...foundInRoute(name), item.url);
  }
}
const foundInRoute = (name: string) => ['dom-xss', 'route', name] as const;

/** The first route may be tried again: its proof may have been interrupted. */
const isFoundElsewhere = (name: string, { url }: InventoryItem, { memory }: Asking) =>
  memory.countOf(...foundInRoute(name)) > 0 && memory.countOf(...foundInRoute(name), url) === 0;

/**
 * Returns the sources that scripts may read: query parameters together with the whole fragment, then named fragment
 * parameters.
 */
function sourcesOf(item: InventoryItem, scripts: string, asking: Asking): Source[][] {
  const inRoute = namesInRoute(item);
  const usable = item.parameters.filter(({ name }) => !OF_PROTOTYPES.test(name));
  const query = usable.filter(({ location }) => location === 'query');
  const others = namesReadBy(scripts).filter((name) => query.every((each) => each.name !== name));
  const inQuery = [...query, ...others.map((name): Parameter => ({ location: 'query', name, value: '' }))];
  // Replacing the whole fragment would lead to another route.
  if (inRoute.length > 0) return [[...inRoute, ...inQuery]];
  if (routeOf(item) !== undefined) {
    const names = namesReadInRoutes(scripts).filter((name) => !isFoundElsewhere(name, item, asking));
    const named = names.map((name): Parameter => ({ location: 'fragment', name, value: '' }));
    return [[FRAGMENT, ...inQuery], ...(named.length > 0 ? [named] : [])];
  }
  const inFragment = [
    ...usable.filter(({ location }) => location === 'fragment'),
    ...others.map((name): Parameter => ({ location: 'fragment', name, value: '' })),
  ];
  const reads = /\bhash\b/.test(scripts) && inFragment.length > 0;
  return [[FRAGMENT, ...inQuery], ...(reads ? [inFragment] : [])];
}

export default defineRequestCheck({
  id: 'dom-xss',
  title: 'DOM-based cross-site scripting (XSS)',
  cwe: 79,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:A/VC:N/VI:N/VA:N/SC:L/SI:L/SA:N',
  needsNoAccount: true,
  impact:
    'An attacker runs scripts in the session of a visitor who opens a link, reads their data and acts in their name.',
  asvs: '3.2.2',
  why: "A script of the page writes a part of the URL to a sink that executes it, such as innerHTML. An attacker who lures a visitor to a link runs scripts in their session; the payload never reaches the server. A payload in the URL ran in the browser and was not part of the server's response.",
  fix: 'Use textContent instead of innerHTML and document.write, and never pass URL data to eval() or setTimeout(). Accept only http and https before navigating to a URL. Trusted Types enforce this for the whole page.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/DOM_based_XSS_Prevention_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/11-Client-side_Testing/01-Testing_for_DOM-based_Cross_Site_Scripting',
    'https://cwe.mitre.org/data/definitions/79.html',
  ],
  risk: 'harmless',
  needsBrowser: true,
  appliesTo: isOwnProgram,
  variants: [] as Source[],
  maxRequests: 80,
  async probe(item, { word }, asking) {
    const scripts = await scriptsOf(item, asking);
    if (!readsAddress(scripts)) return [];
    const found: Source[] = [];
    for (const sources of sourcesOf(item, scripts, asking)) {
      const names = sources.map(({ name }) => name).join();
      // Each route is a page of its own, although all share the same scripts.
      const route = sources.includes(FRAGMENT) ? '' : (routeOf(item) ?? '');
      if (isAskedOften('dom-xss', scripts, asking, names, route)) continue;
      const payload = (index: number) => writePayload({ text: POLYGLOT }, `${word}x${index}z`);
      const values = sources.map((source, index) => [source, payload(index)] as const);
      // Awaits a call that never comes, because every source that runs its payload is a separate flaw.
      const opened = await asking.open(opening(item, values, word, `${word} and all others`));
      const run = sources.filter((_, index) => opened?.calls?.includes(`${word}x${index}z`));
      if (routeOf(item) !== undefined) noteRoute(item, run, asking);
      found.push(...run);
    }
    return found;
  },
  parameterOf: (_item, source) => source,
  proof: {
    plan: (item, source, { word }) => ({
      attack: {
        label: 'payload in the URL, opened in a browser',
        ...opening(item, [[source, writePayload({ text: POLYGLOT }, word)]], word),
      },
    }),
    judge({ attack: { calls, response } }, _source, { word }) {
      if (!calls) return 'VOID';
      // A payload in the server's response is a different flaw (reflected XSS).
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
