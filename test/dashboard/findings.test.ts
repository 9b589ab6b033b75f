import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { AccountFinding, FindingRecord } from '@sortie/contract';
import { createPeople, type People, type Person } from '@sortie/testing/dashboard/people.ts';
import { assertRefusedInDashboard } from '@sortie/testing/http/visitor.ts';
import { waitFor } from '@sortie/testing/server/up.ts';
import { createTarget, grantCredits, start } from '@sortie/testing/world/starts.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

let world: World;
let people: People;
let apiKey: string;
let findings: AccountFinding[];

before(async () => {
  world = await createWorld();
  people = await createPeople(world);
  await grantCredits(world.admin, people, 100_000);
  const target = await createTarget(world.admin, people, 'https://sandbox.example/');
  await world.admin.target.assign({ id: target.verificationId, user: people.VIEWER.userId });
  ({ apiKey } = await world.createMember({ accountId: people.accountId }));
  await play('released-findings', 'LEAD', target.verificationId);
  const isReported = async () => {
    findings = await listOf(people.OWNER);
    return findings.length === 15;
  };
  await waitFor(isReported, { what: () => `15 findings, not ${findings.length}`, withinMs: 60_000 });
  await play('review-pending', 'STANDARD', target.verificationId);
});
after(() => world.end());

/** Starts a run of the sandbox. */
async function play(story: string, depth: string, verificationId: string): Promise<void> {
  const targetUrl = `https://${story}.sandbox.example/`;
  const answer = await start(world.server.baseUrl, '/v1/pentests', { apiKey }, { targetUrl, verificationId, depth });
  assert.equal(answer.status, 201, answer.text);
}

const pathOf = (rest: string) => `/api/accounts/${people.accountId}/findings${rest}`;

async function listOf(person: Person): Promise<AccountFinding[]> {
  const { status, body, text } = await person.call(pathOf(''));
  assert.equal(status, 200, text);
  const listed = body?.findings as AccountFinding[];
  assert.equal(body?.total, listed.length);
  return listed;
}

const post = (person: Person, rest: string, body: unknown) => person.call(pathOf(rest), { method: 'POST', body });

const accepted = { state: 'ACCEPTED', reason: 'The page goes away.', until: '2999-01-01T00:00:00.000Z' };

describe('the findings of an account', () => {
  it('are those of released reports, worst first, for those to whom the target is assigned', async () => {
    const all = await listOf(people.OWNER);
    assert.equal(all.length, 15);
    assert.equal(all[0]?.severity, 'CRITICAL');
    assert.deepEqual((await listOf(people.VIEWER)).length, 15);
    assert.deepEqual(await listOf(people.MEMBER), []);
  });

  it('are accepted, assigned and noted, with the names of those who did it', async () => {
    const id = findings[0]?.id ?? assert.fail();
    const set = await post(people.ADMIN, `/${id}/state`, accepted);
    assert.equal(set.status, 200, set.text);
    await post(people.ADMIN, `/${id}/assignee`, { userId: people.OWNER.userId });
    await post(people.OWNER, `/${id}/notes`, { text: 'Ticket 7\nsee there' });
    const { body } = await people.VIEWER.call(pathOf(`/${id}/record`));
    const { finding, events, sightings } = body as unknown as FindingRecord;
    assert.deepEqual(
      [finding.state, finding.acceptedUntil, finding.assignee, finding.notes],
      ['ACCEPTED', accepted.until, { userId: people.OWNER.userId, name: 'Ada' }, 1],
    );
    assert.deepEqual(
      events.map(({ kind, text, by }) => [kind, text, by.userId]),
      [
        ['NOTE', 'Ticket 7\nsee there', people.OWNER.userId],
        ['ASSIGNEE', null, people.ADMIN.userId],
        ['STATE', accepted.reason, people.ADMIN.userId],
      ],
    );
    assert.equal(sightings.length, 1);
    const listed = (await listOf(people.OWNER)).find((each) => each.id === id);
    assert.deepEqual(listed, finding);
  });

  it('refuse what is incomplete', async () => {
    const id = findings[1]?.id ?? assert.fail();
    for (const body of [
      { state: 'ACCEPTED', reason: 'Because.' },
      { state: 'ACCEPTED', until: accepted.until },
      { ...accepted, until: '2001-01-01T00:00:00Z' },
      { ...accepted, reason: ' ' },
      { state: 'FALSE_POSITIVE' },
      { state: 'FIXED' },
      { state: 'OPEN', reason: 'None.' },
    ]) {
      assertRefusedInDashboard(await post(people.OWNER, `/${id}/state`, body), 'VALIDATION_ERROR');
    }
    for (const text of ['', '\0', 'x'.repeat(5_001)]) {
      assertRefusedInDashboard(await post(people.OWNER, `/${id}/notes`, { text }), 'VALIDATION_ERROR');
    }
    const stranger = { userId: people.STRANGER.userId };
    assertRefusedInDashboard(await post(people.OWNER, `/${id}/assignee`, stranger), 'VALIDATION_ERROR');
  });
});
