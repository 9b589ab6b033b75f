import assert from 'node:assert/strict';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'node:test';
import { readDatabaseFile } from '@sortie/testing/inside/server.ts';
import {
  assertDemo,
  assertStopped,
  grantOneCredit,
  readBalance,
  withAdmin,
} from '@sortie/testing/server/first-start.ts';
import { createStartScene } from '@sortie/testing/server/start-scene.ts';
import { waitFor } from '@sortie/testing/server/up.ts';

const asRoot = process.getuid?.() === 0;

const scene = createStartScene();
const { up, upForPeople } = scene;

describe('a start without a demo', () => {
  it('seeds nothing, and tells people the next step', async () => {
    const third = up('--no-demo', '--role', 'api');
    assert.equal((await third.ready()).demo, null);
    await assertStopped(third, scene.folder().data, 'SIGHUP');
    const withoutDemo = upForPeople('--no-demo', '--role', 'api');
    const step = `No account yet? npx sortie admin --data ${scene.folder().data} account create --help`;
    await waitFor(() => withoutDemo.stdout().includes(step), { what: 'the next step' });
    await assertStopped(withoutDemo, scene.folder().data);
  });
});

describe('a demo key that was revoked', () => {
  it('is not shown again: the next start has a new one for the same account', async () => {
    const first = up();
    const { demo } = await first.ready();
    assert.ok(demo);
    await withAdmin(scene.folder().data, (admin) => admin.key.revoke({ id: demo.apiKey.split('_')[2] ?? '' }));
    await assertStopped(first, scene.folder().data);
    const second = up();
    const again = await second.ready();
    assert.equal(again.demo?.accountId, demo.accountId);
    assert.notEqual(again.demo?.apiKey, demo.apiKey);
    await assertDemo(again);
    await assertStopped(second, scene.folder().data);
  });
});

describe('the data folder', () => {
  it('may have a long path below a folder that the user of the database cannot enter', async () => {
    const closed = path.join(scene.folder().root, 'closed');
    await mkdir(closed, { mode: 0o700 });
    scene.folder().data = path.join(closed, 'a-long-name-'.repeat(20).slice(0, 200), 'data');
    const first = up();
    const ready = await first.ready();
    await grantOneCredit(ready, scene.folder().data);
    await assertStopped(first, scene.folder().data);
    const second = up();
    const { body } = await readBalance(await second.ready());
    assert.equal(body?.purchased, 20_001);
    await assertStopped(second, scene.folder().data);
    const file = await readDatabaseFile(scene.folder().data);
    assert.equal(file?.databaseFolder !== undefined, asRoot);
    const forPeople = upForPeople();
    await waitFor(() => forPeople.stdout().includes('Or try, in a second'), { what: 'the words for people' });
    const place = file?.databaseFolder
      ? `${scene.folder().data} (database in ${file.databaseFolder})`
      : scene.folder().data;
    assert.ok(forPeople.stdout().includes(`  Data       ${place}\n`));
    await assertStopped(forPeople, scene.folder().data);
    if (file?.databaseFolder) await rm(file.databaseFolder, { recursive: true });
  });
});
