import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createPeople, type People, type Person } from '@sortie/testing/dashboard/people.ts';
import { call } from '@sortie/testing/http/call.ts';
import { assertRefusedInDashboard } from '@sortie/testing/http/visitor.ts';
import { createTarget } from '@sortie/testing/world/starts.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

const account = { name: 'customer', user: 'ada@example.com', pass: 'correct-horse-battery' };

let world: World;
let people: People;
let shop: Awaited<ReturnType<typeof createTarget>>;
before(async () => {
  // Without a worker, which alone could try a login.
  world = await createWorld();
  people = await createPeople(world);
  shop = await createTarget(world.admin, people);
});
after(() => world.end());

const pathFor = ({ verificationId }: { verificationId: string }) =>
  `/api/accounts/${people.accountId}/targets/${verificationId}/login-try`;

const tryLogin = (person: Person, target: typeof shop, credential: unknown) =>
  person.call(pathFor(target), { method: 'POST', body: { targetUrl: target.targetUrl, credential } });

describe('a login that is tried before a run', () => {
  it('is refused at a target that is not verified, not assigned or not covered', async () => {
    const added = await people.OWNER.call(`/api/accounts/${people.accountId}/targets`, {
      method: 'POST',
      body: { url: shop.targetUrl, method: 'file' },
    });
    const { verificationId } = added.body as { verificationId: string };
    const unverified = await tryLogin(people.OWNER, { ...shop, verificationId }, account);
    assertRefusedInDashboard(unverified, 'FORBIDDEN');
    assert.match(unverified.text, /is not complete/);
    assertRefusedInDashboard(await tryLogin(people.MEMBER, shop, account), 'FORBIDDEN');
    assertRefusedInDashboard(await tryLogin(people.VIEWER, shop, account), 'FORBIDDEN');
    const outside = { ...shop, targetUrl: 'https://elsewhere.example.org/' };
    assertRefusedInDashboard(await tryLogin(people.OWNER, outside, account), 'FORBIDDEN');
    assertRefusedInDashboard(await tryLogin(people.STRANGER, shop, account), 'NOT_FOUND');
  });

  it('names the field of an account that cannot be one', async () => {
    const refused = await tryLogin(people.OWNER, shop, { ...account, kind: 'COOKIE', mode: 'form' });
    assertRefusedInDashboard(refused, 'VALIDATION_ERROR');
    assert.equal(refused.body?.field, 'credential.mode', refused.text);
  });

  it('is told to be impossible without a worker, and is tried five times an hour for a target at all nodes', async () => {
    const target = await createTarget(world.admin, people);
    const body = { targetUrl: target.targetUrl, credential: account };
    const tryOnce = () => tryLogin(people.OWNER, target, account);
    for (let tries = 0; tries < 5; tries++) {
      const { status, body: result, text } = await tryOnce();
      assert.deepEqual([status, result?.outcome, result?.loggedIn], [200, 'UNAVAILABLE', false], text);
    }
    const sixth = await tryOnce();
    assertRefusedInDashboard(sixth, 'RATE_LIMITED');
    assert.match(sixth.text, /5 times within an hour/);
    const { baseUrl } = await world.addServer();
    const elsewhere = await call(baseUrl + pathFor(target), {
      method: 'POST',
      headers: { cookie: people.OWNER.cookie(), origin: baseUrl },
      body,
    });
    assertRefusedInDashboard(elsewhere, 'RATE_LIMITED');
    const other = await tryLogin(people.OWNER, await createTarget(world.admin, people), account);
    assert.equal(other.status, 200, 'another target has tries of its own');
  });
});
