import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { routableUrl, routedPath } from './routable-url.ts';

describe('an address for the router', () => {
  it('stays as it is when it can be decoded', () => {
    for (const url of ['/v1/levels', '/v1/scans/%20?x=%zz', '/%761/a%2Fb', '/a#%zz'])
      assert.equal(routableUrl(url), url);
  });

  it('has only its path escaped when that cannot be decoded', () => {
    const query = '?severity=high%2Clow&x=%zz';
    assert.equal(routableUrl(`/v1/pentests/%zz/findings${query}`), `/v1/pentests/%25zz/findings${query}`);
    assert.equal(routableUrl('/%ff%20#%41'), '/%25ff%2520#%41');
  });

  it('loses its origin', () => {
    assert.equal(routableUrl('http://a.test/v1/levels?x=y'), '/v1/levels?x=y');
    assert.equal(routableUrl('nonsense'), '/');
  });

  it('is compared by its decoded path, in which an encoded slash is no slash', () => {
    assert.equal(routedPath('/%761/foo?bar=/v2'), '/v1/foo');
    assert.equal(routedPath('/v1%2Ffoo#bar'), '/v1%2Ffoo');
  });
});
