import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { refuseWithoutScheme } from './refuse-without-scheme.ts';

describe('what is to be scanned', () => {
  for (const text of ['127.0.0.1:4801', 'localhost:8080/', 'example.com/shop', 'exämple.com?q', '[::1]:8080']) {
    it(`lacks its scheme when it is ${text}`, () => {
      assert.throws(() => refuseWithoutScheme(text), /: add http:\/\/ or https:\/\/ in front$/);
    });
  }

  for (const text of ['list', 'view', 'intranet']) {
    it(`is not a domain when it is the word ${text}`, () => {
      assert.throws(
        () => refuseWithoutScheme(text),
        new RegExp(`^CommandError: ${text} is not a domain\\. .*https://`),
      );
    });
  }

  for (const text of [
    'localhost',
    '::1',
    'https://intranet/',
    'https://a.example/',
    'HTTP://127.0.0.1:4801',
    'a.example',
    'ftp://a.example/',
    'user@a.example',
  ]) {
    it(`is left to others to judge when it is ${text}`, () => assert.doesNotThrow(() => refuseWithoutScheme(text)));
  }
});
