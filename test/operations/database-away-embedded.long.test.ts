import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { assertEnds, isServing, type Nodes, openNodes, readiness } from '@sortie/testing/server/nodes.ts';
import { postmasterOf, quietFlags, startUp, waitFor } from '@sortie/testing/server/up.ts';

const BACK_WITHIN_MS = 20_000;

let nodes: Nodes;

before(async () => {
  nodes = await openNodes();
});

after(() => nodes.close());

describe('when the database goes away', () => {
  it('and is the embedded one, the server starts it again', async () => {
    const up = startUp({ flags: quietFlags(nodes.folder.data) });
    const node = { up, ...(await up.ready()) };
    for (const signal of ['SIGKILL', 'SIGQUIT'] as const) {
      const postmaster = await postmasterOf(nodes.folder.data);
      assert.ok(postmaster);
      process.kill(postmaster, signal);
      // Its sessions may live on for a moment and answer as if nothing had happened.
      const isAnother = async () =>
        ![undefined, postmaster].includes(await postmasterOf(nodes.folder.data).catch(() => undefined));
      await waitFor(isAnother, { what: 'another database', withinMs: BACK_WITHIN_MS });
      await waitFor(() => isServing(node), { what: 'the API with its database back', withinMs: BACK_WITHIN_MS });
      assert.equal(await readiness(node), 200);
    }
    const second = startUp({ flags: quietFlags(nodes.folder.data) });
    assert.equal((await second.end()).code, 1);
    assert.match(second.stderr(), /already runs on this data folder/);
    await assertEnds(node);
    assert.equal(await postmasterOf(nodes.folder.data), undefined);
  });

  it('and its data folder is taken by another server, or removed, the server stops and says so', async () => {
    // The database of a server that was killed is nobody's child, so its end shows also while this one is frozen.
    const killed = startUp({ flags: quietFlags(nodes.folder.data) });
    await killed.ready();
    await killed.end('SIGKILL');
    const up = startUp({ flags: quietFlags(nodes.folder.data) });
    await up.ready();
    const postmaster = await postmasterOf(nodes.folder.data);
    assert.ok(postmaster);
    up.child.kill('SIGSTOP');
    process.kill(postmaster, 'SIGKILL');
    const other = startUp({ flags: quietFlags(nodes.folder.data) });
    const node = { up: other, ...(await other.ready()) };
    up.child.kill('SIGCONT');
    const { code } = await up.end();
    assert.equal(code, 1);
    assert.match(up.stderr(), new RegExp(`error: Another server \\(process ${other.child.pid}\\) already runs`));
    assert.ok(await isServing(node));

    const last = await postmasterOf(nodes.folder.data);
    assert.ok(last);
    await rm(nodes.folder.data, { recursive: true });
    killIfRunning(last);
    assert.equal((await other.end()).code, 1);
    assert.match(other.stderr(), /error: The database of the data folder .* is gone/);
  });
});

/** PostgreSQL looks for its lock file once a minute, and ends by itself if the file is gone. */
function killIfRunning(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
