import type { Visit } from './answer.ts';

const STYLE = `
  body { font: 16px/1.5 system-ui, sans-serif; margin: 0; color: #222; background: #f6f5f1; }
  header { background: #24413a; color: #fff; padding: 0.8rem 1.5rem; }
  header a { color: #fff; margin-right: 1rem; }
  header strong { margin-right: 2rem; }
  main { max-width: 46rem; margin: 1.5rem auto; padding: 0.5rem 1.5rem 1.5rem; background: #fff; border-radius: 8px; }
  table { border-collapse: collapse; width: 100%; }
  td, th { text-align: left; padding: 0.35rem 0.5rem; border-bottom: 1px solid #ddd; }
  input, button { font: inherit; padding: 0.3rem 0.5rem; }
  .problem { color: #a11; }
  footer { text-align: center; color: #666; font-size: 0.85rem; padding-bottom: 1rem; }
`;

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export const escapeHtml = (value: unknown): string =>
  String(value).replace(/[&<>"']/g, (character) => escapes[character] ?? character);

interface Page {
  title: string;
  /** HTML, with untrusted parts already escaped. */
  content: string;
  /** HTML for the head. */
  head?: string;
}

export function page({ customer }: Pick<Visit, 'customer'>, { title, content, head = '' }: Page): string {
  const account = customer
    ? `<a href="/orders">My orders</a><a href="/logout">Sign out ${escapeHtml(customer)}</a>`
    : '<a href="/login">Sign in</a>';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
${head}
<title>${escapeHtml(title)} - The Range</title>
<style>${STYLE}</style>
</head>
<body>
<header><strong>The Range</strong><a href="/">Home</a><a href="/products?category=tents">Products</a>${account}</header>
<main>
<h1>${escapeHtml(title)}</h1>
${content}
</main>
<footer>A shop that sells nothing. It is broken on purpose: do not put it on a network.</footer>
</body>
</html>
`;
}

/** Cells are HTML, with untrusted parts already escaped. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = headings.map((heading) => `<th>${escapeHtml(heading)}</th>`).join('');
  const body = rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('\n');
  return `<table><tr>${head}</tr>\n${body}\n</table>`;
}
