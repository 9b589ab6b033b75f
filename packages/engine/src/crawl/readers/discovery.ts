import { createInventory, type Inventory, type InventoryItem } from '../inventory/inventory.ts';
import { readCookie, type SharedCookie } from '../inventory/shared-cookie.ts';
import { createBodyLinks } from './body-links.ts';
import type { Description } from './descriptions/description.ts';
import { isDocumentationPage, isGraphqlConsole, linkedDescriptions } from './descriptions/documentation-page.ts';
import { readDescription } from './descriptions/read-description.ts';
import { describeOpenApi } from './descriptions/read-openapi.ts';
import { graphqlItemOf, operationsIn } from './graphql-operations.ts';
import type { PageScript } from './read-page.ts';
import { readScript } from './read-script.ts';

export interface ReferencedUrls {
  /** URLs without placeholders. */
  urls: string[];
  /** Scripts that it imports. */
  imports: string[];
}

/** Collects the requests that API descriptions and scripts of the target name. */
export interface Discovery {
  readScript(text: string, scriptUrl: string, pageUrl: string): ReferencedUrls;
  /** Reads the inline scripts of a page. */
  readInline(scripts: readonly PageScript[], pageUrl: string): ReferencedUrls;
  /** Reads an API description. Returns false if the text is none. */
  readDocument(text: string, url: string): boolean;
  /** Returns descriptions with several base URLs in scope, until `settle` chooses one. */
  undecided(): Undecided[];
  settle(description: Undecided, base: string): void;
  add(items: readonly InventoryItem[]): void;
  /** Returns the number of requests dropped so far because they may not be tested. */
  notCovered(): number;
  /** Returns the requests found so far, whose IDs are not known yet. */
  drafts(): InventoryItem[];
  /** Returns URLs that may be GraphQL endpoints. */
  graphqlUrls(): string[];
  /** Returns the GraphQL operations in scripts, as requests to an endpoint. */
  operationsAt(url: string): InventoryItem[];
  sockets(): string[];
  /** Returns the cookies that scripts set. */
  cookies(): SharedCookie[];
}

/** A description whose base URL has to be found out by requests. Its bases are in scope. */
export type Undecided = Pick<Description, 'bases' | 'requestsAt'>;

const MOST_CHARACTERS = 250_000;
const MOST_UNDECIDED = 20;
const MOST_PLACES = 10;
/** Per script. */
const MOST_COOKIES = 20;
const MOST_SCRIPT = 4_000_000;
const MOST_OPERATIONS = 200;

interface DiscoveryOptions {
  known: readonly InventoryItem[];
  mostItems: number;
  isCovered(url: string): boolean;
}

/** Filters requests by scope, and counts those that it drops. */
function createFilter(isCovered: DiscoveryOptions['isCovered']) {
  let dropped = 0;
  return {
    of(items: readonly InventoryItem[]): InventoryItem[] {
      const kept = items.filter(({ url }) => isCovered(url));
      dropped += items.length - kept.length;
      return kept;
    },
    dropped: () => dropped,
  };
}

