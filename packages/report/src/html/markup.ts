/** Markup that needs no escaping: only `html` and `asMarkup` create it. */
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

/** Escapes every interpolated value for text and quoted attributes, unless it is markup. */
export function html(pieces: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return { markup: pieces.map((piece, index) => piece + write(parts[index])).join('') };
}

/** Marks trusted text as markup. Only for our own content, such as the style sheet. */
export const asMarkup = (markup: string): Markup => ({ markup });
