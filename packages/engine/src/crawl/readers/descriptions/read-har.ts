import { isRecord } from '../../inventory/example-value.ts';
import type { InventoryItem } from '../../inventory/inventory.ts';
import { resolveUrl } from '../read-page.ts';
import { itemOfRequest } from '../seen-request.ts';
import type { Description } from './description.ts';

const MOST_ENTRIES = 2_000;
const ASSET = /\.(?:png|jpe?g|gif|svg|ico|webp|avif|css|js|mjs|woff2?|ttf|eot|map|mp[34]|webm)$/i;

/** HTTP Archive: requests recorded by a browser or proxy. Their cookies and tokens are not used. */
export function describeHar(document: unknown, documentUrl: string): Description | undefined {
  const log = isRecord(document) ? document.log : undefined;
  const entries = isRecord(log) ? log.entries : undefined;
  if (!Array.isArray(entries)) return undefined;
  const requests = entries.slice(0, MOST_ENTRIES).flatMap((entry) => (isRecord(entry) ? itemOf(entry.request) : []));
  return { format: 'har', bases: [new URL(documentUrl).origin], requestsAt: () => requests };
}

function itemOf(request: unknown): InventoryItem[] {
  if (!isRecord(request)) return [];
  const url = resolveUrl(String(request.url), 'invalid:');
  if (url === undefined || ASSET.test(new URL(url).pathname)) return [];
  const data = isRecord(request.postData) ? request.postData : {};
  const text = typeof data.text === 'string' ? data.text : formOf(data.params);
  const type = typeof data.mimeType === 'string' ? data.mimeType : '';
  const sent = {
    method: String(request.method).toUpperCase(),
    url,
    ...(text !== '' && { headers: [['Content-Type', type] as const], body: Buffer.from(text) }),
  };
  const item = itemOfRequest(sent, { as: null, status: null, contentType: '' });
  return item ? [{ ...item, source: 'description' }] : [];
}

function formOf(params: unknown): string {
  const pairs = (Array.isArray(params) ? params.slice(0, 100) : []).filter(isRecord);
  return new URLSearchParams(
    pairs.map(({ name, value }): [string, string] => [String(name), String(value ?? '')]),
  ).toString();
}
