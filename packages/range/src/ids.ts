import { createHash } from 'node:crypto';

/** What the shop is filled with at its start, and what requests name by an id. */
export type Thing = 'customer' | 'order' | 'product' | 'invoice' | 'parcel' | 'locker';

/** Returns the id of a thing, given its id in the usual shop. */
export type IdOf = (thing: Thing, id: string) => string;

export const usualIds: IdOf = (_thing, id) => id;

const CUSTOMERS: Readonly<Record<string, string>> = { alice: 'yvonne', bob: 'zacharias' };

/** Ids that look random and are the same in every run. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}

const SHIFTED: Readonly<Record<Thing, (id: string) => string>> = {
  customer: (id) => CUSTOMERS[id] ?? id,
  order: (id) => String(Number(id) + 870_314),
  product: (id) => String(Number(id) + 4_260),
  invoice: uuidOf,
  parcel: (id) => id.replace(/\d+/, (number) => String(Number(number) + 88_500)),
  locker: (id) => String(Number(id) + 30),
};

/** Ids of a second version of the shop: nothing that requests name has its usual id, and invoices have UUIDs. */
export const shiftedIds: IdOf = (thing, id) => SHIFTED[thing](id);
