import { createCipheriv, randomBytes } from 'node:crypto';
import { type Answer, html, type Routes, redirect, text, type Visit, withHeaders } from '../answer.ts';
import { escapeHtml, page } from '../page.ts';
import { createShelf } from '../services.ts';

/** Pages without a flaw that lead to the forms and exports. */
export const stallPages = [
  '/kettles',
  '/kettles/basket',
  '/pans',
  '/pans/basket',
  '/contacts/all.csv',
  '/helpers/all.csv',
];

const LONGEST = 60;
const MOST = 50;
const PRICE = '25';

type OfCustomer = (visit: Visit, customer: string) => Answer;
const forCustomer =
  (handler: OfCustomer) =>
  (visit: Visit): Answer =>
    visit.customer === undefined ? redirect('/login') : handler(visit, visit.customer);
const sent = ({ form }: Visit, name: string) => (form.get(name) ?? '').slice(0, LONGEST);

function counter(path: string, title: string, priceOf: (visit: Visit) => string): Routes {
  const orders = createShelf<string[]>();
  const form = `<form method="post" action="${path}/order"><input type="hidden" name="price" value="${PRICE}">
<input name="pieces" value="1"><button>Put into the basket</button></form>`;
  return {
    [`GET ${path}`]: (visit) => html(page(visit, { title, content: `<p>${PRICE} coins each.</p>${form}` })),
    [`POST ${path}/order`]: forCustomer((visit, customer) => {
      const entry = `${sent(visit, 'pieces')} pieces at ${priceOf(visit)} coins`;
      orders.put([...(orders.get(customer) ?? []), entry].slice(-MOST), customer);
      return redirect(`${path}/basket`);
    }),
    [`GET ${path}/basket`]: forCustomer((visit, customer) => {
      const entries = (orders.get(customer) ?? []).map((entry) => `<li>${escapeHtml(entry)}</li>`);
      return html(page(visit, { title: `${title}: basket`, content: `<ul>${entries.join('')}</ul>` }));
    }),
  };
}

function contacts(path: string, cellOf: (value: string) => string): Routes {
  const rows = createShelf<string[]>();
  return {
    [`POST ${path}/add`]: forCustomer((visit, customer) => {
      rows.put([...(rows.get(customer) ?? []), sent(visit, 'remark')].slice(-MOST), customer);
      return html(page(visit, { title: 'Contacts', content: '<p>Noted.</p>' }));
    }),
    [`GET ${path}/all.csv`]: forCustomer((_visit, customer) => {
      const lines = (rows.get(customer) ?? []).map(
        (row, index) => `${index + 1},"${cellOf(row).replaceAll('"', '""')}"`,
      );
      return withHeaders(text(['number,remark', ...lines].join('\r\n')), { 'content-type': 'text/csv' });
    }),
  };
}

/** A page behind a cache that keeps one copy for each key. */
function cached(keyOf: (visit: Visit) => string): (visit: Visit) => Answer {
  const copies = createShelf<Answer>();
  return (visit) => {
    const copy = copies.get(keyOf(visit));
    if (copy) return withHeaders(copy, { 'x-cache': 'HIT' });
    const host = String(visit.headers['x-host'] ?? 'shop.example').slice(0, LONGEST);
    const content = `<p>Come to <a href="https://${escapeHtml(host)}/fair">the fair</a>.</p>`;
    const answer = html(page({ customer: undefined }, { title: 'Fair', content }));
    copies.put(answer, keyOf(visit));
    return withHeaders(answer, { 'x-cache': 'MISS' });
  };
}

const REGISTERED = 'https://partner.example/callback';

const authorize = (isAllowed: (address: string) => boolean) =>
  forCustomer((visit) => {
    const address = visit.query.get('redirect_uri') ?? '';
    if (!URL.canParse(address) || !isAllowed(address))
      return html(page(visit, { title: 'Unknown partner', content: '<p class="problem">Who is that?</p>' }), 400);
    const target = new URL(address);
    target.searchParams.set('code', randomBytes(8).toString('hex'));
    target.searchParams.set('state', visit.query.get('state') ?? '');
    return redirect(target.href, 302);
  });

const KEY = randomBytes(32);
const NONCE = randomBytes(16);

/** Shows the letter encrypted, for messengers. */
const seal =
  (nonceOf: () => Buffer, isPlainShown = false) =>
  (visit: Visit): Answer => {
    const letter = sent(visit, 'letter');
    const nonce = nonceOf();
    const sealed = Buffer.concat([nonce, createCipheriv('aes-256-ctr', KEY, nonce).update(letter)]);
    const plain = isPlainShown ? `<pre>${Buffer.from(letter).toString('base64')}</pre>` : '';
    return html(page(visit, { title: 'Sealed', content: `<pre>${sealed.toString('base64')}</pre>${plain}` }));
  };

export function stallRoutes(): Routes {
  return {
    ...counter('/kettles', 'Kettles', (visit) => sent(visit, 'price')),
    ...counter('/pans', 'Pans', () => PRICE),
    ...contacts('/contacts', (value) => value),
    ...contacts('/helpers', (value) => (/^[=+\-@\t\r]/.test(value) ? `'${value}` : value)),
    'GET /poster': cached(({ url }) => url),
    'GET /placard': cached(({ url, headers }) => `${url} ${headers['x-host'] ?? ''}`),
    /** The flaw: the name of another host can begin alike. */
    'GET /oauth/authorize': authorize((address) => address.startsWith('https://partner.example')),
    'POST /letters/seal': seal(() => NONCE),
    'POST /parcels/seal': seal(() => randomBytes(16), true),
    'GET /openid/authorize': authorize((address) => address === REGISTERED),
  };
}
