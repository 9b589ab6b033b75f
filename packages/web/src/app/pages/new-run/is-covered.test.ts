import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Target } from '@sortie/contract';
import { isCovered } from './is-covered.ts';

const covering = (coveredName: string | null, coveredOrigin: string | null = null) =>
  ({ coveredName, coveredOrigin }) as Target;

describe('a verification', () => {
  it('of a name covers its host and those below it', () => {
    for (const url of ['https://shop.example/', 'http://shop.example:8080/a', 'https://api.shop.example/']) {
      assert.ok(isCovered(covering('shop.example'), url), url);
    }
    for (const url of ['https://elsewhere.example/', 'https://notshop.example/', 'ftp://shop.example/', 'shop']) {
      assert.ok(!isCovered(covering('shop.example'), url), url);
    }
  });

  it('of an origin covers that one', () => {
    const target = covering(null, 'https://shop.example:8443');
    assert.ok(isCovered(target, 'https://shop.example:8443/a'));
    assert.ok(!isCovered(target, 'https://shop.example/'));
  });
});
