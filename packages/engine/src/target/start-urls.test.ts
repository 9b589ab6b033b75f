import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startUrls } from './start-urls.ts';

const rules = (...excludedPaths: string[]) => ({ excludedPaths });

describe('the start of a run', () => {
  it('is the target URL unless an excluded path contains it', () => {
    assert.deepEqual(startUrls('https://shop.example/a/b?c=1', rules('/private')), ['https://shop.example/a/b?c=1']);
  });

  it('is the nearest folder above an excluded path', () => {
    assert.deepEqual(startUrls('https://shop.example/a/private/b', rules('/a/private')), [
      'https://shop.example/a/',
      'https://shop.example/',
    ]);
  });

  it('does not exist on a site that is excluded as a whole', () => {
    assert.deepEqual(startUrls('https://shop.example/a', rules('/')), []);
  });

  for (const path of ['//private/x', '//evil.example/private/x', '///private/x']) {
    it(`stays on the host of the target for the path ${path}`, () => {
      const found = startUrls(
        `https://shop.example${path}`,
        rules('/private', '//private', '//evil.example', '///private'),
      );
      assert.ok(found.every((url) => new URL(url).host === 'shop.example'));
    });
  }
});
