/** What an expert reads in a page: its forms, its links and its text. */
export interface Form {
  action: string;
  fields: { name: string; type: string; value: string }[];
  label: string;
}

const attribute = (tag: string, name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? '';

export function formsIn(page: string): Form[] {
  const forms = [...page.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)];
  return forms
    .filter(([, tag = '']) => attribute(tag, 'method').toLowerCase() === 'post')
    .map(([, tag = '', inside = '']) => ({
      action: attribute(tag, 'action'),
      fields: [...inside.matchAll(/<input\b[^>]*>/g)].map(([input]) => ({
        name: attribute(input, 'name'),
        type: attribute(input, 'type') || 'text',
        value: attribute(input, 'value'),
      })),
      label: /<button[^>]*>([^<]*)/.exec(inside)?.[1] ?? '',
    }));
}

export const linksIn = (page: string): string[] =>
  [...page.matchAll(/<a\b[^>]*\bhref="([^"#]+)"/g)].map(([, place = '']) => place);

export const textIn = (page: string): string =>
  page
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** Numbers with the words before them: "Total: 48". */
export const amountsIn = (page: string): { label: string; number: string }[] =>
  [...textIn(page).matchAll(/([A-Za-z]+):\s*(\d+)/g)].map(([, label = '', number = '']) => ({ label, number }));
