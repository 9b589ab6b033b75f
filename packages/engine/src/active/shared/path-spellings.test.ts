import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PATH_SPELLINGS } from './path-spellings.ts';

const ORIGIN = 'http://shop.test:8080';

describe('the spellings of a path', () => {
  for (const [name, spell] of Object.entries(PATH_SPELLINGS)) {
    it(`stay at the host: ${name}`, () => {
      for (const path of ['/admin', '/admin/', '/admin/log', '/a/b/c.html', '/x%2fy', '/7', '/'])
        assert.equal(URL.parse(ORIGIN + spell(path))?.origin, ORIGIN, spell(path));
    });

    it(`differ from the usual one: ${name}`, () => assert.notEqual(spell('/admin/log'), '/admin/log'));
  }
});
