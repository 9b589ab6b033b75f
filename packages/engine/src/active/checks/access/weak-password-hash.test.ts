import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openLabs } from '@sortie/testing/engine/labs.ts';
import type { ActiveCheck } from '../../define-active-check.ts';
import type { LabRequest, RequestLab } from '../../lab.ts';
import { digestsOf } from '../../shared/password-digests.ts';
import hash from './weak-password-hash.ts';

const url = '/me?fields=email';
const item: RequestLab['item'] = {
  method: 'GET',
  url,
  parameters: [{ location: 'query', name: 'fields', value: 'email' }],
  hints: [],
  seenAs: null,
  sightings: [{ as: 'alice', url, status: 200 }],
  contentType: 'application/json',
};

/** Returns the fields that the client names. */
const selecting =
  (passwordHash: string) =>
  ({ path, account }: LabRequest) => {
    if (!path.startsWith('/me')) return { status: 404 };
    const person: Record<string, string> = { email: 'alice@shop.test', passwordHash };
    const fields = new URLSearchParams(path.replace(/^[^?]*/, '')).get('fields')?.split(',') ?? [];
    const shown = Object.entries(person).filter(([key]) => account === 'alice' && fields.includes(key));
    return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(Object.fromEntries(shown)) };
  };

const sha1 = digestsOf('alice-of-the-lab').find(({ algorithm }) => algorithm === 'SHA-1')?.hex ?? '';
const check = {
  ...hash,
  id: 'selected-hash',
  lab: () => ({ item, vulnerable: selecting(sha1.toUpperCase()), safe: selecting(`${sha1}:salt`) }),
} as unknown as ActiveCheck;

let labs: Awaited<ReturnType<typeof openLabs>>;
before(async () => {
  labs = await openLabs([check]);
});
after(() => labs.close());

describe('a password hash without a salt', () => {
  it('is found in a field that the client selects', async () => {
    const { isApplied, verified } = await labs.test(check as never, 'vulnerable');
    assert.equal(isApplied, true);
    assert.equal(verified?.confidence, 'CONFIRMED');
  });

  it('is not looked for if the password is the name of the account', () => {
    const isTried = (password: string) =>
      hash.appliesTo(
        { ...item, url: 'http://shop.test/me?fields=email' },
        { inventory: [], accounts: [{ name: 'first', user: 'ali', marks: [], passwordDigests: digestsOf(password) }] },
      );
    assert.ok(isTried('alice-of-the-lab'));
    assert.ok(!isTried('ali'));
  });

  it('is not found where the password has a salt', async () => {
    assert.equal((await labs.test(check as never, 'safe')).verified, undefined);
  });
});
