import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Severity } from '@sortie/contract';
import { assertCarriesHeaders, assertRefused } from '@sortie/testing/http/assert-answer.ts';
import { serviceNow } from '@sortie/testing/inside/server.ts';
import { addFinding, complete, createScanning, scanWorld } from '@sortie/testing/world/scans.ts';
import { createTarget, grantCredits, start } from '@sortie/testing/world/starts.ts';
import { createWorld, type Member, type World } from '@sortie/testing/world/world.ts';

let world: World;
let owner: Member;
before(async () => {
  world = await createWorld(scanWorld);
  owner = await world.createMember();
});
after(() => world.end());

const { get, started, readScan, assign } = createScanning(() => world);

describe('GET /v1/scans/{id} answers 200', () => {
  it('with every field of a scan that is STARTED, and nothing else', async () => {
    const earliest = await serviceNow(world.testDatabase.database.queries);
    const id = await started(owner, 'https://www.example.co.uk:8443/shop?tab=1#top');
    const answer = await get(`/v1/scans/${id}`, owner);
    assert.equal(answer.status, 200);
    assertCarriesHeaders(answer);
    const { createdAt, ...rest } = answer.body ?? {};
    assert.deepEqual(rest, {
      id,
      url: 'https://www.example.co.uk:8443/shop?tab=1#top',
      domain: 'example.co.uk',
      status: 'STARTED',
      score: null,
      grade: null,
      algorithmVersion: 2,
      findingCounts: null,
      checks: null,
      notRunReasons: [],
      apiKeyId: owner.apiKeyId,
      failure: null,
      completedAt: null,
    });
    const latest = await serviceNow(world.testDatabase.database.queries);
    assert.match(String(createdAt), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.ok(Date.parse(String(createdAt)) >= earliest.getTime() && Date.parse(String(createdAt)) <= latest.getTime());
  });

  it('with score, grade and counts of a scan that is COMPLETED', async () => {
    const id = await started(owner);
    const severities: Severity[] = ['CRITICAL', 'HIGH', 'HIGH', 'LOW', 'LOW', 'LOW', 'INFO'];
    for (const [index, severity] of severities.entries())
      await addFinding(world, id, { id: `counted_${index}`, severity });
    await addFinding(world, await started(owner), { id: 'of another scan', severity: 'CRITICAL' });
    await complete(world, id, { score: 37, grade: 'F', passed: 30, failed: 7, notApplicable: 5, notRun: 3 });
    const { createdAt, completedAt, ...rest } = await readScan(owner, id);
    assert.deepEqual(rest, {
      id,
      url: 'https://www.example.com/',
      domain: 'example.com',
      status: 'COMPLETED',
      score: 37,
      grade: 'F',
      algorithmVersion: 2,
      findingCounts: { critical: 1, high: 2, medium: 0, low: 3, info: 1, total: 7 },
      checks: { run: 37, passed: 30, failed: 7, notApplicable: 5, notRun: 3 },
      notRunReasons: [],
      apiKeyId: owner.apiKeyId,
      failure: null,
    });
    assert.ok(Date.parse(String(completedAt)) >= Date.parse(String(createdAt)));
  });

  it('with counts of zero, not with nulls, when nothing was found', async () => {
    const id = await started(owner);
    await complete(world, id);
    const { score, grade, findingCounts, checks } = await readScan(owner, id);
    assert.deepEqual([score, grade], [100, 'A+']);
    assert.deepEqual(findingCounts, { critical: 0, high: 0, medium: 0, low: 0, info: 0, total: 0 });
    assert.deepEqual(checks, { run: 40, passed: 40, failed: 0, notApplicable: 0, notRun: 0 });
  });

  it('without numbers and reasons that an earlier release did not keep', async () => {
    const id = await started(owner);
    await complete(world, id, { score: 92, grade: 'A', passed: 38, failed: 1, notRun: 2 });
    const { checks, notRunReasons } = await readScan(owner, id);
    assert.deepEqual(checks, { run: 39, passed: 38, failed: 1, notApplicable: null, notRun: 2 });
    assert.deepEqual(notRunReasons, []);
  });

  it('with the worst score as a number', async () => {
    const id = await started(owner);
    await complete(world, id, { score: 0, grade: 'F', passed: 0, failed: 40, notRun: 0 });
    const { score, findingCounts, failure } = await readScan(owner, id);
    assert.deepEqual([score, failure], [0, null]);
    assert.notEqual(findingCounts, null);
  });

  it('with a failure and no judgement when the page could not be gathered', async () => {
    const id = await started(owner);
    await world.testDatabase.database.pool.query(
      `update scan set status = 'COMPLETED', failure_code = 'UNREACHABLE', failure_message = 'No answer.',
         completed_at = service_now() where id = $1`,
      [id],
    );
    const { status, score, grade, findingCounts, checks, failure, completedAt } = await readScan(owner, id);
    assert.deepEqual(
      { status, score, grade, findingCounts, checks, failure },
      {
        status: 'COMPLETED',
        score: null,
        grade: null,
        findingCounts: null,
        checks: null,
        failure: { code: 'UNREACHABLE', message: 'No answer.' },
      },
    );
    assert.ok(Date.parse(String(completedAt)));
  });
});

describe('GET /v1/scans', () => {
  const list = async (member: Member, query = '') => {
    const answer = await get(`/v1/scans${query}`, member);
    assert.equal(answer.status, 200, answer.text);
    return answer.body as { scans: { id: string }[]; nextOffset: number | null };
  };
  const idsOf = async (member: Member) => (await list(member)).scans.map((scan) => scan.id);

  it('lists the scans of the account newest first, page by page, each as it is read alone', async () => {
    const member = await world.createMember();
    assert.deepEqual(await list(member), { scans: [], nextOffset: null });
    const ids: string[] = [];
    for (let made = 0; made < 3; made++) ids.unshift(await started(member));
    await addFinding(world, ids[1] ?? '', { id: 'listed', severity: 'HIGH' });
    await complete(world, ids[1] ?? '');
    const { scans, nextOffset } = await list(member);
    assert.deepEqual([scans.map((scan) => scan.id), nextOffset], [ids, null]);
    for (const scan of scans) assert.deepEqual(scan, await readScan(member, scan.id));
    assert.deepEqual(await list(member, '?limit=2'), { scans: scans.slice(0, 2), nextOffset: 2 });
    assert.deepEqual(await list(member, '?limit=2&offset=2'), { scans: scans.slice(2), nextOffset: null });
  });

  it('lists for a member only scans of assigned hosts and the names below them', async () => {
    const admin = await world.createMember();
    const member = await world.createMember({ accountId: admin.accountId, role: 'MEMBER' });
    const [exact, below, sibling, address, other] = [
      await started(admin, 'https://shop.example.com/'),
      await started(admin, 'https://a.shop.example.com/'),
      await started(admin, 'https://workshop.example.com/'),
      await started(admin, 'http://10.0.0.1/'),
      await started(admin, 'http://9.10.0.0/'),
    ];
    assert.deepEqual(await idsOf(member), []);
    await assign(member, 'https://shop.example.com/');
    await assign(member, 'http://10.0.0.1/');
    assert.deepEqual(await idsOf(member), [address, below, exact]);
    assert.deepEqual(await idsOf(admin), [other, address, sibling, below, exact]);
  });
});

for (const suffix of ['', '/findings']) {
  describe(`GET /v1/scans/{id}${suffix}`, () => {
    const read = (member: Member, id: string) => get(`/v1/scans/${id}${suffix}`, member);

    it('answers 404 for an id that nothing has, however odd it is', async () => {
      for (const id of [
        'scn_00000000000000000000',
        'unknown',
        '%00',
        '%27%20or%201=1',
        '%F0%9F%94%91',
        'a'.repeat(900),
      ]) {
        assertRefused(await read(owner, id), 'NOT_FOUND');
      }
    });

    it("answers 404 for another account's scan, to its owner too", async () => {
      const id = await started(owner);
      assertRefused(await read(await world.createMember(), id), 'NOT_FOUND');
      assert.equal((await read(owner, id)).status, 200);
    });

    it('answers 404 for a pentest', async () => {
      const member = await world.createMember();
      await grantCredits(world.admin, member, 400);
      const target = await createTarget(world.admin, member);
      const { body } = await start(world.server.baseUrl, '/v1/pentests', member, target);
      assert.match(String(body?.id), /^pen_/);
      assertRefused(await read(member, String(body?.id)), 'NOT_FOUND');
    });

    it('answers 403 FORBIDDEN to a MEMBER or VIEWER whom its host is not assigned to', async () => {
      const { accountId } = await world.createMember();
      const admin = await world.createMember({ accountId, role: 'ADMIN' });
      const id = await started(admin, 'https://eu.shop.example.test:8443/');
      for (const role of ['MEMBER', 'VIEWER'] as const) {
        const member = await world.createMember({ accountId, role });
        assertRefused(await read(member, id), 'FORBIDDEN');
        const url = `https://${role.toLowerCase()}.example.test/`;
        await assign(member, url);
        assertRefused(await read(member, id), 'FORBIDDEN');
        assert.equal((await read(member, await started(admin, url))).status, 200);
      }
      assert.equal((await read(admin, id)).status, 200);
    });

    it('answers 200 to a MEMBER or VIEWER of the host or of a name above it, for as long as it is assigned', async () => {
      const { accountId } = await world.createMember();
      const admin = await world.createMember({ accountId, role: 'ADMIN' });
      const id = await started(admin, 'https://eu.store.example.test:8443/');
      for (const [role, url] of [
        ['MEMBER', 'https://store.example.test/'],
        ['VIEWER', 'http://eu.store.example.test:81/'],
      ] as const) {
        const member = await world.createMember({ accountId, role });
        const { unassign } = await assign(member, url);
        assert.equal((await read(member, id)).status, 200);
        await unassign();
        assertRefused(await read(member, id), 'FORBIDDEN');
      }
    });

    it('answers 404, not 403, where neither the account nor the host is theirs', async () => {
      const stranger = await world.createMember({ role: 'MEMBER' });
      assertRefused(await read(stranger, await started(owner)), 'NOT_FOUND');
    });

    it('answers 403 FORBIDDEN to a key without scans:read', async () => {
      const writer = await world.createKey(owner, { permissions: 'scans:write' });
      assertRefused(await read(writer, await started(writer)), 'FORBIDDEN');
    });
  });
}
