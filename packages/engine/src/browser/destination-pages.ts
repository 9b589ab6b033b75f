/**
 * Returns the page numbers of the elements that links within a PDF of Chromium lead to, by their ids. Chromium writes the
 * objects that this needs uncompressed; of another PDF, the result is empty.
 */
export function destinationPages(pdf: Buffer): ReadonlyMap<string, number> {
  const text = pdf.toString('latin1');
  const objects = new Map<string, string>();
  for (const [, id = '', content = ''] of text.matchAll(/\n(\d+) 0 obj\n(<<.*?)\nendobj/gs)) objects.set(id, content);
  const catalog = [...objects.values()].find((content) => content.startsWith('<</Type /Catalog')) ?? '';
  const numbers = new Map(pagesBelow(referenceIn(catalog, 'Pages'), objects).map((id, index) => [id, index + 1]));
  const destinations = objects.get(referenceIn(catalog, 'Dests')) ?? '';
  const pages = new Map<string, number>();
  for (const [, name = '', page = ''] of destinations.matchAll(/\/([\w-]+) \[(\d+) 0 R/g)) {
    const number = numbers.get(page);
    if (number !== undefined) pages.set(name, number);
  }
  return pages;
}

const referenceIn = (content: string, key: string) => new RegExp(`/${key} (\\d+) 0 R`).exec(content)?.[1] ?? '';

/** Returns the ids of the pages in their order. */
function pagesBelow(id: string, objects: ReadonlyMap<string, string>): string[] {
  const content = objects.get(id);
  if (content === undefined) return [];
  if (!content.startsWith('<</Type /Pages')) return [id];
  const [, kids = ''] = /\/Kids \[([^\]]*)\]/.exec(content) ?? [];
  return [...kids.matchAll(/(\d+) 0 R/g)].flatMap(([, kid = '']) => pagesBelow(kid, objects));
}
