import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { safeReturnPath } from './return-path.ts';

const ORIGIN = 'http://localhost:4800';

describe('the way back after a sign-in', () => {
  it('keeps a path of this service with its query', () => {
    assert.equal(safeReturnPath('/accounts/acc_1/runs?q=a#b', ORIGIN), '/accounts/acc_1/runs?q=a#b');
  });

  it('never leads to another site, to a script or to an endpoint', () => {
    const elsewhere = [
      '//evil.example',
      '/\\evil.example',
      '\\\\evil.example',
      'https://evil.example/',
      'javascript:alert(1)',
      '/.//evil.example',
      '/..//evil.example',
      '/a/%2e%2e//evil.example',
      '/\t/evil.example',
      '/\n/evil.example',
      '/api/auth/sign-out',
      '/sign-in?to=/',
      '',
      undefined,
      ['/a'],
    ];
    for (const wanted of elsewhere) assert.equal(safeReturnPath(wanted, ORIGIN), '/', String(wanted));
  });
});
