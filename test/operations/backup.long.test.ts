import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { after, afterEach, beforeEach, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { defaultCatalogue, findEmbeddedPostgres, openAdmin } from '@sortie/server';
import { call } from '@sortie/testing/http/call.ts';
import { checkInvariants, loadVaultKeys, openCredentials, openDatabase } from '@sortie/testing/inside/server.ts';
import { createTestFolder, openTestFolder, type TestFolder } from '@sortie/testing/server/data-folder.ts';
import type { ReadyLine } from '@sortie/testing/server/server.ts';
import { killLeftovers, quietFlags, startUp, type Up } from '@sortie/testing/server/up.ts';
import { createTarget, start } from '@sortie/testing/world/starts.ts';

const manual = path.resolve(import.meta.dirname, '../../docs/operating.md');
const password = 'correct horse battery staple';

let folder: TestFolder;
let restored: string;
beforeEach(async () => {
  folder = await createTestFolder('.sortie');
  restored = path.join(folder.root, 'restored');
});
afterEach(async () => {
  killLeftovers();
  await (existsSync(folder.data) ? folder : openTestFolder(folder.root, 'restored')).remove();
});
after(killLeftovers);

const up = (data: string): Up => startUp({ flags: quietFlags(data, '--role', 'api') });

/** What the manual says under that name, word for word. */
async function follow(name: string): Promise<void> {
  const text = await readFile(manual, 'utf8');
  const [, commands] = new RegExp(`<!-- ${name} -->\n\`\`\`\n(.*?)\`\`\``, 's').exec(text) ?? [];
  assert.ok(commands, `the manual does not say how to ${name}`);
  await promisify(execFile)('sh', ['-e', '-c', commands], { cwd: folder.root });
}

async function connectTo(data: string) {
  return (await findEmbeddedPostgres(data)) ?? assert.fail('no database runs');
}

async function startWithAccount({ baseUrl, demo }: ReadyLine): Promise<string> {
  assert.ok(demo);
  const admin = openAdmin({ connection: await connectTo(folder.data), catalogue: defaultCatalogue });
  const target = await createTarget(admin, demo);
  await admin.close();
  const credentials = [{ name: 'customer', user: 'customer@example.com', pass: password }];
  const answer = await start(baseUrl, '/v1/pentests', demo, { ...target, credentials });
  assert.equal(answer.status, 201, answer.text);
  return String(answer.body?.id);
}

const read = async ({ baseUrl, demo }: ReadyLine, place: string) =>
  (await call(`${baseUrl}/v1/${place}`, { key: demo?.apiKey ?? '' })).body;

/** With the database and the keys of that folder, and nothing else. */
async function openTestAccounts(data: string, owner: { accountId: string; runId: string }) {
  const database = openDatabase(await connectTo(data), { connections: 1 });
  const none = { SORTIE_FINGERPRINT_KEY: undefined, SORTIE_VAULT_KEY: undefined };
  const opened = await openCredentials(database.queries, loadVaultKeys(data, none), owner);
  const violations = await checkInvariants(database.queries);
  await database.close();
  return { passwords: opened.map(({ pass }) => pass.reveal()), violations };
}

describe('a backup of the data folder', () => {
  it('restores accounts, credits, runs and sealed test accounts elsewhere, and is worth nothing without its keys', async () => {
    const first = up(folder.data);
    const ready = await first.ready();
    const runId = await startWithAccount(ready);
    const [balance, run] = [await read(ready, 'credits/balance'), await read(ready, `pentests/${runId}`)];
    assert.equal(balance?.held, 400);
    await first.end('SIGTERM');

    await follow('backup');
    await rm(folder.data, { recursive: true });
    await follow('restore');

    const second = up(restored);
    const again = await second.ready();
    assert.equal(again.demo?.apiKey, ready.demo?.apiKey);
    assert.deepEqual(await read(again, 'credits/balance'), balance);
    assert.deepEqual(await read(again, `pentests/${runId}`), run);
    const owner = { accountId: ready.demo?.accountId ?? '', runId };
    assert.deepEqual(await openTestAccounts(restored, owner), { passwords: [password], violations: [] });
    await second.end('SIGTERM');

    await rm(path.join(restored, 'secrets.json'));
    const third = up(restored);
    assert.notEqual((await third.end()).code, 0);
    assert.match(third.stderr(), /vault key/);
  });
});
