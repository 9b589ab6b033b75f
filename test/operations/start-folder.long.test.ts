import assert from 'node:assert/strict';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { after, afterEach, beforeEach, describe, it } from 'node:test';
import { readDatabaseFile } from '@sortie/testing/inside/server.ts';
import { createTestFolder, type TestFolder } from '@sortie/testing/server/data-folder.ts';
import {
  assertDemo,
  assertStopped,
  grantOneCredit,
  readBalance,
  withAdmin,
} from '@sortie/testing/server/first-start.ts';
import { killLeftovers, quietFlags, startUp, type Up, waitFor } from '@sortie/testing/server/up.ts';

const asRoot = process.getuid?.() === 0;

let folder: TestFolder;

beforeEach(async () => {
  folder = await createTestFolder();
});

afterEach(async () => {
  killLeftovers();
  await folder.remove();
});

after(killLeftovers);

const up = (...flags: string[]): Up => startUp({ flags: quietFlags(folder.data, ...flags) });

const upForPeople = (...flags: string[]): Up =>
  startUp({ flags: quietFlags(folder.data, ...flags).filter((flag) => flag !== '--json') });

describe('a demo key that was revoked', () => {
  it('is not shown again: the next start has a new one for the same account', async () => {
    const first = up();
    const { demo } = await first.ready();
    assert.ok(demo);
    await withAdmin(folder.data, (admin) => admin.key.revoke({ id: demo.apiKey.split('_')[2] ?? '' }));
    await assertStopped(first, folder.data);
    const second = up();
    const again = await second.ready();
    assert.equal(again.demo?.accountId, demo.accountId);
    assert.notEqual(again.demo?.apiKey, demo.apiKey);
    await assertDemo(again);
    await assertStopped(second, folder.data);
  });
});

describe('the data folder', () => {
  it('may have a long path below a folder that the user of the database cannot enter', async () => {
    const closed = path.join(folder.root, 'closed');
    await mkdir(closed, { mode: 0o700 });
    folder.data = path.join(closed, 'a-long-name-'.repeat(20).slice(0, 200), 'data');
    const first = up();
    const ready = await first.ready();
    await grantOneCredit(ready, folder.data);
    await assertStopped(first, folder.data);
    const second = up();
    const { body } = await readBalance(await second.ready());
    assert.equal(body?.purchased, 20_001);
    await assertStopped(second, folder.data);
    const file = await readDatabaseFile(folder.data);
    assert.equal(file?.databaseFolder !== undefined, asRoot);
    const forPeople = upForPeople();
    await waitFor(() => forPeople.stdout().includes('Try, in a second'), { what: 'the words for people' });
    const place = file?.databaseFolder ? `${folder.data} (database in ${file.databaseFolder})` : folder.data;
    assert.ok(forPeople.stdout().includes(`  Data       ${place}\n`));
    await assertStopped(forPeople, folder.data);
    if (file?.databaseFolder) await rm(file.databaseFolder, { recursive: true });
  });
});
