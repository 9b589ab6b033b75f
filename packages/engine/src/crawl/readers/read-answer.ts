import type { Exchange } from '../../http/exchange/exchange.ts';
import { headerOf } from '../../http/exchange/headers.ts';
import type { PageForm } from '../effect/page-form.ts';
import { isRecord } from '../inventory/example-value.ts';
import { type Harvest, harvestJson } from '../inventory/harvest.ts';
import type { Hint } from '../inventory/inventory.ts';
import { isDocumentationPage, linkedDescriptions } from './descriptions/documentation-page.ts';
import { hintsOf } from './read-hints.ts';
import { type PageScript, readPage, resolveUrl } from './read-page.ts';

interface AnswerLink {
  url: string;
  words: string;
  fragment?: string;
}

/** A response as the crawler reads it. */
export interface ReadAnswer {
  status: number;
  contentType: string;
  /** URL of the Location header. */
  next: string | undefined;
  links: AnswerLink[];
  forms: PageForm[];
  scripts: PageScript[];
  /** Fingerprint of a page's scripts; empty if it has none, undefined for other content. */
  programs: string | undefined;
  hints: Hint[];
  text: string;
  /** Fingerprint of the structure. */
  skeleton: string;
  /** URLs of resources that the request created. */
  made: string[];
  harvest(into: Harvest, as: string | null): void;
}

const MOST_CHARACTERS = 2_000_000;

/** Returns undefined if there was no response. */
export function readAnswer({ response }: Exchange, url: string): ReadAnswer | undefined {
  if (!response) return undefined;
  const contentType = headerOf(response.headers, 'content-type') ?? '';
  const location = headerOf(response.headers, 'location') ?? '';
  const next = location ? resolveUrl(location, url) : undefined;
  const text = response.body.toString().slice(0, MOST_CHARACTERS);
  const page = /html/i.test(contentType) ? readPage(text, url) : undefined;
  const json = /json/i.test(contentType) ? parse(text) : undefined;
  const ofHeaders = linksOfHeaders(response.headers, url);
  return {
    status: response.status,
    contentType,
    next,
    links: [
      ...ofHeaders,
      ...(page?.links ?? []),
      ...(json === undefined ? [] : linksOfJson(json, url)),
      ...(page && isDocumentationPage(text)
        ? linkedDescriptions(text, url).map((each) => ({ url: each, words: '' }))
        : []),
    ],
    forms: page?.forms ?? [],
    scripts: page?.scripts ?? [],
    programs: page?.programs,
    hints: hintsOf(response, contentType, text),
    text,
    skeleton: page ? page.skeleton : `${contentType} ${response.status}`,
    made: response.status === 201 && next !== undefined ? [next] : madeOf(response.status, json, url),
    harvest: (into, as) => (json === undefined ? undefined : harvestJson(into, as, url, json)),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A new resource is found below the URL of its collection, by its ID. */
function madeOf(status: number, json: unknown, url: string): string[] {
  const made =
    status === 201 && isRecord(json)
      ? (idIn(json) ??
        Object.values(json)
          .map(idIn)
          .find((id) => id !== undefined))
      : undefined;
  const id = String(made ?? '');
  return /^[\w-]{1,80}$/.test(id) ? [`${url.replace(/[?#].*$/s, '').replace(/\/$/, '')}/${id}`] : [];
}

/** The ID may also be one level down, in a wrapper such as {"data": …}. */
const idIn = (value: unknown) => (isRecord(value) && 'id' in value ? value.id : undefined);

const MOST_LINKS = 200;

function linksOfHeaders(headers: NonNullable<Exchange['response']>['headers'], url: string): AnswerLink[] {
  const named = [...(headerOf(headers, 'link') ?? '').matchAll(/<([^<>]{1,2000})>/g)].map(([, each = '']) => each);
  const refresh = /url=['"]?([^'"]+)/i.exec(headerOf(headers, 'refresh') ?? '')?.[1];
  return [...named.slice(0, MOST_LINKS), refresh, headerOf(headers, 'content-location') ?? ''].flatMap((reference) => {
    const resolved = reference ? resolveUrl(reference, url) : undefined;
    return resolved === undefined ? [] : [{ url: resolved, words: '' }];
  });
}

const LINK_NAME =
  /(?:^|[_-])(?:href|ur[li]|link|next|prev(?:ious)?|first|last|self|endpoint)s?$|(?:Url|Uri|Link|Href)$/;
const MOST_NODES = 3_000;
/** Links within texts that scripts render, as Markdown or HTML. */
const WRITTEN_LINK = /\]\(\s*[^)\s]|\bhref\s*=/i;
const WRITTEN_LINKS =
  /\[([^\]]{0,200})\]\(\s*<?([^)\s>]{1,2000})|\bhref\s*=\s*["']?([^"'\s>]{1,2000})[^>]{0,300}>([^<]{0,200})/gi;
const MOST_TEXT = 100_000;

function linksOfText(text: string, url: string): AnswerLink[] {
  const found = [...text.slice(0, MOST_TEXT).matchAll(WRITTEN_LINKS)].slice(0, MOST_LINKS);
  return found.flatMap(([, label, target, href, shown]) => {
    const resolved = resolveUrl(target ?? href ?? '', url);
    return resolved === undefined ? [] : [{ url: resolved, words: label ?? shown ?? '' }];
  });
}

/** API responses link to other resources by URLs in their properties. */
function linksOfJson(json: unknown, url: string): AnswerLink[] {
  const links: AnswerLink[] = [];
  const waiting: [name: string, value: unknown][] = [['', json]];
  for (let nodes = 0; waiting.length > 0 && nodes < MOST_NODES && links.length < MOST_LINKS; nodes++) {
    const [name, value] = waiting.shift() as [string, unknown];
    if (typeof value === 'object' && value !== null) {
      const isList = Array.isArray(value);
      waiting.push(
        ...Object.entries(value)
          .slice(0, MOST_NODES)
          .map(([key, each]): [string, unknown] => [isList ? name : key, each]),
      );
    } else if (typeof value === 'string' && WRITTEN_LINK.test(value)) {
      links.push(...linksOfText(value, url));
    } else if (typeof value === 'string' && LINK_NAME.test(name) && /^(?:https?:\/)?\/[^\s{}]*$/.test(value)) {
      const resolved = resolveUrl(value, url);
      if (resolved !== undefined) links.push({ url: resolved, words: name });
    }
  }
  return links;
}
