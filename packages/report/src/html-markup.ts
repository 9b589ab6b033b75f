/** Markup that is safe to write as it is: only `html` makes it. */
export interface Markup {
  markup: string;
}

type Part = string | number | null | undefined | false | Markup | readonly Markup[];

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character] ?? '');

function write(part: Part): string {
  if (part === null || part === undefined || part === false) return '';
  if (typeof part === 'string' || typeof part === 'number') return escapeHtml(String(part));
  return 'markup' in part ? part.markup : part.map(({ markup }) => markup).join('');
}

/** Whatever is put into it is escaped, for text and for quoted attributes, unless it is markup itself. */
export function html(pieces: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return { markup: pieces.map((piece, index) => piece + write(parts[index])).join('') };
}

/** For what is our own and no text of others: the style sheet. */
export const asMarkup = (markup: string): Markup => ({ markup });
