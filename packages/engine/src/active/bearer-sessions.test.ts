import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { openLabs } from '@sortie/testing/engine/labs.ts';
import afterLogout from './checks/login/session-survives-logout.ts';
import afterChange from './checks/login/session-survives-password-change.ts';
import type { ActiveCheck } from './define-active-check.ts';
import { tokenMembersLab } from './labs/token-members.ts';
import { endsSession } from './shared/ends-session.ts';
import { inventedLike } from './shared/own-token.ts';

type Rules = Parameters<typeof tokenMembersLab>[0]['vulnerable'];

const closing: (() => Promise<void>)[] = [];
after(async () => {
  for (const close of closing) await close();
});

/** Resolves to the confidence that the check gives at an API with these rules; undefined without a finding. */
async function confidenceAt(check: ActiveCheck, rules: Rules) {
  const at = { ...check, lab: () => tokenMembersLab({ vulnerable: rules, safe: {} }) } as ActiveCheck;
  const labs = await openLabs([at]);
  closing.push(labs.close);
  const { isApplied, verified, requests } = await labs.test(at as never, 'vulnerable');
  assert.ok(isApplied && requests <= check.maxRequests, `${requests} requests`);
  return verified?.confidence;
}

describe('a token', () => {
  it('that stays valid after the logout is proved by the data that it still returns', async () => {
    assert.equal(await confidenceAt(afterLogout as ActiveCheck, { keepsToken: true }), 'CONFIRMED');
    assert.equal(await confidenceAt(afterLogout as ActiveCheck, {}), undefined);
  });

  it('is not proved by a response that says whose session has ended', async () => {
    assert.equal(await confidenceAt(afterLogout as ActiveCheck, { namesEnded: true }), undefined);
    assert.equal(await confidenceAt(afterChange as ActiveCheck, { namesEnded: true }), undefined);
  });

  it('is likely at most where the logout takes any token', async () => {
    assert.equal(await confidenceAt(afterLogout as ActiveCheck, { keepsToken: true, takesAnyLogout: true }), 'FIRM');
  });

  it('proves nothing where an invented one returns the same', async () => {
    assert.equal(await confidenceAt(afterLogout as ActiveCheck, { keepsToken: true, takesAnyToken: true }), undefined);
    assert.equal(await confidenceAt(afterChange as ActiveCheck, { keepsOthers: true, takesAnyToken: true }), undefined);
  });

  it('that stays valid after a password change is proved by the data that it still returns', async () => {
    assert.equal(await confidenceAt(afterChange as ActiveCheck, { keepsOthers: true }), 'CONFIRMED');
    assert.equal(await confidenceAt(afterChange as ActiveCheck, {}), undefined);
  });

  it('is invented in the form of another one', () => {
    assert.equal(inventedLike('aZ9-z0'), 'bA0-a1');
    assert.equal(inventedLike('eyJh.eyJz.ab9_'), 'eyJh.eyJz.bc0_');
  });
});

describe('a request that ends a session', () => {
  const ends = (method: string, path: string, name?: string) =>
    endsSession({
      method,
      url: `http://shop.test${path}`,
      parameters: name === undefined ? [] : [{ location: 'json', name, value: '7' }],
    });

  it('names nothing but the session', () => {
    assert.ok(ends('POST', '/api/auth/logout') && ends('POST', '/users/sign_out') && ends('DELETE', '/api/session'));
    assert.ok(!ends('POST', '/api/logout', '/user') && !ends('POST', '/api/logout?user=7'));
    assert.ok(!ends('DELETE', '/api/sessions') && !ends('POST', '/admin/logout') && !ends('POST', '/all/logout'));
    assert.ok(!ends('POST', '/logout/history') && !ends('POST', '/api/session'));
  });
});
