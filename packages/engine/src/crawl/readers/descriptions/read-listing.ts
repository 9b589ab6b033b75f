import { elementsOf, isText, type Node, parseTree, walk } from '../../../html/parse-page.ts';
import { type InventoryItem, type Method, methods } from '../../inventory/inventory.ts';
import { type Described, draftOf } from '../../requests/draft.ts';
import { bodyOfText, OF_SESSIONS } from './described-body.ts';
import type { Description } from './description.ts';

const MOST_REQUESTS = 100;
const MOST_CHARACTERS = 1_000_000;
const VERB = '(?:GET|HEAD|POST|PUT|PATCH|DELETE)';
/** A method and a path, as in "GET /api/users/{id}", with punctuation of tables and lists between them. */
const LISTED = new RegExp(
  `(?<![\\w-])(${VERB})[\\s:|,"'\`-]{1,12}((?:https?://[\\w.-]+(?::\\d+)?)?/[^\\s"'\`,;|)\\]]{1,300})`,
  'g',
);
const CURL = /(?<![\w-])curl\s(?:[^\n\\]|\\[^\n]|\\\r?\n){1,4000}/g;

/**
 * Reads requests that a page or text lists for people: "GET /api/users/{id}", "curl -d …". Returns undefined if it
 * lists none.
 */
