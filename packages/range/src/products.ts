import { type Answer, html, type Visit } from './answer.ts';
import { escapeHtml, page, table } from './page.ts';
import type { Product, ShopDatabase } from './shop-database.ts';

function listOf(products: readonly Product[]): string {
  if (products.length === 0) return '<p>Nothing of that kind.</p>';
  return table(
    ['Product', 'Category', 'Price'],
    products.map(({ id, name, category, price }) => [
      `<a href="/product/${escapeHtml(id)}">${escapeHtml(name)}</a>`,
      escapeHtml(category),
      escapeHtml(price),
    ]),
  );
}

export function productPages(database: ShopDatabase) {
  const categoryPage = (visit: Visit, path: string, products: readonly Product[]): Answer => {
    const links = database
      .categories()
      .map((one) => `<a href="${path}?category=${escapeHtml(one)}">${escapeHtml(one)}</a>`);
    return html(page(visit, { title: 'Products', content: `<p>${links.join(' ')}</p>${listOf(products)}` }));
  };
  const searchPage = (visit: Visit, path: string, words: string, echo: string): Answer => {
    const content = `
<form action="${path}"><input name="q" aria-label="Words"> <button>Search</button></form>
<p>You searched for: ${echo}</p>
${listOf(database.productsNamed(words))}`;
    return html(page(visit, { title: 'Search', content }));
  };
  const words = ({ query }: Visit) => query.get('q') ?? '';
  const category = ({ query }: Visit) => query.get('category') ?? '';

  return {
    /** The flaw: SQL injection (see the database), and the page shows the database's error message. */
    ofCategoryUnsafely(visit: Visit): Answer {
      try {
        return categoryPage(visit, '/products', database.productsOfCategoryUnsafely(category(visit)));
      } catch (error) {
        const content = `<p class="problem">SQLite error: ${escapeHtml(error instanceof Error ? error.message : error)}</p>`;
        return html(page(visit, { title: 'Something is wrong', content }), 500);
      }
    },
    ofCategory: (visit: Visit) => categoryPage(visit, '/catalogue', database.productsOfCategory(category(visit))),
    /** The flaw: reflected XSS, because the search words are not escaped. */
    searchUnsafely: (visit: Visit) => searchPage(visit, '/search', words(visit), words(visit)),
    search: (visit: Visit) => searchPage(visit, '/find', words(visit), escapeHtml(words(visit))),
    one(visit: Visit): Answer {
      const product = database.product(visit.id);
      if (!product) return html(page(visit, { title: 'No such product', content: '<p>Sold out for ever.</p>' }), 404);
      const content = `<p>${escapeHtml(product.category)}, ${escapeHtml(product.price)} coins</p>`;
      return html(page(visit, { title: product.name, content }));
    },
  };
}
