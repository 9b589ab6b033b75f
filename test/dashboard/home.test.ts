import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createPeople, type People, type Person } from '@sortie/testing/dashboard/people.ts';
import { createTarget } from '@sortie/testing/world/starts.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

let world: World;
let people: People;
before(async () => {
  world = await createWorld();
  people = await createPeople(world);
});
after(() => world.end());

const path = () => `/api/accounts/${people.accountId}/getting-started`;
const stepsOf = async (person: Person) => (await person.call(path())).body as { done: string[]; isSkipped: boolean };
const skip = (person: Person, isSkipped: boolean) => person.call(path(), { method: 'POST', body: { isSkipped } });

describe('the first steps', () => {
  it('tick themselves, for each member by what it may see', async () => {
    assert.deepEqual(await stepsOf(people.OWNER), { done: [], isSkipped: false });
    const { verificationId } = await createTarget(world.admin, people);
    assert.deepEqual((await stepsOf(people.OWNER)).done, ['TARGET', 'VERIFICATION']);
    assert.deepEqual((await stepsOf(people.MEMBER)).done, []);
    await world.admin.target.assign({ id: verificationId, user: people.MEMBER.userId });
    assert.deepEqual((await stepsOf(people.MEMBER)).done, ['TARGET', 'VERIFICATION']);
    const { apiKey } = await world.createMember({ accountId: people.accountId });
    assert.deepEqual((await stepsOf(people.OWNER)).done, ['TARGET', 'VERIFICATION', 'KEY']);
    await fetch(`${world.server.baseUrl}/v1/key`, { headers: { authorization: `Bearer ${apiKey}` } });
    assert.deepEqual((await stepsOf(people.ADMIN)).done, ['TARGET', 'VERIFICATION', 'KEY', 'PIPELINE']);
  });

  it('are put aside by each person alone, and shown again', async () => {
    assert.equal((await skip(people.VIEWER, true)).status, 200);
    assert.equal((await stepsOf(people.VIEWER)).isSkipped, true);
    assert.equal((await stepsOf(people.OWNER)).isSkipped, false);
    await skip(people.VIEWER, false);
    assert.equal((await stepsOf(people.VIEWER)).isSkipped, false);
  });
});
