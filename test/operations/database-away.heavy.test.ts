import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { call } from '@sortie/testing/http/call.ts';
import { isFull } from '@sortie/testing/runner/test-size.ts';
import { assertEnds, isServing, type Nodes, openNodes, readiness } from '@sortie/testing/server/nodes.ts';
import { quietFlags, startUp, waitFor } from '@sortie/testing/server/up.ts';
import pg from 'pg';

const BACK_WITHIN_MS = 20_000;

let nodes: Nodes;

before(async () => {
  nodes = await openNodes();
});

after(() => nodes.close());

async function terminateSessions(): Promise<void> {
  await nodes.testDatabase.database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()`,
  );
}

describe('when the database goes away', () => {
  it('requests answer 500, the process survives, and it works again by itself', async () => {
    const node = await nodes.startNode(['--role', 'api']);
    assert.ok(await isServing(node));
    for (let round = 0; round < 3; round++) {
      await terminateSessions();
      await waitFor(() => isServing(node), {
        what: 'the API after its connections were cut',
        withinMs: BACK_WITHIN_MS,
      });
    }
    await nodes.refuseConnections();
    assert.equal(await isServing(node), false);
    assert.equal(await readiness(node), 503);
    assert.equal((await call(`${node.opsUrl}/healthz`)).status, 200);
    await nodes.allowConnections();
    await waitFor(() => isServing(node), { what: 'the API with the database back', withinMs: BACK_WITHIN_MS });
    assert.equal(await readiness(node), 200);
    await waitFor(() => node.up.stderr().includes('the database is available again'), {
      what: 'the lock to be taken again',
    });
    const second = startUp({ flags: quietFlags(node.dataDir), env: { DATABASE_URL: nodes.testDatabase.url } });
    assert.equal((await second.end()).code, 1);
    assert.match(second.stderr(), new RegExp(`Another server \\(process ${node.up.child.pid}\\) already runs`));
    await assertEnds(node);
  });

  if (isFull)
    it('in the middle of a transaction, the process survives as well', async () => {
      const client = new pg.Client(nodes.testDatabase.url);
      await client.connect();
      await client.query('delete from recurring_job');
      // A job holds its own row in one transaction and waits for the table in a second one.
      await client.query('begin; lock table credit_grant');
      const node = await nodes.startNode(['--no-demo']);
      await nodes.waitUntilRequestWaits();
      await nodes.testDatabase.database.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name like 'sortie%' and pid <> pg_backend_pid()`,
      );
      await client.query('commit');
      await client.end();
      await waitFor(() => node.up.stderr().includes('recurring job failed'), { what: 'the job to fail' });
      await waitFor(async () => (await readiness(node)) === 200, { what: 'the database', withinMs: BACK_WITHIN_MS });
      await assertEnds(node);
    });
});
