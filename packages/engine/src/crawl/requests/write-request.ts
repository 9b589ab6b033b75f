import type { TargetRequest } from '../../http/exchange/exchange.ts';
import type { InventoryItem, Parameter } from '../inventory/inventory.ts';
import { withXmlLeaf, xmlLeaves } from '../inventory/xml-leaves.ts';
import { bodyWith, typeOfBody } from './write-body.ts';
import { pairsWith, type Written, withName } from './write-pairs.ts';

type WrittenRequest = Omit<TargetRequest, 'purpose'>;

/** Returns the request with one value replaced, and every other byte as observed. */
export function writeRequest(item: InventoryItem, given: Written): WrittenRequest {
  const written = asWhole(item, given);
  const url = urlWith(item, written);
  const body = bodyWith(item, written);
  const headers = [
    ...(body === undefined ? [] : [['Content-Type', typeOfBody(item)] as const]),
    ...headersWith(item, written),
  ];
  return { method: item.method, url, ...(headers.length > 0 && { headers }), ...(body !== undefined && { body }) };
}

/** Returns the request as observed. */
export function requestOf(item: InventoryItem): WrittenRequest {
  return writeRequest(item, { parameter: NONE, value: '', isRaw: false });
}

/** Writes a value within an XML document as another value of the parameter that holds the document. */
function asWhole({ parameters }: InventoryItem, written: Written): Written {
  const { inside } = written.parameter;
  const holder =
    inside && parameters.find(({ location, name }) => location === inside.location && name === inside.name);
  if (!holder) return written;
  if (written.value === written.parameter.value && !written.isRaw) return { ...written, parameter: NONE, value: '' };
  const leaf = xmlLeaves(holder.value)[inside.position];
  const value = withXmlLeaf(holder.value, leaf, written.value, written.isRaw);
  return { parameter: holder, value, isRaw: false };
}

const NONE: Parameter = { location: 'header', name: '', value: '' };

const AUTHORITY = /^[a-z]+:\/\/[^/?#]*/i;

function urlWith({ url, parameters }: InventoryItem, written: Written): string {
  const [authority = ''] = AUTHORITY.exec(url) ?? [];
  const [, path = '', query = '', fragment = ''] =
    /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(url.slice(authority.length)) ?? [];
  const inQuery = parameters.filter(({ location }) => location === 'query');
  const observed = pairsWith(query, inQuery, written);
  const { location, isName } = written.parameter;
  const pairs = isName && location === 'query' ? withName(observed, written) : observed;
  return `${authority}${pathWith(path, written)}${pairs && `?${pairs}`}${fragmentWith(fragment, written)}`;
}

function pathWith(path: string, { parameter, value, isRaw }: Written): string {
  if (parameter.location !== 'path' || (value === parameter.value && !isRaw)) return path || '/';
  const segments = path.split('/');
  segments[Number(parameter.name) + 1] = isRaw ? value : encodeURIComponent(value.toWellFormed());
  return segments.join('/');
}

function fragmentWith(fragment: string, { parameter, value, isRaw }: Written): string {
  if (parameter.location !== 'fragment') return fragment;
  return `#${isRaw ? value : encodeURI(value.toWellFormed())}`;
}

/** Returns the headers and cookies of the request, and the written one if it differs from what the session sends. */
function headersWith({ parameters }: InventoryItem, written: Written): [string, string][] {
  const own = parameters.filter(({ location, value }) => isHeader(location) && value !== '');
  const isAdded = !own.includes(written.parameter) && (written.isRaw || written.value !== written.parameter.value);
  const all = isAdded && isHeader(written.parameter.location) ? [...own, written.parameter] : own;
  return all.map((each) => {
    const isOther = each === written.parameter;
    return headerOf(each, isOther ? written.value : each.value, isOther && written.isRaw);
  });
}

const isHeader = (location: Parameter['location']) => location === 'header' || location === 'cookie';

/** A line break would end the header; tests that need one send it raw. */
function headerOf({ location, name }: Parameter, value: string, isRaw: boolean): [string, string] {
  if (location === 'header') return [name, isRaw ? value : value.replace(/[\r\n\0]/g, ' ')];
  return ['Cookie', `${name}=${isRaw ? value : encodeURIComponent(value.toWellFormed())}`];
}
