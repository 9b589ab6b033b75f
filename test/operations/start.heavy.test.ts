import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'node:test';
import { createTestDatabase } from '@sortie/testing/database/database.ts';
import { isFull } from '@sortie/testing/runner/test-size.ts';
import {
  accountOf,
  assertDemo,
  assertRefused,
  assertStopped,
  readBalance,
} from '@sortie/testing/server/first-start.ts';
import { createStartScene } from '@sortie/testing/server/start-scene.ts';
import { postmasterOf, quietFlags, startUp, waitFor } from '@sortie/testing/server/up.ts';

const asRoot = process.getuid?.() === 0;

const scene = createStartScene();
const { up, upForPeople } = scene;

describe('the first start', () => {
  it('says on stdout in one line of JSON what was started and what was seeded, again at each start', async () => {
    const first = up();
    const ready = await first.ready();
    assert.deepEqual(Object.keys(ready).sort(), ['baseUrl', 'dataDir', 'demo', 'environment', 'opsUrl', 'publicUrl']);
    assert.equal(ready.dataDir, scene.folder().data);
    assert.equal(ready.environment, 'test');
    assert.match(ready.baseUrl, /^http:\/\/127\.0\.0\.1:\d+$/);
    await assertDemo(ready);
    await assertStopped(first, scene.folder().data);
    assert.equal(first.stdout().trim().split('\n').length, 1);
    for (const line of first.stderr().trim().split('\n')) assert.ok(JSON.parse(line).msg, line);

    await assertRefused(
      up('--environment', 'live', '--role', 'api'),
      /belongs to the test environment.*started for live/,
    );
    assert.equal(await postmasterOf(scene.folder().data), undefined);
    if (!isFull) return;

    const second = up('--role', 'api');
    const again = await second.ready();
    assert.deepEqual(accountOf(again), accountOf(ready));
    await readBalance(again);
    await assertStopped(second, scene.folder().data, 'SIGINT');

    const forPeople = upForPeople('--role', 'api');
    await waitFor(() => forPeople.stdout().includes('Or try, in a second'), { what: 'the words for people' });
    assert.match(forPeople.stdout(), new RegExp(`API key +${ready.demo?.apiKey}$`, 'm'));
    await assertStopped(forPeople, scene.folder().data);
    assert.match(forPeople.stdout(), /^Stopped\.$/m);
  });

  it('seeds nothing with --no-demo, nor in environment live, which then refuses servers for test', async () => {
    const testDatabase = await createTestDatabase();
    await testDatabase.database.queries.deleteFrom('service').execute();
    const orderOf = (...flags: string[]) => ({
      flags: quietFlags(scene.folder().data, ...flags),
      env: { DATABASE_URL: testDatabase.url, SORTIE_CONTACT: 'abuse@example.com' },
    });
    const live = startUp(orderOf('--environment', 'live', '--role', 'api'));
    const ready = await live.ready();
    assert.equal(ready.environment, 'live');
    assert.equal(ready.demo, null);
    assert.equal((await live.end('SIGTERM')).code, 0);
    assert.equal(existsSync(path.join(scene.folder().data, 'demo.json')), false);
    const accounts = await testDatabase.database.queries.selectFrom('account').select('id').execute();
    assert.deepEqual(accounts, []);
    const refusedToShare = startUp(orderOf());
    await assertRefused(refusedToShare, /belongs to the live environment.*started for test/);
    await testDatabase.drop();
  });
});

describe('the data folder', () => {
  it('is explained when it cannot be used', async () => {
    await writeFile(path.join(scene.folder().root, 'file'), '');
    const inFile = startUp({ flags: quietFlags(path.join(scene.folder().root, 'file/data')) });
    await assertRefused(
      inFile,
      /Not a folder: the data folder .*file\/data cannot be used \(ENOTDIR, .*\)\. Choose another folder/,
    );
    if (!isFull) return;
    const file = startUp({ flags: quietFlags(path.join(scene.folder().root, 'file')) });
    await assertRefused(file, /The data folder .*\/file is a file\. Choose a folder with --data\./);
    // Root may write everywhere but in the kernel's own files.
    const readOnly = asRoot ? '/sys/kernel' : path.join(scene.folder().root, 'read-only');
    if (!asRoot) await mkdir(readOnly, { mode: 0o555 });
    const forbidden = startUp({ flags: quietFlags(path.join(readOnly, 'data')) });
    await assertRefused(forbidden, /(No permission|Read-only file system): the data folder .*data cannot be used \(E/);
  });

  it('is refused at once where no folder can be made, and no folder that exists gets another mode', async () => {
    const before = await stat('/proc');
    const nowhere = startUp({ flags: quietFlags('/proc/sortie/data') });
    await assertRefused(
      nowhere,
      /No folder can be created there: the data folder .* cannot be used \(ENOENT, \/proc\/sortie\)/,
    );
    assert.equal((await stat('/proc')).mode, before.mode);
  });
});
