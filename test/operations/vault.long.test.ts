import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { after, afterEach, beforeEach, describe, it } from 'node:test';
import { type Admin, defaultCatalogue, findEmbeddedPostgres, openAdmin } from '@sortie/server';
import { loadVaultKeys, openCredentials, openDatabase } from '@sortie/testing/inside/server.ts';
import { createTestFolder, type TestFolder } from '@sortie/testing/server/data-folder.ts';
import type { ReadyLine } from '@sortie/testing/server/server.ts';
import { killLeftovers, quietFlags, startUp, type Up } from '@sortie/testing/server/up.ts';
import { createTarget, start } from '@sortie/testing/world/starts.ts';

let folder: TestFolder;
beforeEach(async () => {
  folder = await createTestFolder();
});
afterEach(async () => {
  killLeftovers();
  await folder.remove();
});
after(killLeftovers);

const up = (env: Record<string, string> = {}): Up => startUp({ flags: quietFlags(folder.data, '--role', 'api'), env });

async function connect() {
  return (await findEmbeddedPostgres(folder.data)) ?? assert.fail('no database runs');
}

async function withAdmin<T>(work: (admin: Admin) => Promise<T>): Promise<T> {
  const admin = openAdmin({ connection: await connect(), catalogue: defaultCatalogue, dataDir: folder.data });
  return work(admin).finally(() => admin.close());
}

const password = 'correct horse battery staple';

async function startWithAccount({ baseUrl, demo }: ReadyLine): Promise<string> {
  assert.ok(demo);
  const target = await withAdmin((admin) => createTarget(admin, demo));
  const credentials = [{ name: 'customer', user: 'customer@example.com', pass: password }];
  const answer = await start(baseUrl, '/v1/pentests', demo, { ...target, credentials });
  assert.equal(answer.status, 201, answer.text);
  return String(answer.body?.id);
}

/** With what is in the data folder now. */
async function assertOpens({ demo }: ReadyLine, runId: string): Promise<void> {
  const none = { SORTIE_FINGERPRINT_KEY: undefined, SORTIE_VAULT_KEY: undefined };
  const database = openDatabase(await connect(), { connections: 1 });
  const owner = { accountId: demo?.accountId ?? '', runId };
  const opened = await openCredentials(database.queries, loadVaultKeys(folder.data, none), owner);
  await database.close();
  assert.deepEqual(
    opened.map(({ pass }) => pass.reveal()),
    [password],
  );
}

describe('a vault beside a running server', () => {
  it('is rotated and its old key forgotten, while the server goes on sealing; it starts again with the rest', async () => {
    const server = up();
    const ready = await server.ready();
    const runs = [await startWithAccount(ready)];
    const { current } = await withAdmin((admin) => admin.vault.rotate({}));
    runs.push(await startWithAccount(ready));
    const { forgotten } = await withAdmin((admin) => admin.vault.rotate({ forgetOld: true }));
    assert.equal(forgotten.length, 1);
    runs.push(await startWithAccount(ready));
    const { keys } = await withAdmin((admin) => admin.vault.status({}));
    assert.deepEqual(
      keys.map(({ id, state, runs: count }) => [id, state, count]),
      [[current, 'CURRENT', 3]],
    );
    await server.end('SIGTERM');
    const again = up();
    const readyAgain = await again.ready();
    for (const run of runs) await assertOpens(ready, run);
    await assertOpens(ready, await startWithAccount(readyAgain));
    await again.end('SIGTERM');
    assert.ok(!(server.stderr() + again.stderr()).includes(password));
  });
});

describe('a server without the key of stored test accounts', () => {
  it('refuses to start and says what to do, unless the key is known to be lost', async () => {
    const server = up();
    const ready = await server.ready();
    await startWithAccount(ready);
    await server.end('SIGTERM');
    await rm(path.join(folder.data, 'secrets.json'));
    const refused = up();
    const { code } = await refused.end();
    assert.ok(code !== null && code !== 0, `exit ${code}`);
    const [, lost = ''] = /Missing vault key (\w{16}):/.exec(refused.stderr()) ?? [];
    assert.match(refused.stderr(), new RegExp(`Restore secrets.json.*start with SORTIE_VAULT_LOST_KEYS=${lost} until`));
    assert.doesNotMatch(refused.stderr(), /^\s+at /m, 'a stack trace is no message');
    assert.equal(refused.stdout(), '');
    const knowing = up({ SORTIE_VAULT_LOST_KEYS: lost });
    const later = await startWithAccount(await knowing.ready());
    await assertOpens(ready, later);
    await knowing.end('SIGTERM');
  });
});
