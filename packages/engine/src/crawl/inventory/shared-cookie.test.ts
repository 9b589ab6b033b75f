import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { belongsTo, readCookie } from './shared-cookie.ts';

const PAGE = 'http://shop.test/stock/list?page=1';

describe('a cookie that the target sets', () => {
  it('is kept with its path, by default that of the page', () => {
    const setBy = 'http://shop.test/stock/list';
    assert.deepEqual(readCookie('view=a%20b', PAGE), { name: 'view', value: 'a b', path: '/stock', setBy });
    assert.deepEqual(readCookie('view=a; Secure; Path=/api ; HttpOnly', PAGE)?.path, '/api');
    assert.equal(readCookie('view=a', 'http://shop.test/')?.path, '/');
    assert.equal(readCookie('view=a; path=relative', PAGE)?.path, '/stock');
    assert.equal(readCookie('no cookie', PAGE), undefined);
    assert.equal(readCookie(`view=${'a'.repeat(101)}`, PAGE), undefined);
  });

  it('belongs to the requests that a browser sends it with', () => {
    const cookie = readCookie('view=a; path=/stock', PAGE);
    assert.ok(cookie);
    const belongs = (path: string) => belongsTo(cookie, `http://shop.test${path}`);
    assert.deepEqual(['/stock', '/stock/', '/stock/7', '/stock?q=1'].map(belongs), [true, true, true, true]);
    assert.deepEqual(['/', '/stocks', '/api/stock'].map(belongs), [false, false, false]);
    assert.equal(belongsTo(cookie, 'http://other.test/stock'), false);
  });
});