/** Creates the reader of documents and scripts, which collects the requests that they name. */
export function createDiscovery({ known, mostItems, isCovered }: DiscoveryOptions): Discovery {
  const drafts: Inventory = createInventory(known, mostItems, MOST_CHARACTERS);
  const graphql = createGraphqlPlaces(isCovered);
  const sockets = new Set<string>();
  const cookies: SharedCookie[] = [];
  const operations = new Set<string>();
  const undecided = new Set<Undecided>();
  const links = createBodyLinks();
  const covered = createFilter(isCovered);

  function add(items: readonly InventoryItem[]): void {
    for (const item of covered.of(items)) drafts.add(item);
  }

  function note(description: Description | undefined): void {
    if (!description) return;
    const bases = description.bases.filter(isCovered);
    const isKnown = (base: string) => description.requestsAt(base).some((item) => drafts.has(item));
    const chosen = bases.length > 1 ? bases.find(isKnown) : bases[0];
    if (bases.length === 0) add(description.requestsAt(description.bases[0] ?? ''));
    if (chosen !== undefined) add(description.requestsAt(chosen));
    else if (bases.length > 1 && undecided.size < MOST_UNDECIDED) undecided.add({ ...description, bases });
  }

  function settle(description: Undecided, base: string): void {
    if (undecided.delete(description)) add(description.requestsAt(base));
  }

  function read(text: string, scriptUrl: string, pageUrl: string): ReferencedUrls {
    const facts = readScript(text, scriptUrl, pageUrl);
    const { urls, requests, documents, imports, sockets: named } = facts;
    links.learn(scriptUrl, facts.links);
    cookies.push(...facts.cookies.flatMap((line) => readCookie(line, pageUrl) ?? []).slice(0, MOST_COOKIES));
    for (const each of operationsIn(text.slice(0, MOST_SCRIPT)))
      if (operations.size < MOST_OPERATIONS) operations.add(each);
    graphql.note([...urls, ...requests.map(({ url }) => url)]);
    add(requests.filter(({ url }) => !/graphql/i.test(url)));
    for (const document of documents) note(describeOpenApi(document, pageUrl));
    for (const url of named) if (sockets.size < MOST_PLACES && isCovered(url.replace(/^ws/, 'http'))) sockets.add(url);
    const linked = isDocumentationPage(text) ? linkedDescriptions(text, pageUrl) : [];
    return { urls: [...urls, ...linked].filter(isCovered), imports };
  }

  return {
    readScript: read,
    readInline(scripts, pageUrl) {
      const found = scripts.flatMap(({ text }) => (text === undefined ? [] : [read(text, pageUrl, pageUrl)]));
      return { urls: found.flatMap(({ urls }) => urls), imports: found.flatMap(({ imports }) => imports) };
    },
    readDocument(text, url) {
      if (/^\s*</.test(text) && isGraphqlConsole(text)) graphql.noteConsole(text, url);
      const description = readDescription(text, url);
      note(description);
      return description !== undefined;
    },
    undecided: () => [...undecided],
    settle,
    add,
    notCovered: covered.dropped,
    drafts() {
      for (const each of undecided) settle(each, each.bases[0] ?? '');
      add(links.drafts());
      return withoutBare(drafts.items());
    },
    graphqlUrls: graphql.urls,
    operationsAt: (url) => [...operations].flatMap((text) => graphqlItemOf(text, url) ?? []),
    sockets: () => [...sockets],
    cookies: () => cookies,
  };
}

const sentTo = ({ method, url }: InventoryItem) => `${method} ${url}`;
const isBare = ({ body, parameters }: InventoryItem) =>
  !body && parameters.every(({ location }) => location === 'path' || location === 'query');

/**
 * Removes POST requests without a body if the same request is known with one. Other methods stay, because the resource
 * may have more fields.
 */
function withoutBare(items: readonly InventoryItem[]): InventoryItem[] {
  const full = new Set(items.filter((item) => !isBare(item)).map(sentTo));
  return items.filter((item) => item.method !== 'POST' || !isBare(item) || !full.has(sentTo(item)));
}

/** Collects URLs that may be GraphQL endpoints. */
function createGraphqlPlaces(isCovered: (url: string) => boolean) {
  const places = new Set<string>();
  const add = (url: string) => isCovered(url) && places.size < MOST_PLACES && places.add(url);
  return {
    note(urls: readonly string[]): void {
      for (const url of urls) if (/graphql|\/gql\b/i.test(new URL(url).pathname)) add(url);
    },
    /** The console of an endpoint is often served by the endpoint itself. */
    noteConsole(text: string, url: string): void {
      const named = [...linkedDescriptions(text, url), url].map((each) => each.replace(/[?#].*$/s, ''));
      for (const each of named) add(each);
    },
    urls: () => [...places],
  };
}
