import type { InventoryItem, Parameter, PointLocation } from '../inventory/inventory.ts';
import { jsonLeaves, jsonOf } from '../inventory/json-leaves.ts';
import { withXmlLeaf, xmlLeaves } from '../inventory/xml-leaves.ts';
import { boundaryOf, multipartOf, multipartWith } from './write-multipart.ts';
import { isChanged, pairsWith, type Written, withName } from './write-pairs.ts';

const TYPES: Partial<Record<PointLocation, string>> = {
  json: 'application/json',
  graphql: 'application/json',
  multipart: 'multipart/form-data; boundary=----sortie7MA4YWxkTrZu0gW',
  fileName: 'multipart/form-data; boundary=----sortie7MA4YWxkTrZu0gW',
};

/** Returns the Content-Type of the request body; that of HTML forms by default. */
export function typeOfBody({ body, parameters }: InventoryItem): string {
  const told = parameters.map(({ location }) => TYPES[location]).find((type) => type !== undefined);
  return body?.type ?? told ?? 'application/x-www-form-urlencoded';
}

/** Returns undefined for a request without a body. */
export function bodyWith(item: InventoryItem, written: Written): string | undefined {
  const { body, method, parameters } = item;
  const of = (...locations: PointLocation[]) => parameters.filter(({ location }) => locations.includes(location));
  const [inJson, inParts, inForm] = [of('json', 'graphql'), of('multipart', 'fileName'), of('form')];
  const inXml = of('xml');
  if (inJson.length > 0) return jsonWith(body?.text, inJson, written);
  if (inParts.length > 0) {
    const boundary = boundaryOf(typeOfBody(item));
    return multipartWith(body?.text ?? multipartOf(inParts, boundary), boundary, inParts, written);
  }
  if (inXml.length > 0 && body) return xmlWith(body.text, inXml, written);
  if (inForm.length > 0) return formWith(body?.text ?? '', inForm, written);
  return body?.text ?? (method === 'POST' ? '' : undefined);
}

function formWith(text: string, parameters: readonly Parameter[], written: Written): string {
  const pairs = pairsWith(text, parameters, written);
  const { location, isName } = written.parameter;
  return isName && location === 'form' ? withName(pairs, written) : pairs;
}

function jsonWith(text: string | undefined, parameters: readonly Parameter[], written: Written): string {
  if (text === undefined) {
    return jsonOf(parameters.map((each) => ({ pointer: each.name, written: jsonValue(each, written) })));
  }
  const leaves = jsonLeaves(text);
  const place = parameters.filter(({ name }) => name === written.parameter.name).indexOf(written.parameter);
  const leaf = leaves.filter(({ pointer }) => pointer === written.parameter.name)[place];
  if (!leaf || !isChanged(written.parameter, written)) return text;
  return text.slice(0, leaf.start) + jsonValue(written.parameter, written) + text.slice(leaf.end);
}

/** Repeated names match in order, as in JSON. */
function xmlWith(text: string, parameters: readonly Parameter[], written: Written): string {
  const { parameter, value, isRaw } = written;
  const place = parameters.filter(({ name }) => name === parameter.name).indexOf(parameter);
  const leaf = xmlLeaves(text).filter(({ pointer }) => pointer === parameter.name)[place];
  return isChanged(parameter, written) ? withXmlLeaf(text, leaf, value, isRaw) : text;
}

const LIKE = { number: /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i, boolean: /^(?:true|false)$/, null: /^null$/ };

/** Keeps values of other types unquoted as long as the new value allows it. */
function jsonValue(parameter: Parameter, written: Written): string {
  const isOther = isChanged(parameter, written);
  const value = isOther ? written.value : parameter.value;
  if (isOther && written.isRaw) return value;
  return parameter.type && LIKE[parameter.type].test(value) ? value : JSON.stringify(value);
}
