import { askGraphql } from '../../crawl/frontier/ask-graphql.ts';
import { isRecord } from '../../crawl/inventory/example-value.ts';
import type { InventoryItem } from '../../crawl/inventory/inventory.ts';
import { parseDocument } from '../../crawl/readers/descriptions/parse-document.ts';
import { readDescription } from '../../crawl/readers/descriptions/read-description.ts';
import { graphqlPlaces } from '../../crawl/readers/graphql-places.ts';
import { readPage } from '../../crawl/readers/read-page.ts';
import type { TokenHeader } from '../session/login-request.ts';
import type { Session } from '../session/session.ts';

/** What descriptions of the target's API say about logins. */
export interface Api {
  items: readonly InventoryItem[];
  /** Header that the description names for the token. */
  header?: TokenHeader | undefined;
  /** URLs of OAuth 2.0 password grants. */
  tokenUrls: readonly string[];
}

const PLACES =
  'openapi.json swagger.json v3/api-docs v2/api-docs api-docs openapi.yaml api/openapi.json api/swagger.json api/v1/openapi.json swagger/v1/swagger.json api/docs/openapi.json api/schema'.split(
    ' ',
  );
/** Where services in SOAP tell their description: at their own URL, which pages link. */
const WSDL_PLACES = ['?wsdl', 'service?wsdl', 'services?wsdl', 'ws?wsdl', 'soap?wsdl', 'api?wsdl'];
/** Bases of a description that may be meant; the response to the login shows which one exists. */
const MOST_BASES = 3;

/** What the target says about its API, read at the first use. */
export interface Apis {
  described(): Promise<Api>;
  graphql(): Promise<Api>;
}

export function apisOf(session: Session, targetUrl: string, named: readonly string[]): Apis {
  let described: Promise<Api> | undefined;
  let graphql: Promise<Api> | undefined;
  return {
    described() {
      described ??= readApi(session, targetUrl, named);
      return described;
    },
    graphql() {
      graphql ??= readGraphql(session, targetUrl, named);
      return graphql;
    },
  };
}

/** Reads the first API description at the URLs the owner names and at common paths. */
async function readApi(session: Session, targetUrl: string, named: readonly string[]): Promise<Api> {
  const { origin } = new URL(targetUrl);
  const usual = PLACES.flatMap((path) => [new URL(path, targetUrl).href, `${origin}/${path}`]);
  const services = WSDL_PLACES.map((place) => new URL(place, targetUrl).href);
  const front = await session.send({ method: 'GET', url: targetUrl });
  const { links } = readPage(front.response?.body.toString() ?? '', targetUrl);
  const linked = links.map(({ url }) => url).filter((url) => /[?.]wsdl$/i.test(url) && new URL(url).origin === origin);
  for (const url of new Set([...named, ...linked, ...usual, ...services])) {
    const { response } = await session.send({ method: 'GET', url });
    const text = response?.status === 200 ? response.body.toString() : '';
    const api = readText(text, url, origin);
    if (api) return api;
  }
  return { items: [], tokenUrls: [] };
}

/** Asks for the schema of the first GraphQL endpoint at the URLs the owner names and at common paths. */
async function readGraphql(session: Session, targetUrl: string, named: readonly string[]): Promise<Api> {
  const { origin } = new URL(targetUrl);
  const send = (request: Parameters<Session['send']>[0]) => session.send(request);
  const endpoints = [...named.filter((url) => /graphql|gql/i.test(url)), ...graphqlPlaces.map((path) => origin + path)];
  for (const url of new Set(endpoints)) {
    const found = await askGraphql(send, url);
    if (found) return { items: found.items, tokenUrls: [] };
  }
  return { items: [], tokenUrls: [] };
}

function readText(text: string, url: string, origin: string): Api | undefined {
  const description = readDescription(text, url);
  if (!description || description.format === 'listing') return undefined;
  const bases = description.bases.filter((base) => URL.parse(base)?.origin === origin).slice(0, MOST_BASES);
  const items = bases.flatMap((base) => description.requestsAt(base));
  const document = parseDocument(text);
  const schemes = isRecord(document) ? schemesOf(document) : [];
  return { items, header: headerIn(schemes), tokenUrls: tokenUrlsIn(schemes, [...bases, url]) };
}

function schemesOf({ components, securityDefinitions }: Record<string, unknown>): Record<string, unknown>[] {
  const defined = isRecord(components) ? components.securitySchemes : securityDefinitions;
  return isRecord(defined) ? Object.values(defined).filter(isRecord) : [];
}

function headerIn(schemes: readonly Record<string, unknown>[]): TokenHeader | undefined {
  const bearer = schemes.some(({ type, scheme }) => type === 'oauth2' || (type === 'http' && scheme === 'bearer'));
  if (bearer) return { name: 'Authorization', scheme: 'Bearer' };
  const key = schemes.find((each) => each.type === 'apiKey' && each.in === 'header');
  if (typeof key?.name !== 'string') return undefined;
  const [, scheme = ''] = /\b(Bearer|Token|JWT)\b/.exec(String(key.description ?? '')) ?? [];
  return { name: key.name, scheme: /^authorization$/i.test(key.name) ? scheme || 'Bearer' : '' };
}

function tokenUrlsIn(schemes: readonly Record<string, unknown>[], bases: readonly string[]): string[] {
  const told = schemes.flatMap(({ flow, flows, tokenUrl }) => {
    const password = isRecord(flows) && isRecord(flows.password) ? flows.password.tokenUrl : undefined;
    return [flow === 'password' ? tokenUrl : undefined, password].filter((each) => typeof each === 'string');
  });
  return told.flatMap((each) => bases.flatMap((base) => URL.parse(each, base.replace(/\/?$/, '/'))?.href ?? []));
}
