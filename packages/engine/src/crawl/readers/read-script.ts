import { type AnyNode, type AssignmentExpression, type CallExpression, type Node, type Options, parse } from 'acorn';
import { type InventoryItem, type Method, methods, type Parameter } from '../inventory/inventory.ts';
import { type Described, draftOf } from '../requests/draft.ts';
import { isOpenApi } from './descriptions/read-openapi.ts';
import { resolveUrl } from './read-page.ts';
import { dataOf, dataOfRequest, passedOf, type SentData, uploadOf } from './script-bodies.ts';
import { headersOfOptions, headersOfRequest } from './script-headers.ts';
import { type ScriptLinks, scriptLinksOf } from './script-links.ts';
import { placesOf, type ScriptStatements } from './script-places.ts';
import {
  isClass,
  nameOf,
  namesOf,
  namesOfClass,
  propertyOf,
  type ScriptConstants,
  textOfNode,
  valueOfNode,
  walkScript,
} from './script-values.ts';

/** What a script reveals about the requests of its site. */
export interface ScriptFacts {
  /** URLs without placeholders. */
  urls: string[];
  /** Requests with their method and body, and URLs with placeholders. */
  requests: InventoryItem[];
  sockets: string[];
  /** Texts assigned to `document.cookie`. */
  cookies: string[];
  /** Paths of a router without placeholders. */
  routes: string[];
  /** Scripts that it imports. */
  imports: string[];
  /** API descriptions that it contains. */
  documents: Readonly<Record<string, unknown>>[];
  /** Functions that send their arguments, and the arguments of calls. */
  links: ScriptLinks;
}

/** Context in which a script is read. */
interface Reading {
  pageUrl: string;
  places: ScriptStatements;
}

const MOST_CHARACTERS = 4_000_000;
const MOST_FOUND = 1_000;

