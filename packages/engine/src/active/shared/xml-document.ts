import type { InventoryItem, Parameter } from '../../crawl/inventory/inventory.ts';
import { isXmlDocument, withoutProlog } from '../../crawl/inventory/xml-leaves.ts';
import { typeOfBody } from '../../crawl/requests/write-body.ts';
import { requestOf, writeRequest } from '../../crawl/requests/write-request.ts';
import type { PointRequest } from '../insertion-point.ts';
import { requestWithAll } from './stored-marks.ts';

const MOST_LEAVES = 4;
const LEAF = />([^<>]+)<\//g;

const isXml = (item: InventoryItem) => /xml/i.test(typeOfBody(item));
const isJson = (item: InventoryItem) => /json/i.test(typeOfBody(item)) && item.operation === undefined;

/** Returns the uploaded file of a form and its name. */
function fileOf({ parameters }: InventoryItem): { file: Parameter; named: Parameter } | undefined {
  const named = parameters.find(({ location }) => location === 'fileName');
  const file = parameters.find(({ location, name }) => location === 'multipart' && name === named?.name);
  return named && file && { file, named };
}

const VALUES = new Set<Parameter['location']>(['query', 'form', 'multipart', 'json', 'graphql']);

/** Returns the value that is an XML document itself: a field whose default or example is one. */
const holderOf = ({ parameters }: InventoryItem): Parameter | undefined =>
  parameters.find(({ location, value }) => VALUES.has(location) && isXmlDocument(value));

/** Returns whether the request may take an XML document: it sends one, JSON or a file. */
export function mayTakeXml(item: InventoryItem): boolean {
  if (holderOf(item)) return true;
  const isTaken = isXml(item) || isJson(item) || fileOf(item) !== undefined;
  return ['POST', 'PUT', 'PATCH'].includes(item.method) && isTaken;
}

const escaped = (text: string) => text.replace(/[<>&]/g, (character) => `&#${character.charCodeAt(0)};`);

function toXml(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((each) => toXml(name, each)).join('');
  const inner =
    typeof value === 'object' && value !== null
      ? Object.entries(value).map(([key, each]) => toXml(key.replace(/[^\w-]/g, '_'), each))
      : [escaped(String(value))];
  return `<${name}>${inner.join('')}</${name}>`;
}

/**
 * Returns the XML document of the request without prolog: a value that is one, or the body. JSON is converted, because
 * many frameworks accept both by content type.
 */
export function documentOf(item: InventoryItem): string {
  const holder = holderOf(item);
  if (holder) return withoutProlog(holder.value);
  if (fileOf(item)) return '<root><name>test</name></root>';
  const text = String(requestOf(item).body ?? '');
  if (isXml(item)) return withoutProlog(text);
  try {
    return toXml('root', JSON.parse(text));
  } catch {
    return '';
  }
}

export const countLeaves = (document: string) => Math.min([...document.matchAll(LEAF)].length, MOST_LEAVES);

/** Returns the document with one element's content replaced. */
export function withLeaf(document: string, position: number, content: string): string {
  let index = 0;
  return document.replace(LEAF, (whole) => (index++ === position ? `>${content}</` : whole));
}

/** Returns the request with this document after an XML declaration. */
export function requestWithXml(item: InventoryItem, document: string): PointRequest {
  const holder = holderOf(item);
  const whole = `<?xml version="1.0"?>${document}`;
  if (holder) return writeRequest(item, { parameter: holder, value: whole, isRaw: false });
  const sent = fileOf(item);
  if (sent) return requestWithFile(item, sent, whole);
  const type = isXml(item) ? typeOfBody(item) : 'application/xml';
  return { ...requestOf(item), headers: [['Content-Type', type]], body: whole };
}

/** Servers detect the file type by name or by content type. */
function requestWithFile(
  item: InventoryItem,
  { file, named }: NonNullable<ReturnType<typeof fileOf>>,
  content: string,
): PointRequest {
  const request = requestWithAll(item, [
    [file, content],
    [named, 'test.xml'],
  ]);
  const body = String(request.body).replace(/(filename="test\.xml"\r\nContent-Type: )[^\r\n]*/, '$1text/xml');
  return { ...request, body };
}
