import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { createApplication } from '@sortie/testing/targets/login-application.ts';
import { createLoginSites } from '@sortie/testing/targets/login-site.ts';
import { type Browser, openBrowser } from '../../browser/browser.ts';

const { attempt, closeAll } = createLoginSites();
afterEach(closeAll);

let browser: Browser;
before(async () => {
  browser = await openBrowser('/usr/bin/chromium', 'Sortie test', 'preferred');
});
after(() => browser.close());

describe('a login in the browser', () => {
  it('fills in the login of a single-page application, and takes over the token that its scripts send', async () => {
    const { result, redactor, posts } = await attempt(
      createApplication({ keeps: 'storage and headers' }),
      { mode: 'browser' },
      '/',
      { openBrowser: async () => browser },
    );
    assert.ok('proof' in result, JSON.stringify(result));
    assert.match(result.proof.url, /\/rest\/about-me$/);
    assert.equal(posts.length, 1);
    const { request, response } = await result.session.send({ method: 'GET', url: result.proof.url });
    assert.equal(response?.status, 200);
    assert.doesNotMatch(redactor.redact(JSON.stringify(request)), /eyJhbGci/);
    const storage = result.session.storage();
    assert.equal(storage?.origin, new URL(result.proof.url).origin);
    assert.match(JSON.stringify(storage?.local), /eyJhbGci/);
  });
});
