import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { operatorHint } from './operator-hint.ts';

const refused = (url: string, message: string) => operatorHint({ url, failure: { code: 'TARGET_REFUSED', message } });

describe('a scan that was refused for its address', () => {
  it('names the exact setting that allows it', () => {
    const hint = refused('http://intranet.example/', 'intranet.example: 10.0.0.5 is not a public address.');
    assert.match(hint, / SORTIE_ALLOW_ADDRESSES=10\.0\.0\.5\/32:80\n$/);
    assert.match(refused('https://[::1]:8443/', '::1 is not a public address.'), /=\[::1\/128\]:8443\n$/);
    assert.match(refused('https://a.example/', '10.0.0.5 is not a public address.'), /=10\.0\.0\.5\/32:443\n$/);
  });

  it('has no such hint when it was refused or failed for another reason', () => {
    assert.equal(refused('https://a.example/', 'The owner of a.example has opted out.'), '');
    const failure = { code: 'CONNECT_FAILED', message: '10.0.0.5 is not a public address.' };
    assert.equal(operatorHint({ url: 'https://a.example/', failure }), '');
  });
});
