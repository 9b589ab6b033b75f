import {
  type Answer,
  cookieOf,
  decode,
  html,
  json,
  type Routes,
  readJson,
  type Visit,
  withHeaders,
} from '../answer.ts';
import { escapeHtml, page, table } from '../page.ts';
import { type Services, sleepFor } from '../services.ts';
import type { Product } from '../shop-database.ts';

const COLUMNS = 'select id, name, category, price from product where is_hidden = 0';
const quote = (value: string) => `'${value}'`;
const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

const filterName = (visit: Visit): string => {
  const filter = readJson(visit)?.filter;
  return typeof filter === 'object' && filter !== null && 'name' in filter ? String(filter.name) : '';
};

function productTable(visit: Visit, title: string, products: readonly Product[]): Answer {
  const rows = products.map(({ name, category, price }) => [name, category, price].map(escapeHtml));
  const content = rows.length === 0 ? '<p>Nothing of that kind.</p>' : table(['Product', 'Category', 'Price'], rows);
  return html(page(visit, { title, content }), rows.length === 0 ? 404 : 200);
}

const sorry = (visit: Visit): Answer =>
  html(page(visit, { title: 'Something is wrong', content: '<p class="problem">We are looking into it.</p>' }), 500);

/** White space, comments to the end of the line, and words as they are usually written. */
const ODD = /\s|--|\b(?:and|or|union|select|case|like|in|is)\b|\b(?:AND|OR|UNION|SELECT|CASE|LIKE|IN|IS)\b/;

/** How a handler passes the value to the statement. */
type Ask = (visit: Visit, sql: string, value: string) => Product[];

export function sqlRoutes(services: Services): Routes {
  const { database } = services;
  /** The flaw: SQL injection, because the value replaces the placeholder in the text. */
  const unsafely: Ask = (_visit, sql, value) => database.all(sql.replace('?', () => value));
  const safely: Ask = (_visit, sql, value) => database.all(sql, value);
  const orSorry = (visit: Visit, answer: () => Answer): Answer => {
    try {
      return answer();
    } catch {
      return sorry(visit);
    } finally {
      database.takeSleep();
    }
  };

  const offer = (ask: Ask) => (visit: Visit) =>
    orSorry(visit, () => productTable(visit, 'Offer', ask(visit, `${COLUMNS} and id = ?`, decode(visit.id))));
  const suggest = (ask: Ask, asValue: (term: string) => string) => (visit: Visit) =>
    orSorry(visit, () =>
      json(ask(visit, `${COLUMNS} and name like ?`, asValue(visit.query.get('term') ?? '')).map(({ name }) => name)),
    );
  const filtered = (ask: Ask, asValue: (category: string) => string) => (visit: Visit) => {
    const category = visit.query.get('category') ?? '';
    if (ODD.test(category)) return html(page(visit, { title: 'Rack', content: '<p>That looks odd.</p>' }), 403);
    return orSorry(visit, () =>
      productTable(visit, 'Rack', ask(visit, `${COLUMNS} and category = ?`, asValue(category))),
    );
  };
  const recent = (ask: Ask, asValue: (category: string) => string) => (visit: Visit) => {
    const category = cookieOf(visit, 'last_category') || 'tents';
    const answer = orSorry(visit, () =>
      productTable(visit, 'Seen lately', ask(visit, `${COLUMNS} and category = ?`, asValue(category))),
    );
    return withHeaders(answer, { 'set-cookie': 'last_category=tents; Path=/' });
  };
  const search = (ask: Ask, asValue: (name: string) => string) => (visit: Visit) => {
    try {
      return json({ products: ask(visit, `${COLUMNS} and name = ?`, asValue(filterName(visit))) });
    } catch (error) {
      return json({ error: `SQLITE_ERROR: ${messageOf(error)}` }, 500);
    }
  };
  const alert = (ask: Ask, asValue: (product: string) => string) => async (visit: Visit) => {
    try {
      ask(visit, `select 1 from product where name = ?`, asValue(visit.query.get('product') ?? ''));
    } catch {
      // Errors are not shown: the injection is blind.
    }
    await sleepFor(services, database.takeSleep());
    return html(page(visit, { title: 'Stock alert', content: '<p>We write as soon as it is here.</p>' }));
  };

  const tally = (ask: Ask, asValue: (goods: string) => string) => (visit: Visit) =>
    orSorry(visit, () => {
      ask(visit, 'select name from product where name = ?', asValue(visit.form.get('goods') ?? ''));
      return html(page(visit, { title: 'Tally', content: '<p>That was counted.</p>' }));
    });

  return {
    'GET /offers/{id}': offer(unsafely),
    'GET /specials/{id}': offer(safely),
    'GET /suggest': suggest(unsafely, (term) => `'%${term}%'`),
    'GET /complete': suggest(safely, (term) => `%${term}%`),
    'GET /rack': filtered(unsafely, quote),
    'GET /stand': filtered(safely, String),
    'GET /recent': recent(unsafely, quote),
    'GET /recently': recent(safely, String),
    'POST /api/stock/search': search(unsafely, quote),
    'POST /api/stock/find': search(safely, String),
    'POST /tally': tally(unsafely, quote),
    'POST /abacus': tally(safely, String),
    'GET /stock-alert': alert(unsafely, quote),
    'GET /stock-watch': alert(safely, String),
    ...sortRoutes(services, orSorry),
    ...visitRoutes(services),
  };
}

const SORTABLE = ['name', 'category', 'price'];

function sortRoutes({ database }: Services, orSorry: (visit: Visit, answer: () => Answer) => Answer): Routes {
  const sorted = (visit: Visit, column: string) =>
    orSorry(visit, () => productTable(visit, 'All products', database.all<Product>(`${COLUMNS} order by ${column}`)));
  const column = ({ query }: Visit) => query.get('sort') ?? 'price';
  return {
    'GET /browse': (visit) => sorted(visit, column(visit)),
    'GET /shelves': (visit) => sorted(visit, SORTABLE.includes(column(visit)) ? column(visit) : 'price'),
  };
}

function visitRoutes({ database }: Services): Routes {
  const seen = (visit: Visit, count: (address: string) => unknown) => {
    const address = String(visit.headers['x-forwarded-for'] ?? '192.0.2.1');
    try {
      count(address);
      return html(page(visit, { title: 'Visits', content: '<p>You have been counted.</p>' }));
    } catch (error) {
      const content = `<p class="problem">SQLITE_ERROR: ${escapeHtml(messageOf(error))}</p>`;
      return html(page(visit, { title: 'Something is wrong', content }), 500);
    } finally {
      database.takeSleep();
    }
  };
  return {
    'GET /visits': (visit) => seen(visit, (address) => database.all(`select 1 where '${address}' <> ''`)),
    'GET /visitors': (visit) => seen(visit, (address) => database.all(`select 1 where ? <> ''`, address)),
  };
}
