import { type Routes, redirect } from '../answer.ts';
import { escapeHtml } from '../page.ts';
import { createShelf } from '../services.ts';
import { button, field, forMembers, partsOf, refused, room, type Society } from './society.ts';

const MOST = 2_000;
const PRINT_PRICE = 48;
const HAMPER_PRICE = 10;
const MOST_HAMPERS = 20;
const BASKET = 60;
const VOUCHER = 10;

interface Own {
  member: string;
}

export function printRoutes({ path: home, isSafe }: Society): Routes {
  const orders = createShelf<Own & { price: number }>(MOST);
  const path = `${home}/prints`;
  return {
    [`GET ${path}`]: forMembers(() =>
      room(
        'Print of the harbour',
        `<p>Price: ${PRINT_PRICE}</p>${button(path, 'Add', `<input type="hidden" name="price" value="${PRINT_PRICE}">`)}`,
      ),
    ),
    [`POST ${path}`]: forMembers((visit, member) => {
      // The flaw: the price is what the form says.
      const price = isSafe ? PRINT_PRICE : Number(field(visit, 'price'));
      if (!Number.isFinite(price)) return refused('This is no price.', 400);
      return redirect(`${path}/${orders.put({ member, price })}`);
    }),
    [`GET ${path}/{id}`]: forMembers(({ id }, member) => {
      const order = orders.get(id);
      if (order?.member !== member) return refused('This is not your order.');
      return room('Your print', `<p>One print of the harbour is reserved. Total: ${order.price}</p>`);
    }),
  };
}

export function hamperRoutes({ path: home, isSafe }: Society): Routes {
  const orders = createShelf<Own & { quantity: number; total: number; isConfirmed: boolean }>(MOST);
  const path = `${home}/hampers`;
  const isQuantity = (quantity: number) => Number.isInteger(quantity) && quantity > 0 && quantity <= MOST_HAMPERS;
  return {
    [`GET ${path}`]: forMembers(() =>
      room(
        'Hampers',
        `<p>A hamper costs ${HAMPER_PRICE}.</p>${button(path, 'Continue', `<input type="number" name="quantity" value="5" min="1" max="${MOST_HAMPERS}">`)}`,
      ),
    ),
    [`POST ${path}`]: forMembers((visit, member) => {
      const quantity = Number(field(visit, 'quantity'));
      if (!isQuantity(quantity)) return refused('How many?', 400);
      const id = orders.put({ member, quantity, total: quantity * HAMPER_PRICE, isConfirmed: false });
      return redirect(`${path}/${id}`);
    }),
    [`GET ${path}/*`]: forMembers((visit, member) => {
      const [id, action] = partsOf(visit);
      const order = orders.get(id);
      if (order?.member !== member) return refused('This is not your order.');
      const { quantity, total, isConfirmed } = order;
      if (action === 'receipt' && isConfirmed) {
        return room('Receipt', `<p>${quantity} hampers will arrive on Friday. Total: ${total}</p>`);
      }
      const hidden = `<input type="hidden" name="quantity" value="${quantity}">`;
      return room(
        'Your hampers',
        `<p>${quantity} hampers. Total: ${total}</p>${button(`${path}/${id}/confirm`, 'Confirm', hidden)}`,
      );
    }),
    [`POST ${path}/*`]: forMembers((visit, member) => {
      const [id, action] = partsOf(visit);
      const order = orders.get(id);
      if (order?.member !== member || action !== 'confirm') return refused('This is not your order.');
      const quantity = Number(field(visit, 'quantity'));
      // The flaw: the quantity is read once more, the total is not.
      if (!isSafe && isQuantity(quantity)) order.quantity = quantity;
      order.isConfirmed = true;
      return redirect(`${path}/${id}/receipt`);
    }),
  };
}

export function voucherRoutes({ path: home, isSafe }: Society): Routes {
  const baskets = createShelf<Own & { code: string; used: string[] }>(MOST);
  const path = `${home}/vouchers`;
  const totalOf = ({ used }: { used: readonly string[] }) => Math.max(0, BASKET - VOUCHER * used.length);
  return {
    [`GET ${path}`]: forMembers(() =>
      room('Vouchers', `<p>Each basket comes with a voucher.</p>${button(path, 'Take a basket')}`),
    ),
    [`POST ${path}`]: forMembers((_visit, member) => {
      const id = baskets.put({ member, code: '', used: [] });
      const basket = baskets.get(id);
      if (basket) basket.code = `SPRING-${id}Q`;
      return redirect(`${path}/${id}`);
    }),
    [`GET ${path}/*`]: forMembers((visit, member) => {
      const [id, action] = partsOf(visit);
      const basket = baskets.get(id);
      if (basket?.member !== member) return refused('This is not your basket.');
      if (action === 'total') return room('Total', `<p>The basket is complete. Total: ${totalOf(basket)}</p>`);
      const input = '<input name="code">';
      return room(
        'Your basket',
        `<p>Voucher, valid once: <b>${escapeHtml(basket.code)}</b></p>${button(`${path}/${id}/apply`, 'Use the voucher', input)}
<p><a href="${path}/${id}/total">Total</a></p>`,
      );
    }),
    [`POST ${path}/*`]: forMembers((visit, member) => {
      const [id, action] = partsOf(visit);
      const basket = baskets.get(id);
      if (basket?.member !== member || action !== 'apply') return refused('This is not your basket.');
      const sent = field(visit, 'code');
      // The flaw: used vouchers are compared letter by letter, vouchers are not.
      const used = isSafe ? sent.toUpperCase() : sent;
      if (sent.toUpperCase() !== basket.code) return refused('There is no such voucher.', 400);
      if (basket.used.includes(used)) return refused('This voucher was used.', 409);
      basket.used.push(used);
      return redirect(`${path}/${id}/total`);
    }),
  };
}
