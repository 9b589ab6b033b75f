import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createPeople, type People, type Person } from '@sortie/testing/dashboard/people.ts';
import { type EventReader, watchEvents } from '@sortie/testing/dashboard/watch-events.ts';
import { assertRefusedInDashboard } from '@sortie/testing/http/visitor.ts';
import { createTarget, grantCredits, start } from '@sortie/testing/world/starts.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

let world: World;
let people: People;
let target: { verificationId: string; targetUrl: string };
let apiKey: string;
const readers: EventReader[] = [];

before(async () => {
  world = await createWorld();
  people = await createPeople(world);
  await grantCredits(world.admin, people, 100_000);
  target = await createTarget(world.admin, people, 'https://sandbox.example/');
  ({ apiKey } = await world.createMember({ accountId: people.accountId }));
});
after(async () => {
  for (const reader of readers) reader.close();
  await world.end();
});

async function watch(person: Person, accountId = people.accountId): Promise<EventReader> {
  const reader = watchEvents(world.server.baseUrl, accountId, person);
  readers.push(reader);
  await reader.next(({ event }) => event === 'ready');
  return reader;
}

async function play(story: string, depth = 'LEAD'): Promise<string> {
  const body = { ...target, targetUrl: `https://${story}.sandbox.example/`, depth };
  const { body: run, text } = await start(world.server.baseUrl, '/v1/pentests', { apiKey }, body);
  return String(run?.id ?? assert.fail(text));
}

async function ownAccountOf(person: Person): Promise<string> {
  const { accounts } = (await person.call('/api/me')).body as { accounts: { id: string }[] };
  return accounts[0]?.id ?? assert.fail();
}

const tells = (topic: string, id: string | null) => (each: { event: string; data: unknown }) =>
  each.event === 'changed' &&
  (each.data as { topic: string; id: string | null }[]).some((change) => change.topic === topic && change.id === id);

describe('a page that is open', () => {
  it('is told of a run that a pipeline starts, and of its credits', async () => {
    const reader = await watch(people.OWNER);
    const runId = await play('released-findings');
    await reader.next(tells('runs', runId));
    await reader.next(tells('credits', null));
  });

  it('is told no id of a key or a scan that the member may not see', async () => {
    const member = await watch(people.MEMBER);
    const admin = await watch(people.ADMIN);
    const body = { url: 'https://scan-clean.sandbox.example/' };
    const scan = await start(world.server.baseUrl, '/v1/scans', { apiKey }, body);
    const scanId = String(scan.body?.id ?? assert.fail(scan.text));
    const { body: created = {} } = await people.OWNER.call(`/api/accounts/${people.accountId}/keys`, {
      method: 'POST',
      body: { name: 'CI', permissions: ['scans:read'] },
    });
    const keyId = (created.record as { id: string }).id;
    for (const [topic, id] of [
      ['scans', scanId],
      ['keys', keyId],
    ] as const) {
      await admin.next(tells(topic, id));
      await member.next(tells(topic, null));
      assert.ok(!JSON.stringify(member.read).includes(id), topic);
    }
  });

  it('is told of no run on a target that is not assigned, until it is', async () => {
    const member = await watch(people.MEMBER);
    const owner = await watch(people.OWNER);
    const runId = await play('released-findings');
    await owner.next(tells('runs', runId));
    await member.next(tells('credits', null));
    assert.ok(!member.read.some(({ data }) => JSON.stringify(data).includes(runId)));
    await world.admin.target.assign({ id: target.verificationId, user: people.MEMBER.userId });
    await member.next(tells('access', null));
    const later = await play('released-findings');
    await member.next(tells('runs', later));
  });

  it('is told nothing of what a report in review contains', async () => {
    const reader = await watch(people.OWNER);
    const runId = await play('review-pending', 'STANDARD');
    await reader.next(tells('runs', runId));
    for (const { data } of reader.read) {
      for (const change of Array.isArray(data) ? data : []) assert.deepEqual(Object.keys(change), ['topic', 'id']);
    }
  });

  it('is told nothing of another account', async () => {
    const stranger = people.STRANGER;
    const reader = await watch(stranger, await ownAccountOf(stranger));
    const owner = await watch(people.OWNER);
    await owner.next(tells('runs', await play('released-findings')));
    assert.deepEqual(
      reader.read.filter(({ event }) => event === 'changed'),
      [],
    );
  });
});

describe('the stream of a page', () => {
  it('ends for a person who signs out', async () => {
    const reader = await watch(people.ADMIN);
    await people.ADMIN.call('/api/auth/sign-out', { method: 'POST', body: {} });
    assert.deepEqual((await reader.next(({ event }) => event === 'end')).data, { reason: 'NO_ACCESS' });
    await reader.closed;
  });

  it('ends for a member who is removed, not for others', async () => {
    const [viewer, owner] = [await watch(people.VIEWER), await watch(people.OWNER)];
    const path = `/api/accounts/${people.accountId}/members/${people.VIEWER.userId}/remove`;
    const removed = await people.OWNER.call(path, { method: 'POST', headers: { 'content-length': 0 } });
    assert.equal(removed.status, 200, removed.text);
    await viewer.next(({ event }) => event === 'end');
    await viewer.closed;
    await owner.next(tells('members', null));
    assert.ok(!owner.isClosed());
  });

  it('is refused to a person with too many', async () => {
    const { STRANGER } = people;
    const accountId = await ownAccountOf(STRANGER);
    const path = `/api/accounts/${accountId}/events`;
    for (let open = 0; open < 19; open += 1) await watch(STRANGER, accountId);
    const refused = await STRANGER.call(path);
    assertRefusedInDashboard(refused, 'RATE_LIMITED');
    assert.ok(Number(refused.headers['retry-after']) > 0);
    readers.at(-1)?.close();
  });

  it('ends when the database breaks the connection, and begins again', async () => {
    const owner = await watch(people.OWNER);
    await world.testDatabase.database.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'sortie live' and datname = current_database()`,
    );
    await owner.closed;
    assert.ok(!owner.read.some(({ event }) => event === 'end'));
    const again = await watch(people.OWNER);
    await again.next(tells('runs', await play('released-findings')));
  });

  it('ends while the account is suspended', async () => {
    const owner = await watch(people.OWNER);
    await world.admin.account.suspend({ id: people.accountId });
    await owner.next(({ event }) => event === 'end');
    await owner.closed;
  });
});
