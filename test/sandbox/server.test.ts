import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { checkInvariants } from '@sortie/testing/inside/server.ts';
import { createClient, follow, idOf, pentestStart, scanStart } from '@sortie/testing/server/sandbox.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

describe('in environment live', () => {
  let world: World;
  before(async () => {
    world = await createWorld({ environment: 'live' });
  });
  after(() => world.end());

  it('the names of stories are names like any other', async () => {
    const client = await createClient(world);
    const started = [
      idOf(await pentestStart(world, client, 'released-clean')()),
      idOf(await pentestStart(world, client, 'insufficient-credits')()),
      idOf(await pentestStart(world, client, 'start-500-then-retry')()),
      idOf(await scanStart(world, client, 'scan-clean')()),
      idOf(await scanStart(world, client, 'no-such-story')()),
    ];
    const { pool } = world.testDatabase.database;
    const { rows } = await pool.query(
      `select id, lease_owner as owner, lease_until as until, handed_over_at is not null as "isWaiting"
      from (select id, lease_owner, lease_until, handed_over_at from pentest
        union all select id, lease_owner, lease_until, handed_over_at from scan) as run`,
    );
    assert.deepEqual(rows.map(({ id }) => id).sort(), started.sort());
    // For a worker, as any run; nobody else has anything to do with it.
    for (const { owner, until, isWaiting } of rows) assert.deepEqual([owner, until, isWaiting], [null, null, true]);
    for (const table of ['sandbox_run', 'sandbox_start']) {
      assert.equal((await pool.query(`select from ${table}`)).rowCount, 0, table);
    }
  });
});

describe('in environment test', () => {
  let world: World;
  before(async () => {
    world = await createWorld({ flags: ['--role', 'api'] });
  });
  after(() => world.end());

  it('the demo account can play at once, and a story goes on after a crash', async () => {
    const { demo } = world.server;
    assert.ok(demo);
    assert.equal(demo.sandbox.url, 'https://sandbox.example/');
    const client = { ...demo, ...demo.sandbox, userId: '', apiKeyId: '' };
    const id = idOf(await pentestStart(world, client, 'released-findings', 'STANDARD')());
    await world.server.stop('SIGKILL');
    const server = await world.addServer();
    const { last } = await follow(
      { ...world, server },
      client,
      id,
      ({ status, reportReleased }) => status === 'COMPLETED' && reportReleased,
    );
    assert.equal(last.credits.state, 'CHARGED');
    const { queries } = world.testDatabase.database;
    assert.deepEqual(await checkInvariants(queries), []);
    assert.equal((await queries.selectFrom('pentest_finding').select('id').execute()).length, 15);
  });
});
