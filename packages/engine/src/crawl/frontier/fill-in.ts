import { isOrder } from '../effect/change-verbs.ts';
import type { Harvest } from '../inventory/harvest.ts';
import { isIdName, kindOfId, placeOf, singular } from '../inventory/harvest.ts';
import type { InventoryItem, Parameter } from '../inventory/inventory.ts';
import { writeRequest } from '../requests/write-request.ts';

interface Visitor {
  harvest: Harvest;
  seenAs: string | null;
}

/** Returns the request with the IDs and names that this visitor was given. */
export function fillIn(draft: InventoryItem, visitor: Visitor): InventoryItem {
  let item = draft;
  for (let index = 0; index < draft.parameters.length; index++) {
    const parameter = item.parameters[index] as Parameter;
    const [value] = valuesFor(parameter, item, visitor);
    if (value !== undefined) item = withValue(item, parameter, value);
  }
  return item;
}

/** Other values per parameter that are tried if the target rejects the first. */
const MOST_OTHERS = 2;

/**
 * Returns further attempts at a read request that the target rejected: one parameter at a time with other values of
 * its kind, then the values of the description.
 */
export function otherAttempts(draft: InventoryItem, visitor: Visitor): InventoryItem[] {
  const filled = fillIn(draft, visitor);
  const others = filled.parameters.flatMap((parameter) => {
    const values = valuesFor(parameter, filled, visitor).slice(1, 1 + MOST_OTHERS);
    return values.map((value) => withValue(filled, parameter, value));
  });
  return [...others, draft];
}

/** Returns the request with another value of one parameter. */
export function withValue(item: InventoryItem, parameter: Parameter, value: string): InventoryItem {
  if (value === parameter.value) return item;
  const { url, body } = writeRequest(item, { parameter, value, isRaw: false });
  const parameters = item.parameters.map((each) => (each === parameter ? { ...each, value } : each));
  const hasBody = item.body !== undefined && typeof body === 'string';
  const path = parameter.location === 'path' ? { url: url.replace(/[?#].*$/s, '') } : {};
  return { ...item, ...path, parameters, ...(hasBody && { body: { type: item.body?.type ?? '', text: body } }) };
}

const isReading = ({ effect }: InventoryItem) => effect === undefined || effect === 'reads';

/** The name by which a parameter is called; undefined for a path segment that is an ID. */
export const calledOf = ({ location, name, called }: Parameter): string | undefined =>
  location === 'path' ? called : name.split('/').at(-1);

/** The resources of `/tasks/{task}` and `/events/{event}`. */
const THINGS = /^(?:task|event)$/i;

/** Returns whether another value could make the request do something else. */
export function isOrdering(parameter: Parameter): boolean {
  const name = calledOf(parameter) ?? '';
  return isOrder(name) && !(parameter.location === 'path' && THINGS.test(name));
}

function valuesFor(parameter: Parameter, item: InventoryItem, { harvest, seenAs }: Visitor): string[] {
  if (isOrdering(parameter)) return [];
  const name = calledOf(parameter);
  const { pathname } = new URL(item.url);
  const isPath = parameter.location === 'path';
  const before = isPath ? pathname.split('/').slice(0, Number(parameter.name) + 1).join('/') : pathname; // biome-ignore format: one expression
  const place = singular(placeOf(before));
  const idOf = parameter.idOf ?? kindOfId(parameter.name, '');
  if (name === undefined || isIdName(name)) {
    const first = idOf === undefined ? undefined : harvest.pick(seenAs, idOf);
    const others = isReading(item) ? harvest.candidates(seenAs, { name, place, idOf }) : [];
    return [...new Set([...(first === undefined ? [] : [first]), ...others])];
  }
  // A change must name only a resource of the account itself.
  if (!isReading(item)) return isPath ? harvest.ownNames(seenAs, name) : [];
  return harvest.candidates(seenAs, { name, place, idOf: isPath ? idOf : undefined });
}
