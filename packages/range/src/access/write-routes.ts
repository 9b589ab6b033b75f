import { type Answer, json, type Routes, readJson, type Visit } from '../answer.ts';
import { createShelf, type Services } from '../services.ts';
import { forCustomer } from './routes.ts';

type Fields = Readonly<Record<string, unknown>>;

const MOST_FIELDS = 20;
const LONGEST = 100;

/** Limits the number of fields and the length of values. */
function plainFields(sent: Record<string, unknown> | undefined): Fields {
  const fields = Object.entries(sent ?? {}).filter(([, value]) => typeof value !== 'object');
  return Object.fromEntries(
    fields
      .slice(0, MOST_FIELDS)
      .map(([name, value]) => [name.slice(0, LONGEST), typeof value === 'string' ? value.slice(0, LONGEST) : value]),
  );
}

const only =
  (...names: string[]) =>
  (fields: Fields) =>
    Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)));
/** The flaw: mass assignment, because every field is accepted. */
const all = (fields: Fields) => fields;

export function memberRoutes(): Routes {
  const profile = (path: string, choose: typeof all): Routes => {
    const members = createShelf<Fields>();
    const of = (customer: string) => members.get(customer) ?? { nick: customer, role: 'member', credit: 0 };
    return {
      [`GET ${path}`]: forCustomer((_visit, customer) => json(of(customer))),
      [`PATCH ${path}`]: forCustomer((visit, customer) => {
        members.put({ ...of(customer), ...choose(plainFields(readJson(visit))) }, customer);
        return json({ state: 'changed' });
      }),
    };
  };
  const registration = (path: string, home: string, choose: typeof all): Routes => {
    const members = createShelf<Fields>();
    return {
      [`POST ${path}`]: (visit) => {
        const id = members.put({ nick: '', credit: 0, ...choose(plainFields(readJson(visit))) });
        return json({ id, url: `${home}/${id}` }, 201);
      },
      [`GET ${home}/{id}`]: ({ id }) => {
        const member = members.get(id);
        return member ? json(member) : json({ error: 'no such member' }, 404);
      },
    };
  };
  return {
    ...profile('/api/profile', all),
    ...profile('/api/membership', only('nick')),
    ...registration('/api/club/register', '/api/club/members', all),
    ...registration('/api/club/enrol', '/api/club/fellows', only('nick')),
  };
}

const PRICE = 25;

export function basketRoutes(services: Services): Routes {
  const basket = (isAllowed: (quantity: number) => boolean) =>
    forCustomer((visit) => {
      const quantity = Number(readJson(visit)?.quantity);
      if (!Number.isInteger(quantity) || !isAllowed(quantity)) return json({ error: 'how many?' }, 400);
      return json({ item: 'Kettle', quantity, total: quantity * PRICE });
    });
  const codeOf = (visit: Visit) => String(readJson(visit)?.code ?? '').slice(0, LONGEST);
  const used: Answer = json({ error: 'used already' }, 409);
  const coupons = createShelf<true>(1_000);
  const tokens = createShelf<true>(1_000);
  return {
    'POST /api/basket': basket(() => true),
    'POST /api/trolley': basket((quantity) => quantity > 0 && quantity < 100),
    /** The flaw: a race condition between the check and the write. */
    'POST /api/coupon/use': async (visit) => {
      if (visit.customer === undefined) return json({ error: 'sign in first' }, 401);
      if (coupons.get(codeOf(visit))) return used;
      await services.wait(30);
      coupons.put(true, codeOf(visit));
      return json({ state: 'used' });
    },
    'POST /api/token/use': async (visit) => {
      if (visit.customer === undefined) return json({ error: 'sign in first' }, 401);
      if (tokens.get(codeOf(visit))) return used;
      tokens.put(true, codeOf(visit));
      await services.wait(30);
      return json({ state: 'used' });
    },
  };
}
