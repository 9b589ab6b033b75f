import { type Answer, type Handler, html, redirect, type Visit } from './answer.ts';
import { escapeHtml, page, table } from './page.ts';
import type { Order, ShopDatabase } from './shop-database.ts';

const forCustomers =
  (handler: (visit: Visit, customer: string) => Answer): Handler =>
  (visit) =>
    visit.customer === undefined ? redirect('/login') : handler(visit, visit.customer);

function orderPage(visit: Visit, order: Order | undefined): Answer {
  if (!order) return html(page(visit, { title: 'No such order', content: '<p>We have no such order.</p>' }), 404);
  const { id, customer, item, address } = order;
  const content = table(['Customer', 'Item', 'Deliver to'], [[customer, item, address].map(escapeHtml)]);
  return html(page(visit, { title: `Order ${id}`, content }));
}

export function orderPages(database: ShopDatabase) {
  return {
    list: forCustomers((visit, customer) => {
      const rows = database
        .ordersOf(customer)
        .map(({ id, item }) => [
          `<a href="/orders/${id}">${id}</a>`,
          escapeHtml(item),
          `<a href="/my-orders/${id}">printable</a>`,
        ]);
      return html(page(visit, { title: 'My orders', content: table(['Order', 'Item', ''], rows) }));
    }),
    /** The flaw: IDOR, because any signed-in user can read the order. */
    oneUnsafely: forCustomers((visit) => orderPage(visit, database.order(visit.id))),
    one: forCustomers((visit, customer) => {
      const order = database.order(visit.id);
      return orderPage(visit, order?.customer === customer ? order : undefined);
    }),
  };
}
