import { askGraphql, graphqlPlaces } from './crawl/ask-graphql.ts';
import { bounds } from './crawl/bounds.ts';
import { createDiscovery, type Discovery } from './crawl/discovery.ts';
import { headerOf } from './crawl/header-of.ts';
import { readPage } from './crawl/read-page.ts';
import { readRobots } from './crawl/read-robots.ts';
import { createScriptReader } from './crawl/read-scripts.ts';
import { readSitemaps, sitemapsIn } from './crawl/read-sitemap.ts';
import type { Exchange } from './http/exchange.ts';
import { maskInventory } from './mask.ts';
import type { StepContext } from './pentest-attempt.ts';

/** Where descriptions of APIs lie, and pages that show them. */
const DESCRIPTIONS =
  '/openapi.json /openapi.yaml /swagger.json /swagger/v1/swagger.json /v2/api-docs /v3/api-docs /api-docs /api-docs.json /api/openapi.json /api/swagger.json /api/v1/openapi.json /swagger-ui/ /swagger-ui.html /swagger-ui/swagger-initializer.js /api-docs/swagger-ui-init.js /api-docs/ /docs /api/docs /swagger /redoc'.split(
    ' ',
  );
const PROVIDER = '/.well-known/openid-configuration';
const PAGE = { totalMs: 10_000, bodyBytes: 5_000_000 } as const;
/** Of all requests of the run, at most so many are asked for here. */
const MOST_SHARE = 0.05;

/** What the site itself says about its pages and about its API. */
export async function lookAround(context: StepContext): Promise<undefined> {
  const { order, state, scope, redactor } = context;
  const isCovered = (url: string) => scope(new URL(url), 'test') === undefined;
  const discovery = createDiscovery({ known: state.drafts, mostItems: bounds[order.depth].described, isCovered });
  await readRobotsAndSitemaps(context, isCovered);
  await findDescriptions(context, discovery, isCovered);
  state.drafts = maskInventory(discovery.drafts(), redactor.redact);
}

const at = (path: string, targetUrl: string) => new URL(path, targetUrl).href;

async function readRobotsAndSitemaps({ visitor, order, state }: StepContext, isCovered: (url: string) => boolean) {
  const visit = (url: string) => visitor.send({ method: 'GET', url, ...PAGE });
  const { response } = await visit(at('/robots.txt', order.targetUrl));
  const text = response?.status === 200 ? response.body.toString() : '';
  const places = readRobots(text, order.targetUrl).filter(isCovered);
  state.seeds.push(...places.map((url) => ({ url, source: 'robots' as const })));
  const sitemaps = [...sitemapsIn(text, order.targetUrl), at('/sitemap.xml', order.targetUrl)].filter(isCovered);
  const pages = await readSitemaps([...new Set(sitemaps)], visit, isCovered);
  state.seeds.push(...pages.map((url) => ({ url, source: 'sitemap' as const })));
}

/** As an account where one is given: many show their description only to those. */
async function findDescriptions(context: StepContext, discovery: Discovery, isCovered: (url: string) => boolean) {
  const { visitor, accounts, order, state } = context;
  const [account] = accounts.values();
  const session = account?.session ?? visitor;
  const visit = (url: string) => session.send({ method: 'GET', url, ...PAGE });
  const scripts = createScriptReader({ visit, isCovered, discovery, most: 10 });
  let left = Math.floor(order.budget.requests * MOST_SHARE);
  for (const path of [PROVIDER, ...DESCRIPTIONS]) {
    const url = at(path, order.targetUrl);
    if (!isCovered(url) || left-- <= 0) continue;
    const exchange = await visit(url);
    const found =
      exchange.response?.status === 200 ? await readDescription(exchange, url, discovery, scripts.read) : [];
    state.seeds.push(...found.filter(isCovered).map((each) => ({ url: each, source: 'well-known' as const })));
  }
  await findGraphql(context, discovery, isCovered, left);
}

async function findGraphql(
  { visitor, accounts, order, state }: StepContext,
  discovery: Discovery,
  isCovered: (url: string) => boolean,
  most: number,
) {
  const [account] = accounts.values();
  const { send } = account?.session ?? visitor;
  const guessed = graphqlPlaces.map((path) => at(path, order.targetUrl));
  for (const url of [...new Set([...discovery.graphqlUrls(), ...guessed])]
    .slice(0, Math.max(0, most))
    .filter(isCovered)) {
    const spoken = await askGraphql((request) => send({ ...request, ...PAGE }), url);
    if (!spoken) continue;
    discovery.add(spoken.items);
    if (!spoken.isIntrospectable)
      state.notes.push(`${url} does not describe itself: only names it suggests were found.`);
    return;
  }
}

/** Pages that show a description name it in a script; an identity provider names its endpoints. */
async function readDescription(
  { response }: Exchange,
  url: string,
  discovery: Discovery,
  readScripts: (scripts: ReturnType<typeof readPage>['scripts'], pageUrl: string) => Promise<string[]>,
): Promise<string[]> {
  const text = response?.body.toString() ?? '';
  if (discovery.readDocument(text, url)) return [];
  const type = headerOf(response?.headers, 'content-type');
  if (/javascript/i.test(type)) return discovery.readScript(text, url, url).urls.filter(isDescription);
  if (/json/i.test(type)) return [url];
  if (!/html/i.test(type)) return [];
  const named = await readScripts(readPage(text, url).scripts, url);
  return named.filter(isDescription);
}

const isDescription = (url: string) => /openapi|swagger|api-docs|\.ya?ml$/i.test(url) && !/\.js$/i.test(url);