export function describeListing(text: string, documentUrl: string): Description | undefined {
  const isPage = /^\uFEFF?\s*</.test(text);
  const part = text.slice(0, MOST_CHARACTERS);
  // JSON responses quote log lines and messages.
  if (/^\s*[{[]/.test(part) || !(isPage ? LISTING_PAGE : MENTIONS).test(part)) return undefined;
  const page = isPage ? parseTree(part.replace(BLOCKS, (tag) => `${BREAK}${tag}`)).document : undefined;
  const shown = page ? linesOf(page) : part;
  const commands = [...shown.matchAll(CURL)].slice(0, MOST_REQUESTS).map(([command]) => command);
  const listed = [...shown.replace(CURL, '\n').matchAll(LISTED)].slice(0, MOST_REQUESTS);
  const withMethod = new Set(listed.map(([, , address]) => address));
  const quoted = page ? addressesIn(page).filter((address) => !withMethod.has(address)) : [];
  if (commands.length + listed.length + quoted.length === 0) return undefined;
  return {
    format: 'listing',
    bases: [new URL(documentUrl).origin],
    requestsAt: (base) => {
      const items = [
        ...commands.map((command) => curlOf(command, base)),
        ...listed.map(([, method = '', address = '']) => itemOf({ method, address }, base)),
        ...quoted.map((address) => itemOf({ method: 'GET', address }, base)),
      ];
      return items.filter((item) => item !== undefined).slice(0, MOST_REQUESTS);
    },
  };
}

const LISTING_PAGE = /<(?:code|pre|samp|kbd)\b|(?:GET|POST|PUT|PATCH|DELETE)\b[^.]{0,80}\/\w/;
const MENTIONS = /(?:GET|POST|PUT|PATCH|DELETE)[\s:|,"'`-]{1,12}(?:https?:\/)?\/|curl\s/;
const BLOCKS = /<\/(?:p|div|li|tr|t[dh]|pre|h[1-6]|dt|dd|section|article)>|<br\s*\/?>/gi;
/** Private-use character, which pages do not contain. */
const BREAK = '\uE000';
const UNSEEN = new Set(['script', 'style', 'head', 'template', 'noscript']);

/** Returns the text of a page with the end of each block as a line break; highlighting does not split words. */
function linesOf(page: Node): string {
  const texts = [...walk(page, ({ tagName }) => !UNSEEN.has(tagName))].filter((node) => isText(node));
  return texts.map(({ value }) => value.replaceAll(BREAK, '\n')).join('');
}

/** Characters of a code element. */
const MOST_CODE = 5_000;
const CODE = new Set(['code', 'pre', 'samp', 'kbd']);
const SYSTEM = /^\/(?:etc|usr|var|home|tmp|opt|bin|sbin|dev|proc|root|mnt|lib)(?:\/|$)/;

/** Returns the addresses that make up a code element or a line of one: "/api/users/{id}". */
function addressesIn(page: Node): string[] {
  const codes = elementsOf(page).filter(({ tagName }) => CODE.has(tagName));
  const texts = codes.flatMap((element) => linesOf(element).slice(0, MOST_CODE).split('\n'));
  const isAddress = (each: string) =>
    /^(?:https?:\/\/[\w.-]+(?::\d+)?)?\/[a-z{][^\s"'`()\\]{1,200}$/i.test(each) && !SYSTEM.test(each);
  const addresses = texts.map((each) => each.trim()).filter(isAddress);
  return [...new Set(addresses)].slice(0, MOST_REQUESTS);
}

interface Listed extends Omit<Partial<Described>, 'method'> {
  method: string;
  address: string;
}

/** Placeholders as frameworks write them: `:id`, `<int:id>`, `[id]`. */
function withBraces(path: string): string {
  return path
    .replace(/\/:([A-Za-z_]\w*)/g, '/{$1}')
    .replace(/\/[<[](?:\w+:)?([\w-]+)[>\]]/g, '/{$1}')
    .replace(/\{([\w-]+)(?::[^{}]*)?\??\}/g, '{$1}');
}

function itemOf({ method, address, ...rest }: Listed, base: string): InventoryItem | undefined {
  const known = methods.find((each): each is Method => each === method.toUpperCase());
  const [path = '', query = ''] = withBraces(address.replace(/[#].*$/s, ''))
    .replace(/[.,:]+$/, '')
    .split('?', 2);
  const url = /^https?:/i.test(path) ? path : base + path;
  if (!known) return undefined;
  const pairs = [...new URLSearchParams(query)].map(([name, value]): [string, string] => [
    name,
    /^[{<[].*[}>\]]$|^\.\.\.$|^$/.test(value) ? 'test' : value,
  ]);
  return draftOf({ method: known, url, source: 'description', query: pairs, ...rest });
}

/** Splits a command line into words, as a shell would. */
function wordsOf(command: string): string[] {
  const words = command.replace(/\\\r?\n/g, ' ').match(/(?:"(?:[^"\\]|\\.)*"|\$?'[^']*'|\\.|[^\s"'\\])+/gs) ?? [];
  return words.map((word) =>
    word.replace(/"((?:[^"\\]|\\.)*)"|\$?'([^']*)'/gs, (_, double?: string, single?: string) =>
      double === undefined ? (single ?? '') : double.replace(/\\(["\\$`])/g, '$1'),
    ),
  );
}

const WITH_VALUE =
  /^(?:-[uoAebcmxwTEK]|--(?:user|output|user-agent|referer|cookie|cookie-jar|max-time|proxy|cacert|cert|key))$/;

function curlOf(command: string, base: string): InventoryItem | undefined {
  const [, ...words] = wordsOf(command);
  const told: { method?: string; address?: string; data: string[]; form: string[]; headers: [string, string][] } = {
    data: [],
    form: [],
    headers: [],
  };
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? '';
    const value = () => words[++index] ?? '';
    if (/^(?:-X|--request)$/.test(word)) told.method = value();
    else if (/^-X\w+$/.test(word)) told.method = word.slice(2);
    else if (/^(?:-d|--data(?:-raw|-binary|-urlencode)?|--json)$/.test(word)) told.data.push(value());
    else if (/^(?:-F|--form)$/.test(word)) told.form.push(value());
    else if (/^(?:-H|--header)$/.test(word)) {
      const [, name = '', content = ''] = /^([\w-]+)\s*:\s*(.*)$/s.exec(value()) ?? [];
      if (name !== '') told.headers.push([name, content]);
    } else if (/^(?:-I|--head)$/.test(word)) told.method ??= 'HEAD';
    else if (WITH_VALUE.test(word)) value();
    else if (!word.startsWith('-')) told.address ??= word;
  }
  return told.address === undefined ? undefined : itemOfCurl({ ...told, address: told.address }, base);
}

interface Curl {
  method?: string;
  address: string;
  data: string[];
  form: string[];
  headers: [string, string][];
}

function itemOfCurl({ method, address, data, form, headers }: Curl, base: string): InventoryItem | undefined {
  const type = headers.find(([name]) => /^content-type$/i.test(name))?.[1] ?? '';
  const others = headers
    .filter(([name]) => !OF_SESSIONS.test(name))
    .map(([name, value]) => ({ location: 'header' as const, name, value }));
  const parts = form
    .map((each) => each.split(/=(.*)/s))
    .map(([name = '', value = '']): [string, string] => [name, value]);
  const files = parts.filter(([, value]) => value.startsWith('@'));
  const sent =
    parts.length > 0
      ? {
          isMultipart: true,
          form: parts.map(([name, value]): [string, string] => [name, value.replace(/^@.*$/s, 'test')]),
        }
      : bodyOfText(data.join('&'), type);
  const hasBody = parts.length > 0 || data.length > 0;
  const fileNames = files.map(([name]) => ({ location: 'fileName' as const, name, value: 'test.txt' }));
  const [, host = '', path = ''] = /^((?:https?:\/\/)?[^/]*)(\/.*)?$/is.exec(address) ?? [];
  // Variables and placeholders stand for the host: $BASE_URL, {{host}}, <your-server>.
  const isPlain = /^(?:https?:\/\/)?[\w-]+(?:\.[\w-]+)*(?::\d+)?$/i.test(host);
  const whole = isPlain ? `${/^https?:/i.test(host) ? '' : 'http://'}${host}${path}` : path;
  return itemOf(
    { method: method ?? (hasBody ? 'POST' : 'GET'), address: whole || '/', ...sent, others: [...others, ...fileNames] },
    base,
  );
}
