import type { InventoryItem } from '../inventory/inventory.ts';

const NAMES = ['openapi.json', 'openapi.yaml', 'openapi.yml', 'swagger.json'];
/** What the folder of an API is called. */
const API = /^(?:api|rest|v\d+)$/i;
const MOST_FOLDERS = 2;

/** Where descriptions lie of APIs that are not at the top of a site: beside the requests that are known of them. */
export function descriptionsBeside(items: readonly InventoryItem[]): string[] {
  const folders = new Set(items.filter(isOfApi).flatMap(foldersOf));
  return [...folders].slice(0, MOST_FOLDERS).flatMap((folder) => NAMES.map((name) => folder + name));
}

const isOfApi = ({ contentType, source }: InventoryItem) => /json/i.test(contentType) && source !== 'openapi';

/** Those at the top are asked for on every site. */
function foldersOf({ url }: InventoryItem): string[] {
  const { origin, pathname } = new URL(url);
  const parts = pathname.split('/').slice(1, -1);
  return parts.flatMap((part, index) =>
    index > 0 && API.test(part) ? [`${origin}/${parts.slice(0, index + 1).join('/')}/`] : [],
  );
}
