import type { InventoryItem } from '../../crawl/inventory/inventory.ts';
import { typeOfBody } from '../../crawl/requests/write-body.ts';
import { readJson } from '../../oracle/private-content.ts';
import type { PointRequest } from '../insertion-point.ts';
import { inBody, isSecret } from './own-account.ts';

export type ExtraField = readonly [name: string, value: string | boolean];

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the request of a registration with further fields, beside its password; undefined for other bodies. */
export function withFields(
  request: PointRequest,
  register: InventoryItem,
  fields: readonly ExtraField[],
): PointRequest | undefined {
  const password = inBody(register).find(isSecret)?.name ?? '';
  const text = request.body?.toString() ?? '';
  if (/json/i.test(typeOfBody(register))) {
    const body = readJson(text);
    const names = password.split('/').slice(1, -1);
    const parent = names.reduce<unknown>((value, name) => (isRecord(value) ? value[name] : undefined), body);
    if (!isRecord(parent)) return undefined;
    Object.assign(parent, Object.fromEntries(fields));
    return { ...request, body: JSON.stringify(body) };
  }
  if (!/urlencoded/i.test(typeOfBody(register))) return undefined;
  const pairs = fields.map(([name, value]): [string, string] => [name, String(value)]);
  return { ...request, body: `${text}&${new URLSearchParams(pairs)}` };
}