/** Analyzes a script without executing it. Text that does not parse as JavaScript is searched for paths in quotes. */
export function readScript(text: string, scriptUrl: string, pageUrl = scriptUrl): ScriptFacts {
  const links: ScriptLinks = { passings: [], givings: [], exported: [], imported: [] };
  const facts: ScriptFacts = {
    urls: [],
    requests: [],
    sockets: [],
    cookies: [],
    routes: [],
    imports: [],
    documents: [],
    links,
  };
  const program = text.length > MOST_CHARACTERS ? undefined : parseScript(text);
  if (!program) {
    for (const [, , literal = ''] of text.slice(0, MOST_CHARACTERS).matchAll(/(["'`])(\/[^"'`\s\\]{1,300})\1/g))
      noteText(literal, pageUrl, facts);
    return facts;
  }
  const names = namesOf(walkScript(program));
  const places = placesOf(program);
  readNodes(program, names, { pageUrl, places }, facts);
  Object.assign(links, scriptLinksOf(program, places, names, scriptUrl));
  facts.imports = importsOf(program, scriptUrl);
  facts.urls = [...new Set(facts.urls)];
  return facts;
}

/** Bundlers split programs into chunks that import each other. */
function importsOf(program: Node, scriptUrl: string): string[] {
  const found = new Set<string>();
  for (const node of walkScript(program)) {
    const source = 'source' in node && typeof node.source === 'object' ? node.source : undefined;
    const text = source?.type === 'Literal' && typeof source.value === 'string' ? source.value : '';
    const url = /^(?:\.{0,2}\/|https?:)/.test(text) ? resolveUrl(text, scriptUrl) : undefined;
    if (url !== undefined && found.size < MOST_FOUND) found.add(url);
  }
  return [...found];
}

/** Reads each class with its own names. */
function readNodes(root: Node, names: ScriptConstants, reading: Reading, facts: ScriptFacts): void {
  const waiting: [node: Node, names: ScriptConstants][] = [[root, names]];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [top, known] = next;
    for (const node of walkScript(top, (each) => !isClass(each))) {
      if (facts.urls.length + facts.requests.length >= MOST_FOUND) return;
      if (node !== top && isClass(node)) waiting.push([node, namesOfClass(node, known)]);
      else readNode(node, known, reading, facts);
    }
  }
}

function parseScript(text: string): Node | undefined {
  for (const sourceType of ['module', 'script'] as const) {
    const options: Options = {
      ecmaVersion: 'latest',
      sourceType,
      allowHashBang: true,
      allowReturnOutsideFunction: true,
    };
    try {
      return parse(text, options);
    } catch {
      // Try the other source type.
    }
  }
  return undefined;
}

function readNode(node: AnyNode, names: ScriptConstants, reading: Reading, facts: ScriptFacts): void {
  const { pageUrl } = reading;
  if (node.type === 'Literal' || node.type === 'TemplateLiteral')
    noteText(textOfNode(node, names) ?? '', pageUrl, facts);
  else if (node.type === 'NewExpression') noteSocket(node, names, pageUrl, facts);
  else if (node.type === 'CallExpression') noteCall(node, names, reading, facts);
  else if (node.type === 'AssignmentExpression') {
    noteMove(node, names, pageUrl, facts);
    noteCookie(node, names, facts);
  } else if (node.type === 'ObjectExpression') {
    noteRoute(node, names, pageUrl, facts);
    noteUpload(node, names, pageUrl, facts);
    const isDocument = propertyOf(node, 'openapi', 'swagger') && propertyOf(node, 'paths');
    const document = isDocument ? valueOfNode(node, names) : undefined;
    if (isOpenApi(document)) facts.documents.push(document);
  }
}

const ADDRESS = /^(?:https?:\/)?\/[a-z0-9{][^\s<>"'`\\^|*()[\];,]*$/i;
const ASSET =
  /\.(?:png|jpe?g|gif|svg|ico|webp|avif|css|less|scss|woff2?|ttf|eot|otf|map|mp[34]|webm|pdf|wasm|tsx?|jsx|vue)(?:[?#]|$)/i;

function noteText(text: string, pageUrl: string, facts: ScriptFacts): void {
  if (text.length > 500 || !ADDRESS.test(text) || ASSET.test(text)) return;
  if (text.includes('{')) return void noteRequest({ method: 'GET', address: text }, pageUrl, facts);
  noteAddress(text, pageUrl, facts);
}

function noteAddress(text: string, pageUrl: string, facts: ScriptFacts): void {
  const url = text.includes('{') ? undefined : resolveUrl(text, pageUrl);
  if (url !== undefined) facts.urls.push(url);
}

interface Call extends SentData {
  method: string;
  address: string;
  headers?: readonly Parameter[];
}

/** A base URL that is only known at run time is usually the site itself. */
const withoutBase = (address: string) => address.replace(/^(?:\{[^{}]*\})+(?=\/)/, '');

function describedOf({ method, address, headers = [], ...data }: Call, pageUrl: string): Described | undefined {
  const [path = '', query = ''] = withoutBase(address).replace(/#.*$/s, '').split('?', 2);
  const url = URL.parse(path.replaceAll('{', '%7B').replaceAll('}', '%7D'), pageUrl);
  const known = methods.find((each) => each === method.toUpperCase());
  if (!url || !known || !/^https?:$/.test(url.protocol)) return undefined;
  const pairs = [...new URLSearchParams(query.replace(/\{[^{}]*\}/g, 'test'))];
  const template = url.origin + url.pathname.replaceAll('%7B', '{').replaceAll('%7D', '}');
  const sent: SentData = known === 'GET' || known === 'HEAD' ? {} : data;
  const others = [...(sent.others ?? []), ...headers];
  return { method: known, url: template, source: 'script', query: pairs, ...sent, others };
}

function noteRequest(call: Call, pageUrl: string, facts: ScriptFacts): Described | undefined {
  const described = describedOf(call, pageUrl);
  const draft = described && draftOf(described);
  if (draft) facts.requests.push(draft);
  return described;
}

/** Reads the options of upload libraries. */
function noteUpload(node: AnyNode, names: ScriptConstants, pageUrl: string, facts: ScriptFacts): void {
  const { address = '', ...sent } = uploadOf(node, names) ?? {};
  if (isAddress(address, 'fetch')) noteRequest({ method: 'POST', address, ...sent }, pageUrl, facts);
}

/** `location = …`, `window.location.href = …` */
function noteMove(node: AssignmentExpression, names: ScriptConstants, pageUrl: string, facts: ScriptFacts): void {
  const { left } = node;
  const moved = nameOf(left) === 'href' && left.type === 'MemberExpression' ? nameOf(left.object) : nameOf(left);
  const address = moved === 'location' ? textOfNode(node.right, names) : undefined;
  if (isAddress(address, 'open')) noteAddress(address, pageUrl, facts);
}

/** `location.replace(…)`, `window.location.assign(…)` */
function noteMoveCall(
  { callee, arguments: [to] }: CallExpression,
  names: ScriptConstants,
  pageUrl: string,
  facts: ScriptFacts,
) {
  const isMove = callee.type === 'MemberExpression' && nameOf(callee.object) === 'location';
  const address = isMove ? textOfNode(to, names) : undefined;
  if (isAddress(address, 'open')) noteAddress(address, pageUrl, facts);
}

/** `document.cookie = 'view=list; path=/'`; parts that are only known at run time are left out. */
function noteCookie({ left, right }: AssignmentExpression, names: ScriptConstants, facts: ScriptFacts): void {
  const isCookie = left.type === 'MemberExpression' && nameOf(left) === 'cookie' && nameOf(left.object) === 'document';
  const text = isCookie ? textOfNode(right, names) : undefined;
  if (text !== undefined && !text.includes('{')) facts.cookies.push(text);
}

const VERBS: Readonly<Record<string, Method | 'ANY'>> = {
  get: 'GET', getJSON: 'GET', head: 'HEAD', post: 'POST', put: 'PUT', patch: 'PATCH', delete: 'DELETE', del: 'DELETE',
  sendBeacon: 'POST', request: 'ANY', ajax: 'ANY', fetch: 'ANY', axios: 'ANY', ofetch: 'ANY', $fetch: 'ANY', ky: 'ANY',
}; // biome-ignore format: a list of words

/** fetch, XMLHttpRequest, and the libraries that wrap them. */
function noteCall(
  node: CallExpression,
  names: ScriptConstants,
  { pageUrl, places }: Reading,
  facts: ScriptFacts,
): void {
  const called = nameOf(node.callee) ?? '';
  const [first, second] = node.arguments;
  if (called === 'open') {
    const [method, address] = [textOfNode(first, names), textOfNode(second, names)];
    const headers = headersOfRequest(node, names, places);
    const data = dataOfRequest(node, names, places);
    if (method !== undefined && isAddress(address, called))
      noteRequest({ method, address, headers, ...data }, pageUrl, facts);
    // The first argument of `window.open` is the URL.
    if (method !== undefined && /[/.?]/.test(method) && isAddress(method, called)) noteAddress(method, pageUrl, facts);
    return;
  }
  if (called === 'replace' || called === 'assign') return void noteMoveCall(node, names, pageUrl, facts);
  const verb = Object.hasOwn(VERBS, called) ? VERBS[called] : undefined;
  if (verb === undefined) return;
  const options = first?.type === 'ObjectExpression' ? first : second;
  const address = textOfNode(first?.type === 'ObjectExpression' ? propertyOf(first, 'url', 'uri') : first, names);
  if (!isAddress(address, called)) return;
  const told = textOfNode(propertyOf(options, 'method', 'type'), names);
  const data = verb === 'ANY' ? propertyOf(options, 'body', 'data', 'json') : second;
  const method = verb === 'ANY' ? (told ?? 'GET') : verb;
  const headers = headersOfOptions(node, names);
  const described = noteRequest({ method, address, headers, ...dataOf(data, names, places) }, pageUrl, facts);
  const passing = passedOf(data, places);
  if (passing && described) facts.links.passings.push({ ...passing, described });
}

/** These take only URLs, so that other text is resolved as a relative URL. */
const ASKING = new Set(['open', 'fetch', 'ajax', 'getJSON', '$fetch', 'ofetch', 'sendBeacon', 'EventSource']);
const RELATIVE = /^(?:\.{1,2}\/)*[a-z0-9_{][^\s<>"'`\\^|*()[\];,:]*$/i;
const TYPE = /^(?:application|text|image|audio|video|font|multipart)\/[^/]*$/;

function isAddress(text: string | undefined, called: string): text is string {
  if (text === undefined || text.length > 500) return false;
  if (ADDRESS.test(withoutBase(text))) return true;
  const isMeant = ASKING.has(called) || (text.includes('/') && !TYPE.test(text));
  return isMeant && RELATIVE.test(text) && !ASSET.test(text);
}

function noteSocket(
  node: AnyNode & { type: 'NewExpression' },
  names: ScriptConstants,
  pageUrl: string,
  facts: ScriptFacts,
): void {
  const called = nameOf(node.callee);
  const address = textOfNode(node.arguments[0], names);
  if (address === undefined) return;
  if (called === 'EventSource' && isAddress(address, called)) noteRequest({ method: 'GET', address }, pageUrl, facts);
  const url =
    called === 'WebSocket' ? URL.parse(address.replace(/^(?:\{[^{}]*\})+/, ''), pageUrl.replace(/^http/, 'ws')) : null;
  if (url) facts.sockets.push(url.href);
}

const ROUTE_PARTS = [
  'component',
  'element',
  'Component',
  'loadChildren',
  'loadComponent',
  'children',
  'lazy',
  'redirectTo',
];

/** An entry of a router: `{ path: 'users/:id', component: … }`. */
function noteRoute(node: AnyNode, names: ScriptConstants, pageUrl: string, facts: ScriptFacts): void {
  const path = textOfNode(propertyOf(node, 'path'), names);
  if (!path || path.includes('*') || !propertyOf(node, ...ROUTE_PARTS)) return;
  const address = `/${path.replace(/^\//, '').replace(/:(\w+)[?+]?/g, '{$1}')}`;
  noteText(address, pageUrl, facts);
  if (!address.includes('{') && ADDRESS.test(address)) facts.routes.push(address);
}
