import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Exchange } from '../http/exchange.ts';
import { createInventory, parametersOf } from './inventory.ts';
import { findPathPoints } from './path-points.ts';

const ORIGIN = 'http://shop.test';

/** Addresses of values in paths, on a site that answers with this text, or not. */
async function pointsAmong(paths: string[], page: (path: string) => string | undefined) {
  const asked: string[] = [];
  const inventory = createInventory(
    paths.map((path) => {
      const url = `${ORIGIN}${path}`;
      return { method: 'GET', url, parameters: parametersOf(url), seenAs: null, contentType: 'text/html' };
    }),
  );
  const visit = async (url: string): Promise<Exchange> => {
    asked.push(new URL(url).pathname);
    const text = page(new URL(url).pathname);
    const body = Buffer.from(text ?? 'There is no such page.');
    return {
      request: { method: 'GET', url, purpose: 'test' },
      response: {
        status: text === undefined ? 404 : 200,
        headers: [['Content-Type', 'text/html']],
        body,
        isCut: false,
      },
      failure: null,
      remote: null,
      firstByteMs: 1,
      durationMs: 1,
    };
  };
  await findPathPoints({ visit, inventory, seenAs: null, baseline: { isNothing: () => false }, word: 'sword' });
  const points = inventory.items().flatMap(({ url, parameters }) => parameters.map(({ name }) => [url, name]));
  return { points, asked };
}

describe('a name at the end of a path', () => {
  it('is a value where any name gets an answer of its own', async () => {
    const hello = (path: string) => (/^\/hello\/[^/]+$/.test(path) ? `Hello, ${path.slice(7)}` : undefined);
    const { points } = await pointsAmong(['/hello/judy', '/'], hello);
    assert.deepEqual(points, [[`${ORIGIN}/hello/judy`, '1']]);
  });

  it('is a value where what is missing is missed in other words', async () => {
    const print = (path: string) => (/^\/print\/[^/]+$/.test(path) ? 'We never had that manual' : undefined);
    const { points } = await pointsAmong(['/print/tent.txt'], print);
    assert.deepEqual(points, [[`${ORIGIN}/print/tent.txt`, '1']]);
  });

  it('is none where nobody knows other names', async () => {
    const { points, asked } = await pointsAmong(['/help/tents', '/help/stoves', '/about'], (path) =>
      ['/help/tents', '/help/stoves', '/about'].includes(path) ? 'Help' : undefined,
    );
    assert.deepEqual(points, []);
    assert.deepEqual(asked, ['/help/sword', '/help/sword/sword']);
  });

  it('is one value where a program reads the rest of a path however long it is', async () => {
    const maze = (path: string) => (path.startsWith('/maze/') ? `<a href="${path}/left">left</a> ${path}` : undefined);
    const { points } = await pointsAmong(['/maze/left', '/maze/left/left', '/maze/right/left'], maze);
    assert.deepEqual(points, [[`${ORIGIN}/maze/left`, '1']]);
  });

  it('is another value where another program reads what follows', async () => {
    const shelf = (path: string) => {
      if (/^\/of\/[^/]+$/.test(path)) return `<h1>All of ${path}</h1>`;
      return /^\/of\/[^/]+\/[^/]+$/.test(path) ? `<p>One thing: ${path}</p>` : undefined;
    };
    const { points } = await pointsAmong(['/of/judy', '/of/judy/tent'], shelf);
    assert.deepEqual(points, [
      [`${ORIGIN}/of/judy`, '1'],
      [`${ORIGIN}/of/judy/tent`, '2'],
    ]);
  });

  it('is not looked for where the folder has numbers', async () => {
    const { asked } = await pointsAmong(['/orders/17', '/orders/new'], () => 'An order');
    assert.deepEqual(asked, []);
  });
});
