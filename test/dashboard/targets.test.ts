import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { ManagedTarget, OwnershipCheck } from '@sortie/contract';
import { createPeople, type People, type Person } from '@sortie/testing/dashboard/people.ts';
import { assertRefusedInDashboard } from '@sortie/testing/http/visitor.ts';
import { createTarget, grantCredits } from '@sortie/testing/world/starts.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

let world: World;
let people: People;
before(async () => {
  world = await createWorld();
  people = await createPeople(world);
});
after(() => world.end());

const post = (person: Person, path: string, body?: unknown) =>
  person.call(`/api/accounts/${people.accountId}/targets${path}`, {
    method: 'POST',
    ...(body === undefined ? { headers: { 'content-length': 0 } } : { body }),
  });
const read = (person: Person, path = '/overview') => person.call(`/api/accounts/${people.accountId}/targets${path}`);
const listed = async (person: Person) => (await read(person)).body?.targets as ManagedTarget[];
async function add(url: string, method = 'file', more = {}) {
  const answer = await post(people.OWNER, '', { url, method, ...more });
  assert.equal(answer.status, 201, answer.text);
  return answer.body as ManagedTarget;
}

describe('a target added in the dashboard', () => {
  it('says exactly what to publish where, by each method', async () => {
    const dns = await add('app.example.org', 'dns', { name: 'example.org' });
    assert.deepEqual(
      [dns.origin, dns.coveredName, dns.proof?.place],
      ['https://app.example.org', 'example.org', 'example.org'],
    );
    assert.match(dns.proof?.value ?? '', /^sortie-verification=\S{20,}$/);
    const file = await add('http://shop.example.org:8080/basket?x=1', 'file');
    assert.equal(file.proof?.place, 'http://shop.example.org:8080/.well-known/sortie-verification.txt');
    const meta = await add('https://www.example.org', 'meta');
    assert.match(meta.proof?.value ?? '', /^<meta name="sortie-verification" content="\S+">$/);
    assert.deepEqual([meta.verified, meta.lastCheck, meta.lastRun, meta.apiRuns], [false, null, null, false]);
    const again = await post(people.OWNER, '', { url: 'https://www.example.org/other', method: 'meta' });
    assertRefusedInDashboard(again, 'VALIDATION_ERROR');
  });

  it('needs a host that can be one, and a method that people have', async () => {
    for (const [field, body] of [
      ['url', { url: 'ftp://a.example.org', method: 'file' }],
      ['url', { url: 'https://user@a.example.org', method: 'file' }],
      ['url', { url: '"><script>alert(1)</script>', method: 'file' }],
      ['url', { method: 'file' }],
      ['method', { url: 'a.example.org', method: 'attestation' }],
      ['method', { url: '127.0.0.1', method: 'dns' }],
      ['name', { url: 'a.example.org', method: 'dns', name: 'org' }],
    ] as const) {
      const answer = await post(people.OWNER, '', body);
      assertRefusedInDashboard(answer, 'VALIDATION_ERROR');
      assert.equal(answer.body?.field, field, answer.text);
    }
  });
});

describe('a check', () => {
  it('waits for a worker, is not asked for twice, and is the last one of the target', async () => {
    const { verificationId } = await add('check.example.org');
    const first = (await post(people.OWNER, `/${verificationId}/check`)).body as unknown as OwnershipCheck;
    const second = (await post(people.ADMIN, `/${verificationId}/check`)).body as unknown as OwnershipCheck;
    assert.deepEqual([first.state, second.id, first.outcome], ['WAITING', first.id, null]);
    const checks = (await read(people.OWNER, `/${verificationId}/checks`)).body?.checks as OwnershipCheck[];
    assert.deepEqual(
      checks.map(({ id }) => id),
      [first.id],
    );
    const shown = (await read(people.OWNER, `/${verificationId}/overview`)).body as unknown as ManagedTarget;
    assert.equal(shown.lastCheck?.id, first.id);
  });
});

describe('the settings of a target', () => {
  it('are the rules of engagement and the API switch, and the audit log tells', async () => {
    const { verificationId } = await add('rules.example.org');
    const rules = {
      excludedPaths: ['/logout', 'POST /orders', '/index.php?action=delete'],
      requestsPerSecond: 5,
      window: { from: '22:00', to: '06:00' },
      emergencyContact: '+49 30 1234',
    };
    const changed = (await post(people.ADMIN, `/${verificationId}/rules`, rules)).body as ManagedTarget;
    const { emergencyContact, ...shown } = rules;
    assert.deepEqual([changed.rules, changed.emergencyContact], [shown, emergencyContact]);
    const on = await post(people.ADMIN, `/${verificationId}/api-runs`, { apiRuns: true });
    assert.equal(on.body?.apiRuns, true);
    const audit = await people.OWNER.call(`/api/accounts/${people.accountId}/audit?action=target.&limit=2`);
    assert.match(audit.text, /target\.api-runs-set.*target\.rules-set/);
    assert.ok(!audit.text.includes(emergencyContact));
  });

  it('refuse rules that make no sense', async () => {
    const { verificationId } = await add('odd.example.org');
    const valid = { excludedPaths: [], requestsPerSecond: null, window: null, emergencyContact: null };
    for (const [field, value] of [
      ['excludedPaths[0]', { excludedPaths: ['logout'] }],
      ['excludedPaths', { excludedPaths: Array.from({ length: 51 }, (_, number) => `/${number}`) }],
      ['requestsPerSecond', { requestsPerSecond: 51 }],
      ['window', { window: { from: '10:00', to: '10:00' } }],
      ['window.to', { window: { from: '10:00', to: '24:00' } }],
      ['emergencyContact', { emergencyContact: 'a\u0000b' }],
    ] as const) {
      const answer = await post(people.OWNER, `/${verificationId}/rules`, { ...valid, ...value });
      assertRefusedInDashboard(answer, 'VALIDATION_ERROR');
      assert.equal(answer.body?.field, field, answer.text);
    }
  });
});

