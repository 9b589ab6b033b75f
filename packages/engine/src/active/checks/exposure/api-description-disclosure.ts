import { isRecord } from '../../../crawl/inventory/example-value.ts';
import { linkedDescriptions } from '../../../crawl/readers/descriptions/documentation-page.ts';
import { parseDocument } from '../../../crawl/readers/descriptions/parse-document.ts';
import { readPage } from '../../../crawl/readers/read-page.ts';
import { compareAll, isGiven, textOf } from '../../../oracle/private-content.ts';
import { type Asking, defineSiteCheck, type Site } from '../../define-active-check.ts';

const DOCUMENTS = ['/openapi.json', '/swagger.json', '/v3/api-docs', '/v2/api-docs', '/api/openapi.json'];
const PAGES = ['/api-docs/', '/swagger/', '/swagger-ui/', '/docs/', '/api/docs/'];
const MOST_LINKED = 3;
const VERSION = /["']?(?:openapi|swagger)["']?\s{0,9}:\s{0,9}["']?[23]\.\d/;
/** Part of a script that contains the whole description, which the viewer opens. */
const SECURED = /["']?(?:securitySchemes|securityDefinitions)["']?\s{0,9}:\s{0,9}\{\s{0,40}["']?\w/;
const MOST_CHARACTERS = 1_000_000;

/** Returns whether the text describes an API whose operations take credentials. */
function describesSecured(text: string): boolean {
  if (!VERSION.test(text) || text.length > MOST_CHARACTERS) return false;
  if (/^\s*</.test(text)) return false;
  const document = /^\s*\{/.test(text) || !/[;{]\s*$/m.test(text) ? parseDocument(text) : undefined;
  if (!isRecord(document)) return /["']?paths["']?\s{0,9}:\s{0,9}\{/.test(text) && SECURED.test(text);
  const { components, securityDefinitions, paths } = document;
  const schemes = securityDefinitions ?? (isRecord(components) ? components.securitySchemes : undefined);
  return isRecord(paths) && isRecord(schemes) && Object.keys(schemes).length > 0;
}

const pathOf = (url: string) => new URL(url).pathname.replace(/\/$/, '');

/** Returns the paths that pages of the site link to: their documentation is meant for visitors. */
async function linkedPaths({ origin }: Site, { ask, known }: Asking): Promise<Set<string>> {
  const isLinked = ({ source = 'link', url }: (typeof known.inventory)[number]) =>
    source === 'link' && url.startsWith(`${origin}/`);
  const front = textOf(await ask({ method: 'GET', url: `${origin}/` }, null));
  const links = readPage(front, `${origin}/`).links.map(({ url }) => url);
  return new Set([...known.inventory.filter(isLinked).map(({ url }) => url), ...links].map(pathOf));
}

/** Resolves to the URLs of a documentation page that may contain the description. */
async function behindPage(url: string, { ask }: Asking): Promise<string[]> {
  const exchange = await ask({ method: 'GET', url }, null);
  if (exchange.response?.status !== 200) return [];
  const html = textOf(exchange);
  const scripts = [...html.matchAll(/<script[^>]{0,200}\ssrc=["']([^"'<>]{1,300}(?:init|config)[\w.-]*\.js)["']/gi)];
  const own = scripts.flatMap(([, src = '']) => URL.parse(src, url)?.href ?? []);
  const isHere = (each: string) => each.startsWith(`${new URL(url).origin}/`);
  return [...own, ...linkedDescriptions(html, url)].filter(isHere).slice(0, MOST_LINKED);
}

export default defineSiteCheck({
  id: 'api-description-disclosure',
  title: 'API documentation exposed: operations that need a login',
  cwe: 200,
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:L/I:N/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:P/PR:N/UI:N/VC:L/VI:N/VA:N/SC:N/SI:N/SA:N',
  impact:
    'An attacker reads all paths, parameters and security schemes of the API, including those that no client uses.',
  why: 'Visitors can read the OpenAPI description of operations that take credentials, and no page of the site links to it. An attacker gets a map of the API, including operations for partners or administrators. A request without a login returned the description; a path next to it that does not exist did not.',
  fix: 'Require a login for the description and its viewer, or do not deploy them to production. Authorize every operation on the server in either case.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/REST_Security_Cheat_Sheet.html',
    'https://owasp.org/API-Security/editions/2023/en/0xa9-improper-inventory-management/',
    'https://cwe.mitre.org/data/definitions/200.html',
  ],
  risk: 'harmless',
  depth: 'STANDARD',
  appliesTo: () => true,
  /** URLs of descriptions. */
  variants: DOCUMENTS,
  async probe(site, _nonce, asking) {
    const linked = await linkedPaths(site, asking);
    const isHidden = (url: string) => !linked.has(pathOf(url));
    const isOne = async (url: string) => {
      const exchange = await asking.ask({ method: 'GET', url }, null);
      return exchange.response?.status === 200 && describesSecured(textOf(exchange));
    };
    const urls = (paths: readonly string[]) => paths.map((path) => site.origin + path).filter(isHidden);
    for (const page of urls(PAGES))
      for (const url of (await behindPage(page, asking)).filter(isHidden)) if (await isOne(url)) return [url];
    for (const url of urls(DOCUMENTS)) if (await isOne(url)) return [url];
    return [];
  },
  maxRequests: 40,
  placeOf: (_site, url) => url,
  proof: {
    plan: (_site, url, { word }) => ({
      description: { label: 'description, without a login', request: { method: 'GET', url }, as: null },
      elsewhere: {
        label: 'path next to it that does not exist',
        request: { method: 'GET', url: new URL(`./${word}`, url).href },
        as: null,
        isControl: true,
      },
    }),
    judge(answers) {
      const compared = compareAll(answers);
      if (!compared) return 'VOID';
      const { description, elsewhere } = compared;
      const isCommon = isGiven(elsewhere) && describesSecured(elsewhere.text);
      // The description may be meant for everyone, though nothing links to it.
      return isGiven(description) && describesSecured(description.text) && !isCommon ? 'LIKELY' : 'REFUTED';
    },
  },
  lab() {
    const headers = { 'content-type': 'text/html' };
    const schemes = { key: { type: 'apiKey', in: 'header', name: 'X-Key' } };
    const document = JSON.stringify({
      openapi: '3.0.1',
      components: { securitySchemes: schemes },
      paths: { '/teas': {} },
    });
    const answer =
      (front: string) =>
      ({ path }: { path: string }) => {
        if (path === '/') return { headers, body: front };
        return path === '/v3/api-docs'
          ? { headers: { 'content-type': 'application/json' }, body: document }
          : { status: 404 };
      };
    return {
      item: { method: 'GET', url: '/', parameters: [], seenAs: null, contentType: 'text/html' },
      confidence: 'FIRM',
      vulnerable: answer('<h1>Teas</h1>'),
      // The same document, offered to developers.
      safe: answer('<h1>Teas</h1><a href="v3/api-docs">For developers</a>'),
    };
  },
});
