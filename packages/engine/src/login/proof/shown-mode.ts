import { attribute, parsePage } from '../../html/parse-page.ts';
import type { Exchange } from '../../http/exchange/exchange.ts';
import { headerOf } from '../../http/exchange/headers.ts';
import { isPlain } from '../../http/record/plain-words.ts';

/** What a page shows of the mode of its session: language, theme, whose name it greets, and where its links lead. */
export interface ShownMode {
  /** By the name that a report calls it. */
  features: ReadonlyMap<string, string>;
  /** Paths that the page links to, which differ between the views of roles. */
  links: ReadonlySet<string>;
}

/** Fields of JSON that say how a session is shown, or as whom. */
const FIELD =
  /^(?:lang|language|locale|theme|(?:view|demo|display|sandbox)?_?mode|view|role|(?:view|act)(?:ing)?_?as|impersonat\w{2,5}|is_?demo|(?:two|second)_?factor\w{0,10}|mfa)$/i;
/** Switches, and languages such as pt-BR. */
const SHORT = /^(?:\d|true|false|null|yes|no|[a-z]{2,3}(?:[-_][a-z]{2,4})?)$/i;
const LONGEST = 40;
/** Attributes of html and body that choose a look. */
const LOOK = /^(?:class|data-(?:[a-z]+-)?(?:theme|mode|view|role|color-scheme))$/;
/** Classes that name a look or a role: others tell of content, such as an empty cart. */
const LOOK_CLASS =
  /(?:^|[-_])(?:dark|light|theme|skin|contrast|mode|lang|locale|rtl|ltr|roles?|admin|staff|guest|demo|view)(?:[-_]|$)/i;
const MOST_LINKS = 200;

export const NO_MODE: ShownMode = { features: new Map(), links: new Set() };

/** Returns what the response shows; `isNamed` tells whether it names the account. */
export function shownModeOf({ request, response }: Exchange, isNamed: boolean | undefined): ShownMode {
  const type = headerOf(response?.headers ?? [], 'content-type') ?? '';
  const text = response?.body.toString() ?? '';
  if (/json/i.test(type)) return { ...NO_MODE, features: fieldsIn(text) };
  const { elements } = parsePage(text);
  const features = new Map(isNamed === undefined ? [] : [['own name shown', isNamed ? 'yes' : 'no']]);
  for (const element of elements.filter(({ tagName }) => tagName === 'html' || tagName === 'body')) {
    const language = element.tagName === 'html' ? attribute(element, 'lang') : undefined;
    if (language) features.set('language', language.toLowerCase());
    for (const { name, value } of element.attrs.filter((each) => LOOK.test(each.name)))
      features.set(name === 'class' ? `class of ${element.tagName}` : name, name === 'class' ? lookIn(value) : value);
  }
  const links = elements.flatMap((each) => (each.tagName === 'a' ? [attribute(each, 'href') ?? ''] : []));
  const paths = links.map((link) => URL.parse(link, request.url)?.pathname).filter((path) => path !== undefined);
  return { features, links: new Set(paths.slice(0, MOST_LINKS)) };
}

const lookIn = (classes: string) =>
  classes
    .split(/\s+/)
    .filter((each) => LOOK_CLASS.test(each))
    .toSorted()
    .join(' ');

function fieldsIn(text: string): Map<string, string> {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    return new Map();
  }
  const records = [read, ...Object.values(Object(read))].filter((each) => typeof each === 'object' && each !== null);
  const fields = records.flatMap((each) => Object.entries(each));
  const modes = fields.filter(([name, value]) => FIELD.test(name) && isMode(String(value)));
  return new Map(modes.map(([name, value]) => [name, String(value)]));
}

const isMode = (value: string) => value.length <= LONGEST && (SHORT.test(value) || isPlain(value));

/** Returns what two looks at one page agree on: the rest changes by itself. */
export function steadyMode(one: ShownMode, other: ShownMode): ShownMode {
  return {
    features: new Map([...one.features].filter(([name, value]) => other.features.get(name) === value)),
    links: new Set([...one.links].filter((path) => other.links.has(path))),
  };
}

/** What is told of links: those of a list change with its entries, so that they are a switch only if a new session has them. */
export const LINKS = 'the links of its pages';

/** Fewer lost links are entries of a list that others have pushed out. */
const LEAST_LOST = 2;
const SHARE_LOST = 1 / 3;

/**
 * Returns how the mode was switched, such as "language from en to de"; undefined if it was not. With `visitor`, only
 * what it shares with the mode before counts: a session that has ended shows what visitors see.
 */
export function switchBetween(before: ShownMode, now: ShownMode, visitor?: ShownMode): string | undefined {
  for (const [name, was] of before.features) {
    const is = now.features.get(name);
    if (is === was || is === undefined || (visitor && visitor.features.get(name) !== was)) continue;
    return isMode(was) && isMode(is) ? `${name} from ${was} to ${is}` : name;
  }
  if (visitor) return undefined;
  const lost = [...before.links].filter((path) => !now.links.has(path)).length;
  return lost >= LEAST_LOST && lost >= before.links.size * SHARE_LOST ? LINKS : undefined;
}
