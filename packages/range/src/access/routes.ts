import {
  type Answer,
  cookieOf,
  html,
  json,
  type Routes,
  readJson,
  redirect,
  type Visit,
  withHeaders,
} from '../answer.ts';
import { backRoomLinks } from '../back-rooms.ts';
import type { IdOf } from '../ids.ts';
import { escapeHtml, page, table } from '../page.ts';
import { forAdmin } from '../scripts/stored-routes.ts';
import { createShelf, isAdmin, type Services } from '../services.ts';

type ForCustomer = (visit: Visit, customer: string) => Answer;

export const forCustomer = (handler: ForCustomer) => (visit: Visit) =>
  visit.customer === undefined ? json({ error: 'sign in first' }, 401) : handler(visit, visit.customer);
const forStaff = (handler: (visit: Visit) => Answer) =>
  forCustomer((visit, customer) => (isAdmin(customer) ? handler(visit) : json({ error: 'for the staff' }, 403)));

const suppliers = ['pegs', 'poles'].map((name) => ({ name, email: `${name}@example.test`, phone: '555-0199' }));

/** The flaws: missing authentication or missing function-level authorization. */
export function staffRoutes({ idOf }: Pick<Services, 'idOf'>): Routes {
  const alice = idOf('customer', 'alice');
  const customers = [alice, idOf('customer', 'bob'), 'heidi'].map((name) => ({
    name,
    email: `${name}@example.test`,
    phone: '555-0100',
  }));
  const report = (visit: Visit) =>
    html(page(visit, { title: 'Turnover', content: table(['Year', 'Coins'], [['2025', '120311']]) }));
  const log = (visit: Visit) =>
    html(page(visit, { title: 'Log', content: `<pre>12:01 ${alice} signed in\n12:02 till opened</pre>` }));
  const make = (visit: Visit) => {
    const percent = Number(readJson(visit)?.percent);
    return Number.isInteger(percent) ? json({ code: 'made-up', percent }, 201) : json({ error: 'percent?' }, 400);
  };
  return {
    'GET /api/export/customers': () => json({ customers }),
    'GET /api/export/suppliers': forStaff(() => json({ suppliers })),
    'GET /admin/reports': report,
    'GET /admin/figures': forAdmin(report),
    'GET /api/admin/customers': forCustomer(() => json({ customers })),
    'GET /api/admin/suppliers': forStaff(() => json({ suppliers })),
    'POST /api/admin/coupons': forCustomer(make),
    'POST /api/admin/vouchers': forStaff(make),
    'GET /admin/logs': (visit) => (visit.headers['x-forwarded-for'] === '127.0.0.1' ? log : forAdmin(log))(visit),
    'GET /admin/journal': forAdmin(log),
    'GET /admin': forAdmin((visit) => {
      const places = ['inbox', 'remarks', 'reports', 'figures', 'logs', 'journal'].map((name) => `/admin/${name}`);
      const all = [...places, '/api/admin/customers', '/api/admin/suppliers', '/api/export/customers'];
      const links = [...all, '/api/export/suppliers'].map((place) => `<li><a href="${place}">${place}</a></li>`);
      return html(page(visit, { title: 'Office', content: `<ul>${links.join('')}</ul>${backRoomLinks()}` }));
    }),
  };
}

/** The flaw: the cookie names the customer, and the server believes it. */
export function lockerPages({ idOf }: Pick<Services, 'idOf'>): Routes {
  const contents = new Map([
    [idOf('customer', 'alice'), 'a tent with a hole, and four pegs of five'],
    [idOf('customer', 'bob'), 'a lantern, and the harbour in a bottle'],
  ]);
  const show = (visit: Visit, customer: string) => {
    const name = cookieOf(visit, 'range_customer');
    const content = `<p>Hello ${escapeHtml(name)}. In the locker: ${contents.get(customer) ?? 'nothing'}.</p>`;
    return html(page(visit, { title: 'Your locker', content }));
  };
  const forThose = (owner: (visit: Visit, customer: string) => string) => (visit: Visit) =>
    visit.customer === undefined ? redirect('/login') : show(visit, owner(visit, visit.customer));
  return {
    'GET /locker/contents': forThose((visit) => cookieOf(visit, 'range_customer')),
    'GET /locker/list': forThose((_visit, customer) => customer),
  };
}

/** Returns the things that belong to a customer. */
function belongings(idOf: IdOf) {
  const [alice, bob] = [idOf('customer', 'alice'), idOf('customer', 'bob')];
  const invoiceOf = (customer: string, id: string, total: number, address: string) => {
    const number = idOf('invoice', id);
    return [number, { number: /^\d+$/.test(number) ? Number(number) : number, customer, total, address }] as const;
  };
  return {
    customers: [alice, bob],
    invoices: new Map([invoiceOf(alice, '501', 240, '1 Meadow Lane'), invoiceOf(bob, '502', 50, '2 Harbour Road')]),
    messages: [
      { box: alice, text: 'Your tent is ready.' },
      { box: bob, text: 'Your lantern is on fire.' },
    ],
  };
}

