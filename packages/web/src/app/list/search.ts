/** The search part of a list's URL: `q`, `sort` and the list's own filters. */
export type ListSearch = Readonly<Record<string, string | undefined>>;

const MOST_LENGTH = 200;

/** Keeps short texts only: an address may come from anywhere. */
export function readListSearch(search: Record<string, unknown>): ListSearch {
  const texts = Object.entries(search).filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value));
  return Object.fromEntries(texts.map(([name, value]) => [name, String(value).slice(0, MOST_LENGTH)]));
}

export interface Sort {
  id: string;
  isDescending: boolean;
}

/** `severity` or `-severity`. */
export function readSort(text: string | undefined): Sort | undefined {
  if (!text) return undefined;
  return text.startsWith('-') ? { id: text.slice(1), isDescending: true } : { id: text, isDescending: false };
}

export const writeSort = ({ id, isDescending }: Sort): string => (isDescending ? `-${id}` : id);
