import type { InventoryItem, Parameter } from '../../crawl/inventory/inventory.ts';
import { typeOfBody } from '../../crawl/requests/write-body.ts';
import { requestOf } from '../../crawl/requests/write-request.ts';
import { readJson } from '../../oracle/private-content.ts';
import type { Nonce } from '../experiment.ts';
import type { PointRequest } from '../insertion-point.ts';
import { requestWithAll } from './stored-marks.ts';

type Value = string | number | boolean;

/** A field that is shown but not writable, and its value. */
export interface ShownField {
  field: string;
  before: Value;
}

/** Fields that affect rights or money and can be restored. Ownership is left alone, because it cannot be restored. */
const PRIVILEGED =
  /^(?:role|is_?admin|admin|is_?staff|is_?superuser|(?:email_?|is_?)?verified|is_?premium|plan|tier|level|balance|credits?|points|discount|quota|limit)$/i;

/** Returns the fields of a JSON object; none if the text is anything else. */
export function fieldsOf(text: string): Readonly<Record<string, unknown>> {
  const read = readJson(text);
  return typeof read === 'object' && read !== null && !Array.isArray(read) ? { ...read } : {};
}

/** Also finds the field in a wrapped object such as {"data": …}. */
export function fieldIn(text: string, field: string): unknown {
  const fields = fieldsOf(text);
  if (field in fields) return fields[field];
  return Object.values(fields)
    .map((inner) => fieldsOf(JSON.stringify(inner) ?? ''))
    .find((inner) => field in inner)?.[field];
}

const isValue = (value: unknown): value is Value => ['string', 'number', 'boolean'].includes(typeof value);

/** Returns a different value of the same type, preferably one that grants nothing. */
export function otherThan({ field, before }: ShownField, { word, numbers }: Nonce): Value {
  if (typeof before === 'boolean') return !before;
  if (typeof before === 'number') return numbers.find((number) => number !== before) ?? 0;
  return /role/i.test(field) && before !== 'admin' ? 'admin' : word;
}

/** Fields whose values have to be unique. */
const ONCE = /e-?mail$|(?:user|login|account|nick)_?name$|(?:^|\/)(?:login|username|handle|slug|sku)$/i;

/** Returns the request with new unique values, because most targets reject duplicates. */
export function another(item: InventoryItem, word: string): InventoryItem {
  const isOnce = ({ location, name }: Parameter) => location === 'json' && ONCE.test(name);
  const named = ({ value }: Parameter) => (value.includes('@') ? value.replace(/^[^@]*/, word) : word);
  const values = item.parameters.filter(isOnce).map((each) => [each, named(each)] as const);
  if (values.length === 0) return item;
  const { body } = requestWithAll(item, values);
  const renamed = new Map<Parameter, string>(values);
  const parameters = item.parameters.map((each) => ({ ...each, value: renamed.get(each) ?? each.value }));
  return { ...item, parameters, body: { type: typeOfBody(item), text: String(body) } };
}

/** Returns the fields that the request writes. */
export const written = (item: InventoryItem) => fieldsOf(requestOf(item).body?.toString() ?? '');

/** Returns the request with additional fields. */
export function writing(item: InventoryItem, added: Readonly<Record<string, Value>>): PointRequest {
  return { ...requestOf(item), body: JSON.stringify({ ...written(item), ...added }) };
}

const MOST_FIELDS = 3;

/** Returns privileged fields of the object that the request does not write. */
export function fieldsBeside(item: InventoryItem, text: string): ShownField[] {
  const fields = fieldsOf(text);
  const shown = [fields, ...Object.values(fields).map((inner) => fieldsOf(JSON.stringify(inner) ?? ''))];
  const meant = written(item);
  return shown
    .flatMap((each) => Object.entries(each))
    .flatMap(([field, before]) =>
      PRIVILEGED.test(field) && isValue(before) && !(field in meant) ? [{ field, before }] : [],
    )
    .slice(0, MOST_FIELDS);
}
