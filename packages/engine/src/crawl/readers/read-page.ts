import { createHash } from 'node:crypto';
import {
  attribute,
  type Element,
  elementsOf,
  isElement,
  type ParsedPage,
  parsePage,
  squeeze,
  textOf,
} from '../../html/parse-page.ts';
import { effectOf } from '../effect/judge.ts';
import type { PageForm } from '../effect/page-form.ts';
import { withShownSample } from './field-samples.ts';
import { fieldType, readFields, typeOf } from './form-fields.ts';
import { skeletonOf } from './skeleton.ts';

interface PageLink {
  url: string;
  words: string;
  /** Fragment with named values, read only by scripts: "sort=price". */
  fragment?: string;
}

/** An external or an inline script. */
export interface PageScript {
  url?: string;
  text?: string;
}

export interface CrawledPage {
  links: PageLink[];
  forms: PageForm[];
  /** Visible text. */
  text: string;
  /** Fingerprint of the page's structure. */
  skeleton: string;
  scripts: PageScript[];
  /** Fingerprint of the page's scripts, the same for pages whose scripts likely do the same; empty without scripts. */
  programs: string;
}

/** Attributes that contain links, by element. */
const LINKS: Readonly<Record<string, readonly string[]>> = {
  a: ['href'],
  area: ['href'],
  link: ['href'],
  iframe: ['src'],
  frame: ['src'],
  form: ['action'],
  button: ['formaction'],
  input: ['formaction'],
};
/** Media are followed only if they are generated: their URL has a query then. */
const EMBEDDED: Readonly<Record<string, string>> = {
  img: 'src',
  source: 'src',
  video: 'src',
  audio: 'src',
  embed: 'src',
  track: 'src',
  object: 'data',
};
/** Attributes from which common libraries load URLs. */
const OF_SCRIPTS = /^(?:hx-get|data-(?:[a-z-]+-)?(?:href|url|src))$/;
/** More than a legitimate page has. */
const MOST_LINKS = 5_000;
const MOST_FORMS = 200;
const MOST_FIELDS = 200;
const MOST_WORDS = 500;

/** Returns the links, forms and scripts of a page, with URLs resolved by its `base` element. */
export function readPage(html: string, pageUrl: string): CrawledPage {
  const page = parsePage(html);
  const base = page.elements.find((each) => each.tagName === 'base' && attribute(each, 'href') !== undefined);
  const baseUrl = resolveUrl((base && attribute(base, 'href')) ?? '', pageUrl) ?? pageUrl;
  const controlsOf = groupControls(page);
  const forms = page.elements.filter(({ tagName }) => tagName === 'form').slice(0, MOST_FORMS);
  const scripts = readScripts(page.elements, baseUrl);
  return {
    links: readLinks(page.elements, baseUrl, controlsOf),
    forms: forms.flatMap((form) => readForm(form, controlsOf.get(form) ?? [], baseUrl, pageUrl)),
    text: page.text,
    skeleton: skeletonOf(page.elements),
    scripts,
    programs: scripts.length === 0 ? '' : programsOf(page.elements, scripts),
  };
}

/**
 * Ignores numbers, which vary from page to page. Includes the attributes of html and body, which tell a shared script
 * what to do.
 */
function programsOf(elements: readonly Element[], scripts: readonly PageScript[]): string {
  const wholes = elements.filter(({ tagName }) => tagName === 'html' || tagName === 'body');
  const said = wholes.flatMap(({ attrs }) => attrs.map(({ name, value }) => `${name}=${value}`));
  const parts = [...scripts.map(({ url, text }) => url ?? text ?? ''), ...said];
  const alike = parts.map((part) => part.replace(/[0-9a-f]{8,}|\d+/gi, ''));
  return createHash('sha256').update(alike.join('\n')).digest('hex').slice(0, 16);
}

/** Returns the URL without its fragment; undefined for schemes other than http and https. */
export function resolveUrl(reference: string, baseUrl: string): string | undefined {
  const url = URL.parse(reference.trim(), baseUrl);
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  url.hash = '';
  return url.href;
}

const MOST_SCRIPTS = 100;

function readScripts(elements: readonly Element[], baseUrl: string): PageScript[] {
  const scripts = elements.filter(({ tagName }) => tagName === 'script').slice(0, MOST_SCRIPTS);
  // Inline click handlers are scripts as well.
  const clicked = elements
    .filter(
      (element) =>
        attribute(element, 'onclick') !== undefined &&
        effectOf({ method: 'GET', url: baseUrl, label: wordsOf(element) }) !== 'endangers',
    )
    .map((element) => attribute(element, 'onclick') ?? '')
    .slice(0, MOST_SCRIPTS);
  const onClick = clicked.map((text): PageScript => ({ text: text.replace(/^\s*javascript:/i, '') }));
  const written = scripts.flatMap((element): PageScript[] => {
    const source = attribute(element, 'src');
    const url = source === undefined ? undefined : resolveUrl(source, baseUrl);
    if (url !== undefined) return [{ url }];
    const isScript = /^$|javascript|module|ecmascript/i.test(typeOf(element));
    const text = element.childNodes.map((node) => ('value' in node ? node.value : '')).join('');
    return isScript && text.trim() !== '' ? [{ text }] : [];
  });
  return [...written, ...onClick];
}

