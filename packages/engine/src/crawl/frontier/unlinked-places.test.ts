import assert from 'node:assert/strict';
import { it } from 'node:test';
import { unlinkedPlaces } from './unlinked-places.ts';

const known = ['/teas/green/7.html', '/teas/black/', '/files/2026/menu.pdf', '/about'].map((path) => ({
  method: 'GET' as const,
  url: `http://shop.test${path}`,
  contentType: 'text/html',
}));
const placesOf = (hasFolders: boolean) =>
  unlinkedPlaces({ targetUrl: 'http://shop.test/', known, technologies: new Set(), hasFolders }).map((url) =>
    url.replace('http://shop.test', ''),
  );

it('looks into the folders above known pages, but not into those that are known', () => {
  const places = placesOf(true);
  assert.deepEqual(
    ['/teas/', '/files/', '/teas/green/', '/files/2026/', '/teas/black/'].map((path) => places.includes(path)),
    [true, true, true, true, false],
  );
});

it('leaves them out where requests are scarce', () => {
  assert.ok(!placesOf(false).some((path) => ['/teas/', '/files/'].includes(path)));
});
