import type { InventoryItem } from '../../inventory/inventory.ts';
import { resolveUrl } from '../read-page.ts';

/** A description of an API, in any of the formats that `readDescription` recognizes. */
export interface Description {
  format: 'openapi' | 'postman' | 'har' | 'graphql' | 'wsdl' | 'listing';
  /** Base URLs without a slash at the end, the most likely one first; they may be out of scope. */
  bases: string[];
  /** Returns the described requests below a base URL, with example values. Formats with whole URLs ignore the base. */
  requestsAt(base: string): InventoryItem[];
}

const MOST_FOLDERS = 3;
const MOST_TOLD = 5;

/** Returns a base URL without its query and its last slash; undefined if it is invalid. */
export function baseOf(reference: string, documentUrl: string): string | undefined {
  const url = resolveUrl(reference, documentUrl);
  return url?.replace(/[?#].*$/s, '').replace(/\/+$/, '');
}

/**
 * Returns the base URLs to try: each one that the document names, as written and at the document's own origin, because
 * descriptions often name a development or production host; then the origin and the folders of the document.
 */
export function basesOf(told: readonly string[], documentUrl: string): string[] {
  const { origin, pathname } = new URL(documentUrl);
  const named = told.slice(0, MOST_TOLD).flatMap((each) => {
    const base = baseOf(each, documentUrl);
    return base === undefined ? [] : [base, origin + new URL(base).pathname.replace(/\/+$/, '')];
  });
  const parts = pathname.split('/').slice(1, -1).slice(0, MOST_FOLDERS);
  const folders = parts.map((_, index) => `${origin}/${parts.slice(0, index + 1).join('/')}`);
  return [...new Set([...named, origin, ...folders])];
}
