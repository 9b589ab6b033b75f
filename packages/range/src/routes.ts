import { type AlsoGiven, accountPages } from './account.ts';
import { aisleLinks } from './aisles.ts';
import { html, json, type Routes, text, type Visit } from './answer.ts';
import { documentNames, openDocument, openDocumentUnsafely } from './documents.ts';
import { leave, leaveUnsafely, partners } from './leave.ts';
import { orderPages } from './orders.ts';
import { escapeHtml, page } from './page.ts';
import { productPages } from './products.ts';
import type { Sessions } from './sessions.ts';
import type { ShopDatabase } from './shop-database.ts';

const link = (path: string, label: string) => `<li><a href="${path}">${escapeHtml(label)}</a></li>`;

function homePage(visit: Visit, { verification, isWhole }: ShopRoutes): string {
  const partner = encodeURIComponent(partners[0] ?? '');
  const content = `
<p>Tents, kettles and lanterns for people who stay at home.</p>
<form action="/search"><input name="q" aria-label="Words"> <button>Search</button></form>
<ul>
${link('/products?category=tents', 'Products by category')}
${link('/catalogue?category=tents', 'The printed catalogue')}
${link('/search?q=tent', 'Search for a tent')}
${link('/find?q=tent', 'Find a tent in the catalogue')}
${documentNames.map((name) => link(`/documents?file=${name}`, `Help: ${name}`)).join('\n')}
${documentNames.map((name) => link(`/help-documents?file=${name}`, `Printable help: ${name}`)).join('\n')}
${link(`/leave?to=${partner}`, 'Leave the shop for our partner')}
${link(`/goodbye?to=${partner}`, 'Goodbye, and off to our partner')}
${link('/api/products', 'All products as JSON')}
${isWhole ? aisleLinks() : ''}
</ul>`;
  const token = verification();
  const head = token ? `<meta name="sortie-verification" content="${escapeHtml(token)}">` : '';
  return page(visit, { title: 'Welcome', content, head });
}

export function notFound(visit: Pick<Visit, 'customer'>) {
  const content = '<p>This shelf is empty.</p><p><a href="/">Back to the entrance</a></p>';
  return html(page(visit, { title: 'Not here', content }), 404);
}

interface ShopRoutes {
  database: ShopDatabase;
  sessions: Sessions;
  verification: () => string | undefined;
  isWhole: boolean;
  alsoGiven: AlsoGiven;
}

export function shopRoutes(options: ShopRoutes): Routes {
  const { database, sessions, verification, alsoGiven } = options;
  const products = productPages(database);
  const account = accountPages(database, sessions, alsoGiven);
  const orders = orderPages(database);
  return {
    'GET /': (visit) => html(homePage(visit, options)),
    'GET /products': products.ofCategoryUnsafely,
    'GET /catalogue': products.ofCategory,
    'GET /search': products.searchUnsafely,
    'GET /find': products.search,
    'GET /product/{id}': products.one,
    'GET /login': account.signInForm,
    'POST /login': account.signIn,
    'GET /logout': account.signOut,
    'GET /orders': orders.list,
    'GET /orders/{id}': orders.oneUnsafely,
    'GET /my-orders/{id}': orders.one,
    'GET /documents': openDocumentUnsafely,
    'GET /help-documents': openDocument,
    'GET /leave': leaveUnsafely,
    'GET /goodbye': leave,
    'GET /api/products': () => json({ products: database.products() }),
    'GET /api/products/{id}': ({ id }) => {
      const product = database.product(id);
      return product ? json(product) : json({ error: 'no such product' }, 404);
    },
    'GET /api/orders': ({ customer }) =>
      customer ? json({ orders: database.ordersOf(customer) }) : json({ error: 'sign in first' }, 401),
    'GET /robots.txt': () => text('User-agent: *\nDisallow: /logout\n'),
    'GET /.well-known/sortie-verification.txt': (visit) => {
      const token = verification();
      return token ? text(`${token}\n`) : notFound(visit);
    },
  };
}
