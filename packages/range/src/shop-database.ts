/** A real SQL database in memory, so that injected SQL is really executed. */
import { constants, DatabaseSync } from 'node:sqlite';
import type { IdOf } from './ids.ts';

export interface Product {
  id: number;
  name: string;
  category: string;
  price: number;
}

export interface Order {
  id: number;
  customer: string;
  item: string;
  address: string;
}

/** Returns the statements that create and fill the tables. */
function tables(idOf: IdOf): string {
  const [alice, bob] = [idOf('customer', 'alice'), idOf('customer', 'bob')];
  const product = (id: number) => idOf('product', String(id));
  const order = (id: number) => idOf('order', String(id));
  return `
  create table product (id integer primary key, name text, category text, price integer, is_hidden integer);
  insert into product values
    (${product(1)}, 'Ridge tent', 'tents', 240, 0), (${product(2)}, 'Dome tent', 'tents', 180, 0),
    (${product(3)}, 'Tarpaulin', 'tents', 45, 0), (${product(4)}, 'Gas stove', 'kitchen', 60, 0),
    (${product(5)}, 'Kettle', 'kitchen', 25, 0), (${product(6)}, 'Spoon', 'kitchen', 4, 0),
    (${product(7)}, 'Head torch', 'light', 35, 0), (${product(8)}, 'Lantern', 'light', 50, 0),
    (${product(9)}, 'Next year''s lantern', 'light', 70, 1);
  create table customer (name text primary key, password text);
  insert into customer values ('${alice}', '${alice}-of-the-range'), ('${bob}', '${bob}-of-the-range'),
    ('admin', 'admin-of-the-range'), ('keeper', 'keeper-of-the-range');
  create table partner (name text primary key, password text);
  insert into partner values ('hill-and-dale', 'partner-of-the-range');
  create table shop_order (id integer primary key, customer text, item text, address text);
  insert into shop_order values
    (${order(1001)}, '${alice}', 'Ridge tent', '1 Meadow Lane'), (${order(1002)}, '${bob}', 'Lantern', '2 Harbour Road'),
    (${order(1003)}, '${alice}', 'Kettle', '1 Meadow Lane'), (${order(1004)}, '${bob}', 'Dome tent', '2 Harbour Road');
`;
}

/** Functions that create values of any size, or run code. */
const forbiddenFunctions = new Set(['load_extension', 'randomblob', 'zeroblob', 'printf', 'format']);

/** Limits injected SQL to reading these tables: no files, no endless queries, no changes. */
function mayDo(action: number, _first: string | null, name: string | null): number {
  if (action === constants.SQLITE_SELECT || action === constants.SQLITE_READ) return constants.SQLITE_OK;
  const isAllowed = action === constants.SQLITE_FUNCTION && !forbiddenFunctions.has(name?.toLowerCase() ?? '');
  return isAllowed ? constants.SQLITE_OK : constants.SQLITE_DENY;
}

export type ShopDatabase = ReturnType<typeof openShopDatabase>;

export function openShopDatabase(idOf: IdOf) {
  const database = new DatabaseSync(':memory:');
  let sleep = 0;
  const fallAsleep = (seconds: unknown) => {
    sleep += Math.max(0, Number(seconds) || 0);
    return 0;
  };
  // Functions of other databases. They only record the duration, because a real sleep would block the process.
  for (const name of ['sleep', 'pg_sleep']) database.function(name, fallAsleep);
  database.exec(tables(idOf));
  database.setAuthorizer(mayDo);
  const all = <Row>(sql: string, ...values: string[]) => database.prepare(sql).all(...values) as unknown as Row[];
  const columns = 'select id, name, category, price from product where is_hidden = 0';
  return {
    /** Throws if the statement is invalid. */
    all,
    /** Returns the seconds that statements since the last call asked to sleep. */
    takeSleep(): number {
      const taken = sleep;
      sleep = 0;
      return taken;
    },
    /** The flaw: SQL injection through the category. Throws if the resulting statement is invalid. */
    productsOfCategoryUnsafely: (category: string) => all<Product>(`${columns} and category = '${category}'`),
    productsOfCategory: (category: string) => all<Product>(`${columns} and category = ?`, category),
    productsNamed: (words: string) => all<Product>(`${columns} and instr(lower(name), lower(?)) > 0`, words),
    product: (id: string) => all<Product>(`${columns} and id = ?`, id)[0],
    products: () => all<Product>(columns),
    categories: () => all<{ category: string }>('select distinct category from product').map((row) => row.category),
    isCustomer: (name: string, password: string) =>
      all('select 1 from customer where name = ? and password = ?', name, password).length === 1,
    ordersOf: (customer: string) => all<Order>('select * from shop_order where customer = ?', customer),
    order: (id: string) => all<Order>('select * from shop_order where id = ?', id)[0],
  };
}
