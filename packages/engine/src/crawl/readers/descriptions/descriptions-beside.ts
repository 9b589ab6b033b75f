import type { InventoryItem } from '../../inventory/inventory.ts';

const NAMES = ['openapi.json', 'openapi.yaml', 'openapi.yml', 'swagger.json'];
/** Folder names of APIs. */
const API = /^(?:api|rest|v\d+)$/i;
const MOST_FOLDERS = 2;

/** Returns URLs of possible API descriptions below the top level, beside the known requests of an API. */
export function descriptionsBeside(items: readonly InventoryItem[]): string[] {
  const folders = new Set(items.filter(isOfApi).flatMap(foldersOf));
  return [...folders].slice(0, MOST_FOLDERS).flatMap((folder) => NAMES.map((name) => folder + name));
}

const isOfApi = ({ contentType, source }: InventoryItem) => /json/i.test(contentType) && source !== 'openapi';

/** Skips the top level, which is requested on every site. */
function foldersOf({ url }: InventoryItem): string[] {
  const { origin, pathname } = new URL(url);
  const parts = pathname.split('/').slice(1, -1);
  return parts.flatMap((part, index) =>
    index > 0 && API.test(part) ? [`${origin}/${parts.slice(0, index + 1).join('/')}/`] : [],
  );
}
