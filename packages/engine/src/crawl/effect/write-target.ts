import { documentLeaves } from '../inventory/document-leaves.ts';
import type { InventoryItem, Parameter } from '../inventory/inventory.ts';
import { CHANGES, EDITS } from './change-verbs.ts';

/** What a write request acts on: something new, something of this run or its accounts, or what existed before. */
export type WriteTarget = 'new' | 'own' | 'existing';

type Writing = Pick<InventoryItem, 'method' | 'url' | 'parameters' | 'seenAs'> &
  Partial<Pick<InventoryItem, 'operation' | 'procedure' | 'isOurs' | 'adds' | 'edits'>>;

/** Numbers, UUIDs and random words; names of collections and actions are none of these. */
const ID = /^(?:\d+|[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{16,}|\S*@\S*)$/i;
/** Below a wrapper and in a list, the ID is that of the thing as well; below another name, it refers to something. */
const ID_NAME = /^(?:\/(?:variables|input|data|payload|params|attributes))*\/?_?(?:id|uuid|guid)s?(?:\/\d+)*$/i;
const ANY_ID_NAME = /(?:(?:^|[/_-])(?:id|uuid|guid)s?|[a-z](?:Id|Uuid|Guid)s?)(?:\/\d+)*$/;
/** Things that the session identifies without an ID. */
const OF_SESSION = /\/(?:me|my|account|profile|preferences|self|cart|basket|wishlist|user\/settings)(?=\/|$)/i;
/** Settings of the whole application, even without an ID. */
const SHARED =
  /(?:^|[/_-])(?:admin\w*|config\w*|system|global|server|site|internal|manage\w*|maintenance|features?|flags?)(?=$|[/_.-])/i;
const OF_USERS = /user|account|member|customer|profile|person|people|owner|author|employee/i;
const SETTINGS = /(?:^|[/_-])(?:settings?|config\w*|options?|preferences|theme|features?|flags?|maintenance)$/i;

/** Marker that the run puts into what it writes: "s" and twelve hexadecimal digits. */
const MARK = /(?<![a-z0-9])s[0-9a-f]{12}/;
export const isMarked = (text: string) => MARK.test(text);
/** Returns the markers in the text. */
export const marksIn = (text: string): string[] => text.match(new RegExp(MARK, 'g')) ?? [];

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Returns the path segments that identify a resource, with their positions. */
function pathIds({ url, parameters }: Writing): { value: string; position: number; isLast: boolean }[] {
  const segments = new URL(url).pathname
    .split('/')
    .slice(1)
    .filter((each, index, all) => each !== '' || index < all.length - 1);
  const named = parameters.filter(({ location }) => location === 'path').map(({ name }) => Number(name));
  return segments.flatMap((segment, position) => {
    const value = decoded(segment);
    const isId = ID.test(value) || named.includes(position);
    return isId ? [{ value, position, isLast: position === segments.length - 1 }] : [];
  });
}

/** Returns whether the path names a change of something that exists, such as /article/edit. */
export const changesThing = (url: string) => CHANGES.test(new URL(url).pathname);

/** Returns whether the name of a mutation or a remote procedure is that of a change. */
const callsChange = ({ operation = '', procedure }: Calling) =>
  CHANGES.test(procedure === undefined ? operation.replace(/^\w+ /, '/') : `/${procedure}`);
type Calling = Pick<Writing, 'operation' | 'procedure'>;

/** An XML value is named by all elements around it. Deeper IDs of other bodies are references to other things. */
const nameIn = ({ location, name }: Parameter) => (location === 'xml' ? name.replace(/^.*[/:@]/s, '') : name);

const isGiven = ({ value }: Parameter) => !/^(?:0|-1|null|undefined)?$/.test(value.trim());

/** An ID, and the word that tells of what: the path segment before it, or the name of its parameter. */
interface ChangedId {
  value: string;
  of: string;
}

/** A field may hold a whole document, whose root says nothing about whether an ID in it is a reference. */
const valuesIn = (parameter: Parameter): Parameter[] =>
  documentLeaves(parameter.value).map(({ names, value }) => ({ ...parameter, name: names.at(-1) ?? '', value }));

/** Returns the IDs of the resource that the request changes; empty if it names none. */
function changedIds(item: Writing): ChangedId[] {
  const { method, url, parameters } = item;
  const ids = pathIds(item);
  const isChange = changesThing(url) || callsChange(item);
  const name = isChange ? ANY_ID_NAME : ID_NAME;
  const names = (each: Parameter) => name.test(nameIn(each)) && (isChange || !each.isAsked);
  const others = parameters.filter(({ location }) => location !== 'path');
  const given = others.flatMap((each) => [each, ...valuesIn(each)]).filter((each) => names(each) && isGiven(each));
  // POST below a resource adds to it: /teas/7/reviews. Other methods change what the path names.
  const named = method === 'POST' && !isChange ? ids.filter(({ isLast }) => isLast) : ids;
  const segments = new URL(url).pathname.split('/').slice(1);
  return [
    ...named.map(({ value, position }) => ({ value, of: segments[position - 1] ?? '' })),
    ...given.map(({ value, name: of, idOf = '' }) => ({ value, of: `${of} ${idOf}` })),
  ];
}

/**
 * Returns what a write request acts on. `owned` lists the names and IDs of the test accounts. A path without an ID
 * names a thing of the session, unless it is one of the whole application.
 */
export function writeTargetOf(item: Writing, owned: readonly string[] = []): WriteTarget {
  const { method, url, seenAs, isOurs = false, adds = false, edits = false } = item;
  const { pathname } = new URL(url);
  if (isOurs || isMarked(decoded(pathname))) return 'own';
  if (adds) return 'new';
  const ids = changedIds(item);
  // Number 7 is the account only among users: product 7 has another owner.
  const isOwn = ({ value, of }: ChangedId) =>
    isMarked(value) || (owned.includes(value) && (!/^\d+$/.test(value) || OF_USERS.test(of)));
  if (ids.length > 0) return ids.every(isOwn) ? 'own' : 'existing';
  const isPost = method === 'POST';
  const isCall = callsChange(item);
  const isEdit = edits || EDITS.test(pathname);
  if (SHARED.test(pathname) && (!isPost || isEdit || SETTINGS.test(pathname))) return 'existing';
  if (isPost && !isEdit && !isCall && !SETTINGS.test(pathname)) return 'new';
  // POST cannot be undone: without an ID, only the path tells whose thing it changes.
  if (isPost && !isCall && !OF_SESSION.test(pathname)) return 'existing';
  return seenAs === null || (isCall && edits) ? 'existing' : 'own';
}

const PLACE =
  /(?:^|[/_-])(?:path|folder|dir(?:ectory)?|file_?name|file_?path|save_?(?:as|to|path)|out_?file|upload_?(?:dir|path|to|folder))$|(?:Path|Folder|Dir(?:ectory)?|[fF]ile[nN]ame|saveAs|saveTo)$/i;
const PERHAPS_PLACE = /(?:^|[/_-])(?:dest(?:ination)?|target|output)$/i;
const HOST = /^(?:[a-z][a-z0-9+.-]*:\/\/|(?:\d{1,3}\.){3}\d{1,3}|[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}$|localhost)/i;

/**
 * Returns whether a value of a write request decides where the target writes, for example the folder of an upload. A
 * host or URL in a field named "target" is something else.
 */
export function decidesWhere(parameter: Parameter, method = 'POST'): boolean {
  const { location, value, isAsked } = parameter;
  const name = nameIn(parameter);
  if (location === 'fileName') return true;
  // Any other ID would make the request change the data of other users.
  if ((method !== 'POST' && location === 'path') || (ID_NAME.test(name) && !isAsked)) return true;
  if (location === 'path' || location === 'header' || location === 'cookie') return false;
  return PLACE.test(name) || (PERHAPS_PLACE.test(name) && !HOST.test(value));
}

const PASSWORD = /pass(?:word|wd|phrase|code)?$|pwd$|(?:^|[/_-])pin$/i;
const OLD_OR_NEW = /(?:old|current|new)\w*pass/i;
const CODES =
  /forg[eo]t|recover|(?<![a-z])reset|(?:^|[/_-])(?:otp|2fa|mfa|totp)(?=$|[/_.-])|one[_-]?time|magic[_-]?link|resend|passw(?:or)?d/i;

/** Between the words of a name in camel case. */
const HUMP = /(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[a-z]) /g;

/**
 * Returns whether the request sets a password or asks for a reset or a one-time code. The accounts of the customer keep
 * theirs: only accounts that the run itself registered may be subject to it.
 */
export function isAboutCredentials(item: Pick<Writing, 'method' | 'url' | 'parameters'> & Calling): boolean {
  const { method, url, parameters, operation = '', procedure = '' } = item;
  const names = parameters.filter(({ location }) => location !== 'path').map(nameIn);
  const path = new URL(url).pathname;
  const called = `${operation}/${procedure}`.replace(HUMP, '-');
  if (CODES.test(path) || CODES.test(called) || names.some((name) => OLD_OR_NEW.test(name))) return true;
  // A POST with a password registers an account, unless it changes something.
  const isChange = method !== 'POST' || CHANGES.test(path) || callsChange(item);
  return isChange && names.some((name) => PASSWORD.test(name));
}
