import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nonce, observed } from '@sortie/testing/engine/judging.ts';
import type { Parameter } from '../../../crawl/inventory/inventory.ts';
import type { Asking } from '../../define-active-check.ts';
import type { PointRequest } from '../../insertion-point.ts';
import { createRunMemory } from '../../run-memory.ts';
import check from './reflected-xss.ts';

const known = { inventory: [], accounts: [] };
const pointAt = (url: string, parameter: Parameter) => ({
  item: { method: 'GET' as const, url, parameters: [parameter], seenAs: null, contentType: 'text/html' },
  parameter,
});
const inPath = pointAt('http://shop.test/missing-page', { location: 'path', name: '0', value: 'missing-page' });
const inQuery = pointAt('http://shop.test/?q=tea', { location: 'query', name: 'q', value: 'tea' });

/** Returns the payloads tried on a page that shows the decoded URL without encoding. */
async function payloadsAt(point: typeof inPath) {
  const ask = async ({ url }: PointRequest) =>
    observed({ headers: { 'content-type': 'text/html' }, body: `<p>No page at ${decodeURIComponent(url)}</p>` });
  return (await check.probe?.(point, nonce, { ask, memory: createRunMemory() } as unknown as Asking)) ?? [];
}
const sentFor = (point: typeof inPath, payload: { text: string; isPath?: boolean }) => {
  const planned = check.proof.plan(point, payload, nonce, known);
  return planned?.attack.request.url.slice('http://shop.test'.length) ?? '';
};

describe('reflected XSS in a path', () => {
  it('is tried with payloads for paths as well, in other places without them', async () => {
    assert.ok((await payloadsAt(inPath)).some(({ isPath }) => isPath));
    const others = await payloadsAt(inQuery);
    assert.ok(others.length > 0 && !others.some(({ isPath }) => isPath));
  });

  it('keeps the slashes of such a payload and encodes what would end or change the path', () => {
    const url = sentFor(inPath, { text: `<svg/onload=CALL>"?#% \\`, isPath: true });
    const { pathname, search, hash } = new URL(url, 'http://shop.test');
    assert.match(url, /^\/%3Csvg\/onload%3D[^<>"?#\s\\]*%3E%22%3F%23%25%20%5C$/);
    assert.match(
      decodeURIComponent(pathname),
      new RegExp(`^/<svg/onload=\\w+\\(/${nonce.word}/\\.source\\)>"\\?#% \\\\$`),
    );
    assert.deepEqual([search, hash], ['', '']);
  });

  it('encodes the slashes of other payloads, which are one segment', () => {
    const url = sentFor(inPath, { text: '<img/src/onerror=CALL>' });
    assert.equal(url.lastIndexOf('/'), 0);
    assert.match(decodeURIComponent(url), /^\/<img\/src\/onerror=/);
  });
});
