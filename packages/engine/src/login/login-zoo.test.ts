import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { account, createLoginSites, type Seen } from '@sortie/testing/targets/login-site.ts';
import { apiKinds } from '@sortie/testing/targets/logins/apis.ts';
import { formKinds } from '@sortie/testing/targets/logins/forms.ts';
import { graphqlKinds } from '@sortie/testing/targets/logins/graphql.ts';
import type { LoginKind } from '@sortie/testing/targets/logins/kit.ts';
import { soapKinds } from '@sortie/testing/targets/logins/soap.ts';

const { attempt, closeAll } = createLoginSites();
afterEach(closeAll);

const MOST_REFUSED = 3;
const carries = (pass: string) => (seen: Seen) =>
  seen.text.includes(pass) || (seen.headers.authorization ?? '').startsWith('Basic ');
const accountOf = ({ user, totpSecret }: LoginKind) => ({
  user: user ?? account.user,
  totpSecret: totpSecret ?? null,
});

describe('mode auto logs in', () => {
  for (const kind of [...formKinds, ...apiKinds, ...graphqlKinds, ...soapKinds]) {
    const { name, site, instructions, needs, wrong = /Check user and password/ } = kind;

    it(`by ${name}, with instructions`, async () => {
      const { result } = await attempt(site(), { ...accountOf(kind), instructions });
      assert.ok('proof' in result, JSON.stringify(result));
      const again = await attempt(site(), { ...accountOf(kind), instructions, mode: result.mode });
      assert.ok('proof' in again.result, JSON.stringify(again.result));
    });

    it(`by ${name}, ${needs ? 'or says what to write in the instructions' : 'without instructions'}`, async () => {
      const { result, reason, seen } = await attempt(site(), accountOf(kind));
      if (needs) assert.match(reason ?? '', needs);
      else assert.ok('proof' in result, JSON.stringify(result));
      if (needs) assert.ok(seen.filter(carries(account.pass)).length <= 2 * MOST_REFUSED);
    });

    it(`by ${name}, and says when the password is wrong`, async () => {
      const { code, reason, seen } = await attempt(site(), {
        ...accountOf(kind),
        instructions,
        pass: 'wrong-password',
      });
      assert.equal(code, 'USER_OR_PASSWORD', reason);
      assert.match(reason ?? '', wrong);
      assert.equal(seen.filter(carries('wrong-password')).length, 1);
    });
  }
});
