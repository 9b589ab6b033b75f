import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { endpoints } from '@sortie/contract';
import { createClient } from '@sortie/sdk';
import { assertRefused } from '@sortie/testing/http/assert-answer.ts';
import { get, parseAnswer } from '@sortie/testing/world/pentests.ts';
import { createTarget, manyRequests, type Target } from '@sortie/testing/world/starts.ts';
import { createWorld, type Member, type World } from '@sortie/testing/world/world.ts';

let world: World;
let baseUrl: string;
let owner: Member;
let shop: Target;

before(async () => {
  world = await createWorld({ env: manyRequests, flags: ['--no-demo', '--role', 'api'] });
  baseUrl = world.server.baseUrl;
  owner = await world.createMember();
  shop = await createTarget(world.admin, owner, 'https://shop.example.test/start');
});
after(() => world.end());

const listOf = async (caller: Member, query: Record<string, string> = {}) =>
  parseAnswer(endpoints.listTargets, await get(baseUrl, caller, '/v1/targets', query));
const targetOf = async (caller: Member, id: string) =>
  parseAnswer(endpoints.getTarget, await get(baseUrl, caller, `/v1/targets/${id}`));
const keyOf = async (caller: Member) => parseAnswer(endpoints.getKey, await get(baseUrl, caller, '/v1/key'));

describe('GET /v1/targets/{verificationId}', () => {
  it('answers what decides about a start, and nothing that proves or names a person', async () => {
    await world.admin.target.rules({
      id: shop.verificationId,
      exclude: ['/private'],
      rate: '5',
      window: '22:00-04:00',
      contact: 'ops@example.test',
    });
    const target = await targetOf(owner, shop.verificationId);
    assert.deepEqual(target, {
      verificationId: shop.verificationId,
      origin: 'https://shop.example.test',
      method: 'attestation',
      coveredName: null,
      coveredOrigin: 'https://shop.example.test',
      verified: true,
      verifiedAt: target.verifiedAt,
      expiresAt: target.expiresAt,
      apiRuns: true,
      rules: { excludedPaths: ['/private'], requestsPerSecond: 5, window: { from: '22:00', to: '04:00' } },
      createdAt: target.createdAt,
    });
    assert.ok(String(target.expiresAt) > String(target.verifiedAt));
  });

  it('says of an incomplete verification that it is none', async () => {
    const url = 'https://new.example.test/';
    const { verificationId } = await world.admin.target.add({ account: owner.accountId, url, method: 'file' });
    const { verified, verifiedAt, expiresAt, apiRuns } = await targetOf(owner, verificationId);
    assert.deepEqual(
      { verified, verifiedAt, expiresAt, apiRuns },
      {
        verified: false,
        verifiedAt: null,
        expiresAt: null,
        apiRuns: false,
      },
    );
  });

  it('answers 404 for a verification that the account does not have, of whatever form', async () => {
    const stranger = await world.createMember();
    const foreign = await createTarget(world.admin, stranger);
    for (const id of ['unknown', foreign.verificationId, 'x'.repeat(5_000), '%00', "'"]) {
      assertRefused(await get(baseUrl, owner, `/v1/targets/${id}`), 'NOT_FOUND');
    }
  });
});

describe('GET /v1/targets', () => {
  it('lists oldest first, page by page, what the account has', async () => {
    const account = await world.createMember();
    assert.deepEqual(await listOf(account), { targets: [], nextOffset: null });
    const ids: string[] = [];
    for (let made = 0; made < 3; made++) ids.push((await createTarget(world.admin, account)).verificationId);
    const all = await listOf(account);
    assert.deepEqual([all.targets.map((target) => target.verificationId), all.nextOffset], [ids, null]);
    const first = await listOf(account, { limit: '2' });
    assert.deepEqual([first.targets, first.nextOffset], [all.targets.slice(0, 2), 2]);
    const second = await listOf(account, { limit: '2', offset: '2' });
    assert.deepEqual([second.targets, second.nextOffset], [all.targets.slice(2), null]);
    assert.deepEqual(await targetOf(account, ids[0] ?? ''), all.targets[0]);
  });

  for (const role of ['MEMBER', 'VIEWER'] as const) {
    it(`lists only assigned targets for a ${role}; others are FORBIDDEN`, async () => {
      const member = await world.createMember({ accountId: owner.accountId, role });
      assert.deepEqual(await listOf(member), { targets: [], nextOffset: null });
      assertRefused(await get(baseUrl, member, `/v1/targets/${shop.verificationId}`), 'FORBIDDEN');
      await world.admin.target.assign({ id: shop.verificationId, user: member.userId });
      const expected = await targetOf(owner, shop.verificationId);
      assert.deepEqual(await listOf(member), { targets: [expected], nextOffset: null });
      assert.deepEqual(await targetOf(member, shop.verificationId), expected);
    });
  }
});

describe('GET /v1/key', () => {
  it('answers id, name, permissions, account, environment and budget of the key', async () => {
    const capped = await world.createKey(owner, { permissions: 'scans:read,pentests:write', budget: '500' });
    const key = await keyOf(capped);
    assert.deepEqual(key, {
      id: capped.apiKeyId,
      name: key.name,
      permissions: ['scans:read', 'pentests:write'],
      role: 'OWNER',
      account: { id: owner.accountId, name: 'Test account', kind: 'organization' },
      environment: 'test',
      budget: { limit: 500, used: 0, remaining: 500, resetsAt: key.budget?.resetsAt },
      expiresAt: null,
      createdAt: key.createdAt,
    });
    assert.equal((await keyOf(owner)).budget, null);
  });

  it("lists of the key's permissions those that the role of its creator has", async () => {
    const viewer = await world.createMember({ accountId: owner.accountId, role: 'VIEWER' });
    const { permissions, role } = await keyOf(viewer);
    assert.deepEqual([role, permissions], ['VIEWER', ['credits:read', 'scans:read', 'pentests:read']]);
  });
});

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

it('the SDK reads targets, scans and the key', async () => {
  const client = createClient({ baseUrl, apiKey: owner.apiKey });
  const { data: started } = await client.scans.start({ url: 'https://www.example.com/' });
  assert.deepEqual(
    (await client.scans.list({ limit: 1 })).data.scans.map((scan) => scan.id),
    [started.id],
  );
  const scans = await collect(client.scans.listAll());
  assert.deepEqual(scans.at(0), (await client.scans.get(started.id)).data);
  const targets = await collect(client.targets.listAll({ limit: 1 }));
  assert.deepEqual(targets, (await client.targets.list()).data.targets);
  assert.equal((await client.targets.get(shop.verificationId)).data.origin, 'https://shop.example.test');
  assert.equal((await client.key.get()).data.id, owner.apiKeyId);
});
