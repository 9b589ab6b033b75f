import type { InventoryItem, Parameter } from '../../crawl/inventory/inventory.ts';
import { typeOfBody } from '../../crawl/requests/write-body.ts';
import { requestOf } from '../../crawl/requests/write-request.ts';
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

export function mayTakeXml(item: InventoryItem): boolean {
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
 * Returns the request body as XML without prolog. JSON is converted, because many frameworks accept both by content
 * type.
 */
export function documentOf(item: InventoryItem): string {
  if (fileOf(item)) return '<root><name>test</name></root>';
  const text = String(requestOf(item).body ?? '');
  if (isXml(item)) return text.replace(/^\s*(?:<\?[^>]*\?>|<!DOCTYPE[^[>]*(?:\[[^\]]*\])?>|\s)*/i, '');
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
  const sent = fileOf(item);
  if (sent) return requestWithFile(item, sent, `<?xml version="1.0"?>${document}`);
  const type = isXml(item) ? typeOfBody(item) : 'application/xml';
  return { ...requestOf(item), headers: [['Content-Type', type]], body: `<?xml version="1.0"?>${document}` };
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
