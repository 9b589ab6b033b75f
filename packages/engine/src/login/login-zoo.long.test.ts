import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { account, createLoginSites, type Seen } from '@sortie/testing/targets/login-site.ts';
import { scriptKinds } from '@sortie/testing/targets/logins/scripts.ts';
import { type Browser, openBrowser } from '../browser/browser.ts';

const { attempt, closeAll } = createLoginSites();
afterEach(closeAll);

let browser: Browser;
before(async () => {
  browser = await openBrowser('/usr/bin/chromium', 'Sortie test', 'preferred');
});
after(() => browser.close());

const carries = (pass: string) => (seen: Seen) => seen.text.includes(pass);
const tools = { openBrowser: async () => browser };

describe('mode auto logs in with a browser', () => {
  for (const { name, site, instructions } of scriptKinds) {
    for (const told of [instructions, null]) {
      it(`by ${name}, ${told === null ? 'without' : 'with'} instructions`, async () => {
        const { result, posts } = await attempt(site(), { instructions: told }, '/', tools);
        assert.ok('proof' in result, JSON.stringify(result));
        assert.match(result.proof.url, /\/parcels$/);
        assert.equal(posts.filter(carries(account.pass)).length, 1);
      });
    }

    it(`by ${name}, and says when the password is wrong`, async () => {
      const { code, reason, seen } = await attempt(site(), { pass: 'wrong-password' }, '/', tools);
      assert.equal(code, 'USER_OR_PASSWORD', reason);
      assert.match(reason ?? '', /Check user and password/);
      assert.equal(seen.filter(carries('wrong-password')).length, 1);
    });
  }
});