const NAMED_FRAGMENT = /^[^#]{0,2000}#([\w-]{1,40}=[^#\s]{0,200})$/;

type Controls = ReadonlyMap<Element, Element[]>;
const CONTROLS = new Set(['input', 'select', 'textarea', 'button']);

function groupControls({ elements, formOf }: ParsedPage): Controls {
  const groups = new Map<Element, Element[]>();
  for (const control of elements) {
    const form = CONTROLS.has(control.tagName) ? formOf(control) : undefined;
    if (!form) continue;
    const group = groups.get(form) ?? [];
    if (group.length < MOST_FIELDS) group.push(control);
    groups.set(form, group);
  }
  return groups;
}

function readLinks(elements: readonly Element[], baseUrl: string, controlsOf: Controls): PageLink[] {
  const links: PageLink[] = [];
  for (const element of elements) {
    for (const reference of referencesOf(element)) {
      const url = resolveUrl(reference, baseUrl);
      if (url === undefined) continue;
      const words = element.tagName === 'form' ? wordsOfForm(element, controlsOf.get(element) ?? []) : wordsOf(element);
      const [, fragment] = NAMED_FRAGMENT.exec(reference) ?? [];
      links.push({ url, words, ...(fragment !== undefined && { fragment }) });
    }
    if (links.length >= MOST_LINKS) break;
  }
  return links;
}

function referencesOf(element: Element): string[] {
  const embedded = attribute(element, EMBEDDED[element.tagName] ?? '');
  const isRefresh = element.tagName === 'meta' && /^refresh$/i.test(attribute(element, 'http-equiv') ?? '');
  const refresh = isRefresh ? /url\s*=\s*['"]?([^'"]+)/i.exec(attribute(element, 'content') ?? '')?.[1] : undefined;
  const usual = (LINKS[element.tagName] ?? []).map((name) => attribute(element, name));
  const ofScripts = element.attrs.filter(({ name }) => OF_SCRIPTS.test(name)).map(({ value }) => value);
  return [...usual, ...ofScripts, embedded?.includes('?') ? embedded : undefined, refresh].filter(
    (each) => each !== undefined,
  );
}

/** Returns the visible and the accessible labels of an element, one per line. */
function wordsOf(element: Element): string {
  const pictures = elementsOf(element).filter(({ tagName }) => tagName === 'img');
  const told = [element, ...pictures.slice(0, 5)].flatMap((each) =>
    ['title', 'aria-label', 'alt'].map((name) => attribute(each, name)),
  );
  const value = isButton(element) ? attribute(element, 'value') : undefined;
  return linesOf([textOf(element, MOST_WORDS), value, ...told]);
}

const buttonsOf = (controls: readonly Element[]) => linesOf(controls.filter(isButton).map(wordsOf));

function wordsOfForm(form: Element, controls: readonly Element[]): string {
  const names = [attribute(form, 'id'), attribute(form, 'name'), attribute(form, 'class')];
  return linesOf([...names, buttonsOf(controls)]);
}

const linesOf = (texts: readonly (string | undefined)[]) =>
  texts
    .flatMap((text) => (text ?? '').split('\n'))
    .map(squeeze)
    .filter(Boolean)
    .join('\n')
    .slice(0, MOST_WORDS);

const HEADING = /^(?:h[1-6]|legend|caption|summary)$/;
/** Elements before a form in which a heading still belongs to it. */
const MOST_BEFORE = 3;

/** A form is often told by its heading only: "Reset the database" above a button "Go". */
function headingsOf(form: Element): string {
  const inside = elementsOf(form).filter(({ tagName }) => HEADING.test(tagName));
  const siblings = form.parentNode?.childNodes ?? [];
  const before = siblings.slice(0, siblings.indexOf(form)).filter(isElement).slice(-MOST_BEFORE);
  const above = before.findLast(({ tagName }) => HEADING.test(tagName));
  const isOther = above && before.slice(before.indexOf(above)).some(({ tagName }) => tagName === 'form');
  const told = [attribute(form, 'aria-label'), attribute(form, 'title')];
  return linesOf([
    ...told,
    ...[...inside, ...(above && !isOther ? [above] : [])].map((each) => textOf(each, MOST_WORDS)),
  ]);
}

function isButton(element: Element): boolean {
  return (
    element.tagName === 'button' || (element.tagName === 'input' && /^(?:submit|button|image)$/.test(typeOf(element)))
  );
}

function readForm(form: Element, controls: readonly Element[], baseUrl: string, pageUrl: string): PageForm[] {
  // Without an action, a form is submitted to its page, regardless of the base URL.
  const reference = attribute(form, 'action');
  const action = reference ? resolveUrl(reference, baseUrl) : resolveUrl('', pageUrl);
  if (action === undefined) return [];
  const method = attribute(form, 'method')?.trim().toUpperCase() === 'POST' ? 'POST' : 'GET';
  const hasFiles = method === 'POST' && attribute(form, 'enctype')?.trim().toLowerCase() === 'multipart/form-data';
  const fields = withShownSample(readFields(controls), form);
  const headings = headingsOf(form);
  const words = wordsOfForm(form, controls);
  const buttons = buttonsOf(controls);
  const told = {
    words,
    buttons,
    ...(headings !== '' && { headings }),
    ...(isScripted(controls) && { isScripted: true }),
  };
  return [{ method, action, fields, ...(hasFiles && { hasFiles }), ...told }];
}

function isScripted(controls: readonly Element[]): boolean {
  const types = controls.filter(isButton).map((each) => (each.tagName === 'button' ? fieldType(each) : typeOf(each)));
  return types.includes('button') && !types.some((type) => type === 'submit' || type === 'image');
}