const LONGEST = 100;

/** The flaws: any signed-in user has access, without object-level authorization. */
export function objectRoutes({ idOf }: Pick<Services, 'idOf'>): Routes {
  const { customers, invoices, messages } = belongings(idOf);
  const invoice = (isOwn: (owner: string, customer: string) => boolean) =>
    forCustomer(({ id }, customer) => {
      const found = invoices.get(id);
      return found && isOwn(found.customer, customer) ? json(found) : json({ error: 'no such invoice' }, 404);
    });
  const listed = (name: string) =>
    forCustomer((_visit, customer) => {
      const own = [...invoices.values()].filter((each) => each.customer === customer);
      return json({ [name]: own.map(({ number, total }) => ({ number, total })) });
    });
  const read = (boxOf: (visit: Visit, customer: string) => string) =>
    forCustomer((visit, customer) => json({ messages: messages.filter(({ box }) => box === boxOf(visit, customer)) }));
  const address = (path: string, mayChange: (owner: string, customer: string) => boolean): Routes => {
    const streets = createShelf<string>();
    for (const name of customers) streets.put('1 Meadow Lane', name);
    return {
      [`GET ${path}`]: forCustomer(({ id }, customer) =>
        id === customer ? json({ street: streets.get(id) ?? '' }) : json({ error: 'not yours' }, 403),
      ),
      [`PATCH ${path}`]: forCustomer((visit, customer) => {
        const { id } = visit;
        if (!mayChange(id, customer) || streets.get(id) === undefined) return json({ error: 'not yours' }, 403);
        streets.put(String(readJson(visit)?.street ?? '').slice(0, LONGEST), id);
        return json({ state: 'changed' });
      }),
    };
  };
  const isOwn = (owner: string, customer: string) => owner === customer;
  return {
    ...memoRoutes('/api/memos/all', () => true),
    ...memoRoutes('/api/jottings/all', isOwn),
    'GET /api/invoices': listed('invoices'),
    'GET /api/invoices/{id}': invoice(() => true),
    'GET /api/bills': listed('bills'),
    'GET /api/bills/{id}': invoice(isOwn),
    'GET /api/messages': read(({ query }) => query.get('box') ?? ''),
    'GET /api/mail': read((_visit, customer) => customer),
    ...address('/api/addresses/{id}', () => true),
    ...address('/api/places/{id}', isOwn),
  };
}

function memoRoutes(path: string, mayChange: (owner: string, customer: string) => boolean): Routes {
  const memos = createShelf<{ owner: string; text: string }>();
  const textOf = (visit: Visit) => String(readJson(visit)?.text ?? '').slice(0, LONGEST);
  const none = json({ error: 'no such memo' }, 404);
  return {
    [`POST ${path}`]: forCustomer((visit, owner) => json({ id: memos.put({ owner, text: textOf(visit) }) }, 201)),
    [`GET ${path}/{id}`]: forCustomer(({ id }, customer) => {
      const memo = memos.get(id);
      return memo?.owner === customer ? json({ text: memo.text }) : none;
    }),
    [`PATCH ${path}/{id}`]: forCustomer((visit, customer) => {
      const memo = memos.get(visit.id);
      if (!memo || !mayChange(memo.owner, customer)) return none;
      memos.put({ ...memo, text: textOf(visit) }, visit.id);
      return json({ state: 'changed' });
    }),
  };
}

/** Logins of devices: one with default credentials, one with a changed password. */
export function consoleRoutes({ sessions }: Services): Routes {
  const entrance = (path: string, password: string): Routes => {
    const form = (visit: Visit, status: number) => {
      const content = `<form method="post" action="${path}"><input name="user"><input name="password" type="password"><button>Enter</button></form>`;
      return html(page(visit, { title: 'Till, version 2.1', content }), status);
    };
    const home = path.replace('login', 'home');
    return {
      [`GET ${path}`]: (visit) => form(visit, 200),
      [`POST ${path}`]: (visit) => {
        const isRight = visit.form.get('user') === 'admin' && visit.form.get('password') === password;
        const cookie = () => sessions.cookie(sessions.signIn(`till ${path}`));
        return isRight ? withHeaders(redirect(home), { 'set-cookie': cookie() }) : form(visit, 401);
      },
      [`GET ${home}`]: (visit) =>
        visit.customer === `till ${path}`
          ? html(page(visit, { title: 'Till', content: `<p>3 drawers, ${escapeHtml('open')}.</p>` }))
          : redirect(path),
    };
  };
  return { ...entrance('/console/login', 'admin'), ...entrance('/counter/login', 'made-up-and-long-4711') };
}
