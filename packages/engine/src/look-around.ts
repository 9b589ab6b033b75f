import { askGraphql, graphqlPlaces, type Send } from './crawl/ask-graphql.ts';
import { bounds } from './crawl/bounds.ts';
import { createDiscovery, type Discovery } from './crawl/discovery.ts';
import { patient } from './crawl/patient.ts';
import { readPage } from './crawl/read-page.ts';
import { readRobots } from './crawl/read-robots.ts';
import { createScriptReader } from './crawl/read-scripts.ts';
import { readSitemaps, sitemapsIn } from './crawl/read-sitemap.ts';
import type { Exchange } from './http/exchange.ts';
import { headerOf } from './http/headers.ts';
import { maskInventory } from './mask.ts';
import type { StepContext } from './pentest-attempt.ts';
import type { PentestState } from './pentest-state.ts';

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
  const [account] = context.accounts.values();
  // As an account where one is given: many show their description only to those.
  const session = account?.session ?? context.visitor;
  const send = patient((request) => session.send({ ...request, ...PAGE }));
  const discovery = createDiscovery({ known: state.drafts, mostItems: bounds[order.depth].described, isCovered });
  await readRobotsAndSitemaps(context, isCovered);
  await findDescriptions(context, { discovery, isCovered, send });
  state.drafts = maskInventory(discovery.drafts(), redactor.redact);
}

const at = (path: string, targetUrl: string) => new URL(path, targetUrl).href;

async function readRobotsAndSitemaps({ visitor, order, state }: StepContext, isCovered: (url: string) => boolean) {
  const send = patient((request) => visitor.send({ ...request, ...PAGE }));
  const visit = (url: string) => send({ method: 'GET', url });
  const { response } = await visit(at('/robots.txt', order.targetUrl));
  const text = response?.status === 200 ? response.body.toString() : '';
  const places = readRobots(text, order.targetUrl).filter(isCovered);
  state.seeds.push(...places.map((url) => ({ url, source: 'robots' as const })));
  const sitemaps = [...sitemapsIn(text, order.targetUrl), at('/sitemap.xml', order.targetUrl)].filter(isCovered);
  const pages = await readSitemaps([...new Set(sitemaps)], visit, isCovered);
  state.seeds.push(...pages.map((url) => ({ url, source: 'sitemap' as const })));
}

interface Finding {
  discovery: Discovery;
  isCovered(url: string): boolean;
  send: Send;
}

async function findDescriptions({ order, state }: StepContext, finding: Finding): Promise<void> {
  const { discovery, isCovered, send } = finding;
  const visit = (url: string) => send({ method: 'GET', url });
  const scripts = createScriptReader({ visit, isCovered, discovery, most: 10 });
  const most = Math.floor(order.budget.requests * MOST_SHARE);
  const places = [PROVIDER, ...DESCRIPTIONS].map((path) => at(path, order.targetUrl)).filter(isCovered);
  for (const url of places.slice(0, most)) {
    const exchange = await visit(url);
    const found =
      exchange.response?.status === 200 ? await readDescription(exchange, url, discovery, scripts.read) : [];
    state.seeds.push(...found.filter(isCovered).map((each) => ({ url: each, source: 'well-known' as const })));
  }
  const guessed = graphqlPlaces.map((path) => at(path, order.targetUrl));
  const endpoints = [...new Set([...discovery.graphqlUrls(), ...guessed])].filter(isCovered);
  await findGraphql(endpoints.slice(0, Math.max(0, most - places.length)), state, finding);
}

/** The first that speaks it: others are most often the same under another name. */
async function findGraphql(urls: readonly string[], state: PentestState, { discovery, send }: Finding): Promise<void> {
  for (const url of urls) {
    const spoken = await askGraphql(send, url);
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
  const type = headerOf(response?.headers ?? [], 'content-type') ?? '';
  if (/javascript/i.test(type)) return discovery.readScript(text, url, url).urls.filter(isDescription);
  if (/json/i.test(type)) return [url];
  if (!/html/i.test(type)) return [];
  const named = await readScripts(readPage(text, url).scripts, url);
  return named.filter(isDescription);
}

const isDescription = (url: string) => /openapi|swagger|api-docs|\.ya?ml$/i.test(url) && !/\.js$/i.test(url);
