import type { InventoryItem } from '../../crawl/inventory/inventory.ts';
import type { Known } from '../define-active-check.ts';
import { isMetBy } from './accounts.ts';

const NAMES = /^(?:fields?|select|columns?|attributes?|attrs|props|properties|include|only|projection)(?:\[\])?$/i;
/** A single field name or a list of them. */
const LIST = /^[a-z_][\w.]{0,40}(?:[,; |][a-z_][\w.]{0,40}){0,40}$/i;
export const SECRET_FIELDS: readonly string[] = [
  'password',
  'passwordHash',
  'password_hash',
  'hashedPassword',
  'passwd',
];

/** Returns the parameters that select the returned fields. */
export const choicesOf = ({ parameters }: InventoryItem) =>
  parameters.filter(({ location, name, value }) => location === 'query' && NAMES.test(name) && LIST.test(value));

/** Prefers an account, because only accounts have secrets. */
export const askerOf = (item: InventoryItem, { accounts }: Pick<Known, 'accounts'>) =>
  accounts.find(({ name }) => isMetBy(item, name))?.name ?? item.seenAs;