describe('an assignment', () => {
  it('lets a member see and check the target, and nobody else', async () => {
    const { verificationId } = await add('assigned.example.org');
    const path = `/${verificationId}/overview`;
    assert.deepEqual(await listed(people.MEMBER), []);
    for (const answer of [await read(people.MEMBER, path), await post(people.MEMBER, `/${verificationId}/check`)]) {
      assertRefusedInDashboard(answer, 'FORBIDDEN');
    }
    const assigned = await post(people.OWNER, `/${verificationId}/assign`, { userId: people.MEMBER.userId });
    assert.deepEqual(assigned.body?.assignedTo, [people.MEMBER.userId], assigned.text);
    assert.deepEqual(
      (await listed(people.MEMBER)).map((each) => each.verificationId),
      [verificationId],
    );
    assert.equal((await post(people.MEMBER, `/${verificationId}/check`)).status, 200);
    await post(people.OWNER, `/${verificationId}/unassign`, { userId: people.MEMBER.userId });
    assertRefusedInDashboard(await read(people.MEMBER, path), 'FORBIDDEN');
    assertRefusedInDashboard(
      await post(people.OWNER, `/${verificationId}/assign`, { userId: people.STRANGER.userId }),
      'NOT_FOUND',
    );
  });
});

describe('an imported API description', () => {
  it('is shown without its content, replaced and removed', async () => {
    const { verificationId } = await add('api.example.org');
    const file = JSON.stringify({ openapi: '3.0.0', paths: {}, 'x-filler': 'a'.repeat(1_000_000) });
    const imported = await post(people.OWNER, `/${verificationId}/import`, { name: 'shop.json', file });
    const stored = (imported.body as ManagedTarget | undefined)?.imported;
    assert.deepEqual([stored?.name, stored?.bytes], ['shop.json', file.length], imported.text.slice(0, 500));
    const removed = await post(people.OWNER, `/${verificationId}/import/remove`);
    assert.equal(removed.body?.imported, null);
    const wrong = await post(people.OWNER, `/${verificationId}/import`, { name: 'x', file: 'hello' });
    assert.deepEqual([wrong.body?.code, wrong.body?.field], ['VALIDATION_ERROR', 'file']);
  });

  it('is at most 20 MB', async () => {
    const { verificationId } = await add('large.example.org');
    const answer = await post(people.OWNER, `/${verificationId}/import`, { name: 'x', file: 'a'.repeat(20_000_001) });
    assertRefusedInDashboard(answer, 'VALIDATION_ERROR');
    assert.equal(answer.body?.field, 'file');
  });
});

describe('a removed target', () => {
  it('authorises nothing, and can be added again with its rules', async () => {
    await grantCredits(world.admin, { accountId: people.accountId }, 5_000);
    const target = await createTarget(world.admin, { accountId: people.accountId });
    const start = (key: string) =>
      people.OWNER.call(`/api/accounts/${people.accountId}/pentests`, {
        method: 'POST',
        headers: { 'idempotency-key': key },
        body: target,
      });
    const { body } = await start('before');
    const path = `/${target.verificationId}/remove`;
    assertRefusedInDashboard(await post(people.OWNER, path), 'VALIDATION_ERROR');
    await people.OWNER.call(`/api/accounts/${people.accountId}/pentests/${body?.id}/cancel`, {
      method: 'POST',
      headers: { 'content-length': 0 },
    });
    assert.equal((await post(people.OWNER, path)).status, 200);
    assertRefusedInDashboard(await start('after'), 'NOT_FOUND');
    assertRefusedInDashboard(await read(people.OWNER, `/${target.verificationId}/overview`), 'NOT_FOUND');
    assert.ok(!(await listed(people.OWNER)).some((each) => each.verificationId === target.verificationId));
    const again = await add(new URL(target.targetUrl).origin, 'file');
    assert.notEqual(again.verificationId, target.verificationId);
    assert.equal(again.lastRun?.id, body?.id);
  });
});
